// The inside of a JSON string: where it ends, whether it is well formed, what its escapes stand for.
#pragma once

#include <string>
#include <string_view>

namespace host_protocol {

struct StringScan {
    const char* at;          // the closing quote, or the fault
    std::string_view fault;  // empty, or one of json_fault
    bool escaped;            // the decoded bytes were appended to the side buffer
};

/// `begin` is behind the opening quote. Decodes into `unescaped` only when there is an escape.
StringScan scan_json_string(const char* begin, const char* end, std::string& unescaped);

}  // namespace host_protocol
