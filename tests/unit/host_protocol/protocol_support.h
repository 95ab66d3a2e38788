// Shared by the protocol's tests: fixtures by name, a value put in place of another, what a refusal says.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "host_protocol/step_request.h"
#include "protocol_fixtures.h"
#include "reading.h"

namespace protocol {

using namespace host_protocol;

inline std::string_view fixture(std::string_view name) {
    for (const auto* list : {&protocol_fixtures::kOther})
        for (const auto& one : *list)
            if (one.name == name) return one.text;
    for (const auto& one : protocol_fixtures::kValid)
        if (one.name == name) return one.text;
    FAIL("there is no fixture " << name);
    return {};
}

/// RFC 6901 without escapes, which no path here has.
inline JsonValue at_path(JsonValue value, std::string_view path) {
    while (!path.empty() && value) {
        path.remove_prefix(1);
        const std::string_view token = path.substr(0, path.find('/'));
        path.remove_prefix(token.size());
        if (value.is(JsonType::array)) {
            auto index = std::stoul(std::string(token));
            JsonValue found;
            for (const JsonValue element : value.elements())
                if (index-- == 0) found = element;
            value = found;
        } else {
            value = value.find(token);
        }
    }
    return value;
}

/// `text` with `json` in place of the value at `path`.
inline std::string replaced(std::string_view text, std::string_view path, std::string_view json) {
    const JsonDocument document = reading::document(text);
    const JsonValue value = at_path(document.root(), path);
    INFO("path: " << path);
    REQUIRE(value);
    std::string out(text);
    return out.replace(value.node().begin, value.node().end - value.node().begin, json);
}

inline std::string repeated(std::string_view item, std::size_t count, std::string_view separator = "") {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out.append(i == 0 ? "" : separator).append(item);
    return out;
}

inline std::string quoted(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

/// "400 PROTOCOL_DECODE_ERROR /turnId", or "ok".
inline std::string verdict(std::string body, const ProtocolLimits& limits = {}) {
    const Admitted<StepRequest> decoded = decode_step_request(std::move(body), limits);
    const Refusal* refusal = refusal_of(decoded);
    if (refusal == nullptr) return "ok";
    return std::to_string(refusal->status) + " " + std::string(refusal->error.code) +
           (refusal->error.path.empty() ? "" : " " + refusal->error.path);
}

inline std::string decode_error(std::string_view path) { return "400 PROTOCOL_DECODE_ERROR " + std::string(path); }

/// A step with those messages (JSON) and that catalog's members (JSON, without braces).
inline std::string step_with(std::string_view messages, std::string_view catalog = R"("frontendTools":[])") {
    return R"({"protocolVersion":2,"conversationId":"c","turnId":"t","stepIndex":0,"pathname":"/","messages":)" +
           std::string(messages) + R"(,"catalog":{)" + std::string(catalog) + "}}";
}

inline constexpr std::string_view kHello = R"([{"role":"user","content":"Hello"}])";

inline std::string tool_json(std::string_view wire_name, std::string_view canonical_id, std::string_view plane,
                             std::string_view more = "") {
    return R"({"wireName":)" + quoted(wire_name) + R"(,"canonicalId":)" + quoted(canonical_id) + R"(,"plane":)" +
           quoted(plane) +
           R"(,"description":"d","inputSchema":{"type":"object"},"effect":"read","confirmation":"never")" +
           std::string(more) + "}";
}

inline std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

}  // namespace protocol
