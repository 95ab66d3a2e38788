#include "host_protocol/loop_guard.h"

#include "host_protocol/json_out.h"
#include "host_protocol/protocol_vocabulary.h"
#include "host_protocol/vocabulary.h"

namespace host_protocol {
namespace {

constexpr JsonLimits kAnyCall{std::size_t{1} << 30, bounds::kMaxJsonDepth};

Sha256Digest identity_of(std::string_view canonical_id, std::string_view input, JsonReader& reader) {
    // No id holds a line end, so the two parts cannot be taken for one another.
    std::string text = concat({canonical_id, "\n"});
    const Result<JsonValue> value = reader.read(input, kAnyCall);
    if (value)
        append_canonical_json(text, *value);
    else
        text += input;
    return sha256(text);
}

LoopVerdict stop(std::string_view canonical_id, std::string_view why) {
    return {host_codes::kRunLimitExceeded, concat({"The turn was stopped: '", canonical_id, "' ", why, "."}),
            std::string(canonical_id)};
}

}  // namespace

std::optional<LoopVerdict> LoopGuard::record(const SettledCall& call) {
    Record& record = records_[identity_of(call.canonical_id, call.input, reader_)];
    const bool repeated = record.final;
    if (call.ok) {
        run_ = 0;
    } else {
        ++run_;
        ++record.failures;
        if (call.retry == retry::kNo) record.final = true;
    }
    if (repeated) return stop(call.canonical_id, "was called again after a failure that must not be retried");
    if (call.ok) return std::nullopt;
    if (record.failures >= bounds::kMaxIdenticalFailures)
        return stop(call.canonical_id, "failed three times with the same input");
    if (run_ >= bounds::kMaxFailureRun) return stop(call.canonical_id, "is the fourth failure in a row");
    return std::nullopt;
}

Result<std::string> LoopGuard::record_text(std::string_view text) {
    JsonReader reader;
    const Result<JsonValue> call = reader.read(text, kAnyCall);
    if (!call || !call->is(JsonType::object))
        return make_error(definition_codes::kInvalidDefinition, "A settled call is a JSON object.", "record");
    const JsonValue input = call->find("input");
    const std::optional<LoopVerdict> verdict =
        record({text_or(call->find("canonicalId"), {}), input ? input.raw() : std::string_view("null"),
                is_true(call->find("ok")), text_or(call->find("result").find("error").find("retry"), {})});
    if (!verdict) return std::string("null");
    std::string out = "{";
    append_text_member(out, "code", verdict->code);
    append_text_member(out, "message", verdict->message);
    append_text_member(out, "canonicalId", verdict->canonical_id);
    return out + '}';
}

}  // namespace host_protocol
