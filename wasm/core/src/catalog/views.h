// The projections that are in use: one per scope and consumer, a few of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/projection.h"

namespace viewcap {

class Views {
  public:
    /// The projection of that scope and consumer, made when there is none in place of the one made longest ago.
    Projection& of(std::vector<std::string> scope, std::string_view consumer, std::uint32_t& index);
    /// Null for an unknown view.
    Projection* at(std::uint32_t index) { return index < views_.size() ? &views_[index] : nullptr; }
    /// Frees what they hold.
    void clear();
    std::uint32_t& generations() { return generations_; }

  private:
    std::vector<Projection> views_;
    std::size_t next_ = 0;
    std::uint32_t generations_ = 0;
};

}  // namespace viewcap
