#include "invocation/result_text.h"

#include "host_protocol/text.h"
#include "json_out.h"

namespace viewcap {
namespace {

constexpr std::size_t kMaxMessageUnits = 300;

std::string open(std::string_view status, const ResultHead& head) {
    std::string out;
    out.reserve(192);
    out += "{\"status\":\"";
    out += status;
    out += '"';
    append_text_member(out, "invocationId", head.invocation_id);
    append_text_member(out, "capabilityId", head.capability_id);
    return out;
}

void close(std::string& out, const ResultHead& head) {
    out += ",\"surfaceVersion\":\"";
    out += std::to_string(head.version);
    out += head.changed ? "\",\"surfaceChanged\":true}" : "\"}";
}

}  // namespace

std::string ok_result(const ResultHead& head, std::string_view output) {
    std::string out = open("ok", head);
    if (!output.empty()) append_json_member(out, "output", output);
    close(out, head);
    return out;
}

std::string error_result(const ResultHead& head, const Failure& failure) {
    std::string out = open("error", head);
    out += ",\"error\":{";
    append_text_member(out, "code", failure.code);
    append_text_member(out, "message", host_protocol::clip_utf16(failure.message, kMaxMessageUnits));
    append_text_member(out, "retry", failure.retry);
    if (!failure.details.empty()) append_json_member(out, "details", failure.details);
    out += '}';
    close(out, head);
    return out;
}

}  // namespace viewcap
