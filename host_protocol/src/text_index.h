// Groups equal texts: a hash table over positions of a list that somebody else owns.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text_hash.h"

namespace host_protocol {

class TextIndex {
  public:
    /// Room for `count` texts.
    explicit TextIndex(std::size_t count) {
        std::size_t size = 16;
        while (size < 2 * count) size *= 2;
        slots_.resize(size, Slot{0, kFree});
    }

    /// Position of the first text equal to `text`; `position` itself, which is remembered, when there was none.
    /// `at(position)` gives the text of a remembered position.
    template <class At>
    std::uint32_t first_equal(std::string_view text, std::uint32_t position, const At& at) {
        const auto hash = static_cast<std::uint32_t>(text_hash(text));
        for (std::size_t slot = hash;; ++slot) {
            Slot& entry = slots_[slot & (slots_.size() - 1)];
            if (entry.position == kFree) {
                entry = {hash, position};
                return position;
            }
            if (entry.hash == hash && at(entry.position) == text) return entry.position;
        }
    }

  private:
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;
    struct Slot {
        std::uint32_t hash, position;
    };

    std::vector<Slot> slots_;
};

}  // namespace host_protocol
