// Arrays of strings, in and out of JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_out.h"
#include "host_protocol/protocol_vocabulary.h"

namespace host_protocol {

/// Whether it is absent or an array of strings; those are appended.
inline bool read_texts(JsonValue list, std::vector<std::string_view>& texts) {
    if (!list) return true;
    if (!list.is(JsonType::array)) return false;
    texts.reserve(list.size());
    for (const JsonValue text : list.elements()) {
        if (!text.is(JsonType::string)) return false;
        texts.push_back(text.string());
    }
    return true;
}

template <class Texts>
void append_texts(std::string& out, std::string_view key, const Texts& texts) {
    append_key(out, key);
    out += '[';
    bool first = true;
    for (const std::string_view text : texts) {
        if (!first) out += ',';
        first = false;
        append_json_string(out, text);
    }
    out += ']';
}

}  // namespace host_protocol
