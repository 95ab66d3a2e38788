// The lint of names: a view capability `view:X.Y` beside a procedure whose path is X.Y (spec: contextual.md, end) makes
// a model take one for the other.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "contract/contract.h"
#include "host_protocol/json_text.h"
#include "registration/surface.h"

namespace viewcap {

class Collisions {
  public:
    /// Paths of procedures that the application has, beside those that have a live reference.
    void know(host_protocol::JsonValue paths);
    /// The capabilities of a component whose names a procedure has, as indices.
    std::vector<std::uint32_t> of(const Contract& component, const Surface& surface) const;

  private:
    std::set<std::string, std::less<>> paths_;
};

}  // namespace viewcap
