// Writes a snapshot as JSON text (spec: capabilities.md §6).
#pragma once

#include <string>

#include "registration/surface.h"
#include "viewcap/snapshot.h"

namespace viewcap {

std::string write_snapshot(const Surface& surface, const std::string& surface_id, const SnapshotRequest& request);

}  // namespace viewcap
