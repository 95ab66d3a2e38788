// A quick hash of a text, for tables and sorting inside one call; not for anything that is kept or sent.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace host_protocol {

inline std::uint64_t text_hash(std::string_view text) {
    std::uint64_t hash = text.size();
    while (!text.empty()) {
        std::uint64_t eight = 0;
        const std::size_t taken = text.size() < 8 ? text.size() : 8;
        if (taken == 8) {
            std::memcpy(&eight, text.data(), 8);
        } else {
            for (const char c : text) eight = (eight << 8) | static_cast<std::uint8_t>(c);
        }
        hash = (hash ^ eight) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
        text.remove_prefix(taken);
    }
    return hash;
}

}  // namespace host_protocol
