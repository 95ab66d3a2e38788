// Groups equal texts: a hash table over positions of a list that somebody else owns.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

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
        const std::uint32_t hash = hash_of(text);
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

    static std::uint32_t hash_of(std::string_view text) {
        std::uint64_t hash = text.size();
        while (!text.empty()) {
            std::uint64_t eight = 0;
            const std::size_t taken = text.size() < 8 ? text.size() : 8;
            std::memcpy(&eight, text.data(), taken);
            hash = (hash ^ eight) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 32;
            text.remove_prefix(taken);
        }
        return static_cast<std::uint32_t>(hash);
    }

    std::vector<Slot> slots_;
};

}  // namespace host_protocol
