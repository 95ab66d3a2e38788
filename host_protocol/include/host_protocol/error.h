// What went wrong, as a value.
//
// An Error names a code of the vocabulary, a sentence that says what was found and what is allowed, and the place.
// Errors are returned inside Result<T> (result.h); nothing in host_protocol or wasm/core throws on purpose.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace host_protocol {

struct Error {
    /// A row of the vocabulary, such as "INVALID_DEFINITION". Points at static text.
    std::string_view code;
    /// One sentence: what was found, what is allowed.
    std::string message;
    /// JSON Pointer or dotted place of the fault; empty when there is none.
    std::string path;
};

inline Error make_error(std::string_view code, std::string message, std::string path = {}) {
    return Error{code, std::move(message), std::move(path)};
}

}  // namespace host_protocol
