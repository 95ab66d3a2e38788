#include "host_protocol/refusal.h"

#include <cmath>

#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"

namespace host_protocol {
namespace {

// A tape addresses that many bytes; no limit can mean more.
constexpr double kLargestLimit = 1073741824.0;

void append_error(std::string& out, const Error& error) {
    append_key(out, "error");
    out += '{';
    append_text_member(out, "code", error.code);
    append_text_member(out, "message", error.message);
    if (!error.path.empty()) append_text_member(out, "path", error.path);
    out += '}';
}

}  // namespace

int http_status(std::string_view code) {
    constexpr int kServerFault = 500;
    for (const HostErrorRow& row : kHostErrorRows)
        if (row.code == code && row.status != 0) return row.status;
    return kServerFault;
}

Refusal refuse(std::string_view code, std::string message, std::string path) {
    return {http_status(code), make_error(code, std::move(message), std::move(path))};
}

std::string refusal_json(const Refusal& refusal) {
    std::string out = "{\"ok\":false";
    append_number_member(out, "status", refusal.status);
    append_error(out, refusal.error);
    return out + '}';
}

std::string error_body(std::string_view code, std::string_view message) {
    std::string out = "{";
    append_error(out, make_error(code, std::string(message)));
    return out + '}';
}

Result<ProtocolLimits> read_protocol_limits(JsonValue object) {
    ProtocolLimits limits;
    for (const ProtocolLimitRow& row : kProtocolLimitRows) {
        const JsonValue value = object.find(row.name);
        if (!value) continue;
        const double number = value.is(JsonType::number) ? value.number() : 0;
        if (number < 1 || number > kLargestLimit || number != std::trunc(number))
            return make_error(definition_codes::kInvalidDefinition,
                              concat({"The limit '", row.name, "' is no integer from 1 to 1073741824."}),
                              concat({"limits.", row.name}));
        limits.*row.member = static_cast<std::uint32_t>(number);
    }
    return limits;
}

}  // namespace host_protocol
