// Where a walk stands inside a JSON document: a chain of stack frames, turned into a JSON Pointer only when needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace host_protocol::schema_detail {

struct Place {
    const Place* up = nullptr;
    std::string_view key{};
    std::int64_t index = -1;  // an array element when not negative

    Place member(std::string_view name) const { return {this, name, -1}; }
    Place element(std::size_t position) const { return {this, {}, static_cast<std::int64_t>(position)}; }
};

/// RFC 6901; the root is the empty string.
std::string json_pointer(const Place& place);

/// Appends one escaped reference token with its slash.
void append_pointer_token(std::string& out, std::string_view token);

}  // namespace host_protocol::schema_detail
