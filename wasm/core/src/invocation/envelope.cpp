#include "invocation/envelope.h"

#include <cmath>
#include <limits>

#include "host_protocol/canonical_json.h"
#include "host_protocol/text.h"
#include "json_out.h"

namespace viewcap {
namespace {

using host_protocol::JsonLimits;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

constexpr std::size_t kMaxFieldUnits = 128;
/// A request up to this size is kept as it came; of a longer one the SHA-256 of its canonical form.
constexpr std::size_t kMaxPlainRequest = 256;
constexpr double kMaxTimeoutMs = 2147483647;  // what setTimeout can hold

/// Envelope fields nest less than this beside the input.
constexpr std::uint32_t kEnvelopeDepth = 2;
constexpr std::size_t kAnySize = std::numeric_limits<std::uint32_t>::max() / 4;
constexpr std::uint32_t kAnyDepth = std::numeric_limits<std::uint32_t>::max();

/// Depth is checked while reading; a second reading without that bound recovers the envelope around an input too deep.
Result<JsonValue> read_bounded(host_protocol::JsonReader& reader, std::string_view text, std::uint32_t max_input_depth,
                               bool& too_deep) {
    Result<JsonValue> root = reader.read(text, JsonLimits{kAnySize, max_input_depth + kEnvelopeDepth - 1});
    if (root || root.error().code != host_protocol::json_fault::kTooDeep) return root;
    too_deep = true;
    return reader.read(text, JsonLimits{kAnySize, kAnyDepth});
}

/// The canonical form of a request text; "" for a text that is none.
std::string canonical_text(std::string_view request) {
    host_protocol::JsonReader reader;
    const auto root = reader.read(request, JsonLimits{kAnySize, kAnyDepth});
    return root ? host_protocol::canonical_json(*root) : std::string();
}

std::string digest_of(std::string_view request) { return host_protocol::sha256_hex(canonical_text(request)); }

/// A text of the envelope; "" with an issue when it is none or too long.
std::string_view checked(std::string_view name, JsonValue value, Envelope& envelope) {
    // Every UTF-16 unit has at least one byte: most texts need no counting.
    if (value.is(JsonType::string) &&
        (value.string().size() <= kMaxFieldUnits || host_protocol::utf16_length(value.string()) <= kMaxFieldUnits))
        return value.string();
    envelope.issues.push_back({"/" + std::string(name), "must be a string of at most 128 characters"});
    return {};
}

void read_consumer(JsonValue consumer, Envelope& envelope) {
    std::string_view kind = "embedded";
    envelope.consumer_id = "anonymous";
    if (consumer) {
        if (const JsonValue found = consumer.find("kind"); found.is(JsonType::string)) kind = found.string();
        if (const JsonValue found = consumer.find("id"); found.is(JsonType::string))
            envelope.consumer_id = found.string();
        if (host_protocol::utf16_length(envelope.consumer_id) > kMaxFieldUnits)
            envelope.issues.push_back({"/consumer/id", "must be a string of at most 128 characters"});
        bool known = false;
        for (std::string_view one : {"embedded", "webmcp", "mcp-bridge", "test", "other"}) known = known || kind == one;
        if (!known)
            envelope.issues.push_back({"/consumer/kind", "must be one of embedded, webmcp, mcp-bridge, test, other"});
    }
    envelope.consumer_key.reserve(kind.size() + envelope.consumer_id.size() + 1);
    envelope.consumer_key = kind;
    envelope.consumer_key += ':';
    envelope.consumer_key += envelope.consumer_id;
}

void read_problem(JsonValue problem, Envelope& envelope) {
    envelope.input_problem = {std::string(text_or(problem.find("path"), "")),
                              std::string(text_or(problem.find("message"), "is not a JSON value"))};
}

void read_timeout(JsonValue timeout, Envelope& envelope) {
    const double ms = timeout.is(JsonType::number) ? timeout.number() : 0;
    if (ms >= 1 && ms <= kMaxTimeoutMs && std::floor(ms) == ms)
        envelope.timeout_ms = static_cast<std::uint32_t>(ms);
    else
        envelope.issues.push_back({"/timeoutMs", "must be a whole number of milliseconds, at least 1"});
}

void read_lists(std::string_view key, JsonValue list, Envelope& envelope) {
    if (!list.is(JsonType::array)) return;
    for (JsonValue element : list.elements()) {
        if (key == "malformed" && element.is(JsonType::string))
            envelope.issues.push_back(
                {"/" + std::string(element.string()), "must be a well-formed string of at most 128 characters"});
        if (key == "running" && element.is(JsonType::number)) envelope.running.push_back(handle_of(element.number()));
    }
}

void check_size(bool too_deep, const host_protocol::Limits& limits, Envelope& envelope) {
    if (envelope.input_problem) return;
    if (too_deep) {
        envelope.input_problem = {"", "is nested deeper than " + std::to_string(limits.max_input_depth) + " levels"};
    } else if (envelope.input && envelope.input.raw().size() > limits.max_input_bytes) {
        envelope.input_problem = {"", "has " + std::to_string(envelope.input.raw().size()) + " bytes, allowed are " +
                                          std::to_string(limits.max_input_bytes)};
    }
}

/// The ids of a request: where each goes, and its place among the raw ones.
struct IdField {
    std::string_view key;
    std::string_view Envelope::*text;
    int raw;  // -1: no part of the request's identity
};
constexpr IdField kIdFields[] = {
    {"invocationId", &Envelope::invocation_id, -1},    {"registrationId", &Envelope::registration_id, 1},
    {"instanceId", &Envelope::instance_id, 2},         {"surfaceVersion", &Envelope::surface_version, 3},
    {"confirmationId", &Envelope::confirmation_id, 4},
};

void read_id(const host_protocol::JsonMember& member, Envelope& envelope) {
    for (const IdField& field : kIdFields) {
        if (field.key != member.key) continue;
        envelope.*field.text = checked(member.key, member.value, envelope);
        if (field.raw >= 0) envelope.raw_ids[static_cast<std::size_t>(field.raw)] = member.value.raw();
    }
}

/// One pass: a call is read in the order in which it was written.
void read_member(const host_protocol::JsonMember& member, std::string_view& fresh_id, JsonValue& consumer,
                 Envelope& envelope) {
    const auto& [key, value] = member;
    if (key == "capabilityId") {
        envelope.raw_ids[0] = value.raw();
        if (value.is(JsonType::string)) envelope.capability_id = value.string();
    } else if (key == "freshId") {
        if (value.is(JsonType::string)) fresh_id = value.string();
    } else if (key == "input") {
        envelope.input = value;
    } else if (key == "consumer") {
        consumer = value;
    } else if (key == "inputProblem") {
        read_problem(value, envelope);
    } else if (key == "timeoutMs") {
        read_timeout(value, envelope);
    } else if (key == "malformed" || key == "running") {
        read_lists(key, value, envelope);
    } else {
        read_id(member, envelope);
    }
}

}  // namespace

Envelope read_envelope(host_protocol::JsonReader& reader, std::string_view text, const host_protocol::Limits& limits) {
    Envelope envelope;
    bool too_deep = false;
    const Result<JsonValue> read = read_bounded(reader, text, limits.max_input_depth, too_deep);
    if (!read || !read->is(JsonType::object)) {
        envelope.issues.push_back({"", "the call is not readable as JSON"});
        return envelope;
    }
    std::string_view fresh_id;
    JsonValue consumer;
    for (const host_protocol::JsonMember member : read->members()) read_member(member, fresh_id, consumer, envelope);
    if (envelope.invocation_id.empty()) envelope.invocation_id = fresh_id;
    read_consumer(consumer, envelope);
    check_size(too_deep, limits, envelope);
    return envelope;
}

std::string request_text(const Envelope& envelope) {
    std::string text;
    std::size_t size = 16 + (envelope.input ? envelope.input.raw().size() : 0);
    for (std::string_view raw : envelope.raw_ids) size += raw.size() + 4;
    text.reserve(size);
    text += '[';
    for (std::string_view raw : envelope.raw_ids) {
        text += raw.empty() ? std::string_view("null") : raw;
        text += ',';
    }
    text += envelope.input ? envelope.input.raw() : std::string_view("[null]");
    text += envelope.input ? ",1]" : ",0]";
    return text.size() <= kMaxPlainRequest ? text : digest_of(text);
}

bool same_request(std::string_view one, std::string_view other) {
    if (one == other) return true;
    const bool one_is_text = one.front() == '[';
    const bool other_is_text = other.front() == '[';
    if (one_is_text && other_is_text) return canonical_text(one) == canonical_text(other);
    // Written at different lengths they may still be equal: one was kept as it came, the other as its digest.
    if (one_is_text) return digest_of(one) == other;
    return other_is_text && digest_of(other) == one;
}

}  // namespace viewcap
