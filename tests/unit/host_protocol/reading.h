// Shared by the tests: reading a text that has to be readable, and the code of one that must not be.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "host_protocol/json_text.h"

namespace reading {

inline host_protocol::JsonDocument document(std::string_view text) {
    auto read = host_protocol::JsonDocument::read(std::string(text), {1u << 20, 64});
    INFO("text: " << text.substr(0, 200));
    if (!read) FAIL(read.error().code << ": " << read.error().message);
    return std::move(*read);
}

/// The code of the error that reading `text` gives; empty when it can be read.
inline std::string fault(std::string_view text, host_protocol::JsonLimits limits = {}) {
    host_protocol::JsonReader reader;
    const auto read = reader.read(text, limits);
    return read ? std::string() : std::string(read.error().code);
}

}  // namespace reading
