// Writes a snapshot as JSON text (spec: capabilities.md §6).
#pragma once

#include <string>

#include "catalog/votes.h"
#include "registration/surface.h"
#include "viewcap/snapshot.h"

namespace viewcap {

/// As the votes' consumer sees it. A budget's components give way to references; references that do not fit are counted
/// in `truncated.droppedProcedures`.
std::string write_snapshot(const Surface& surface, const std::string& surface_id, const SnapshotRequest& request,
                           const Votes& votes);

}  // namespace viewcap
