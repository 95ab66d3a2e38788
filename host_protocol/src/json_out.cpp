#include "host_protocol/json_out.h"

namespace host_protocol {

void append_key(std::string& out, std::string_view key) {
    if (!out.empty() && out.back() != '{') out += ',';
    out += '"';
    out += key;
    out += "\":";
}

void append_text_member(std::string& out, std::string_view key, std::string_view text) {
    append_key(out, key);
    append_json_string(out, text);
}

void append_json_member(std::string& out, std::string_view key, std::string_view json) {
    append_key(out, key);
    out += json;
}

void append_number_member(std::string& out, std::string_view key, double number) {
    append_key(out, key);
    append_json_number(out, number);
}

void append_bool_member(std::string& out, std::string_view key, bool flag) {
    append_key(out, key);
    out += flag ? "true" : "false";
}

std::string concat(std::initializer_list<std::string_view> parts) {
    std::size_t size = 0;
    for (std::string_view part : parts) size += part.size();
    std::string out;
    out.reserve(size);
    for (std::string_view part : parts) out += part;
    return out;
}

std::string one_member(std::string_view key, std::string_view text) {
    std::string out = "{";
    append_text_member(out, key, text);
    out += '}';
    return out;
}

bool is_true(JsonValue value) { return value.is(JsonType::boolean) && value.boolean(); }

std::string_view text_or(JsonValue value, std::string_view fallback) {
    return value.is(JsonType::string) ? value.string() : fallback;
}

}  // namespace host_protocol
