#include "invocation/envelope.h"

#include <cmath>
#include <limits>

#include "host_protocol/canonical_json.h"
#include "host_protocol/text.h"

namespace viewcap {
namespace {

using host_protocol::JsonLimits;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

constexpr std::size_t kMaxFieldUnits = 128;
/// A fingerprint up to this size is kept as it is; a longer one as its SHA-256.
constexpr std::size_t kMaxPlainFingerprint = 256;
constexpr double kMaxTimeoutMs = 2147483647;  // what setTimeout can hold

/// Envelope fields nest less than this beside the input.
constexpr std::uint32_t kEnvelopeDepth = 2;
constexpr std::size_t kAnySize = std::numeric_limits<std::uint32_t>::max() / 4;
constexpr std::uint32_t kAnyDepth = std::numeric_limits<std::uint32_t>::max();

/// Depth is checked while reading; a second reading without that bound recovers the envelope around an input too deep.
Result<JsonValue> read_bounded(host_protocol::JsonReader& reader, std::string_view text, std::uint32_t max_input_depth, bool& too_deep) {
    Result<JsonValue> root = reader.read(text, JsonLimits{kAnySize, max_input_depth + kEnvelopeDepth - 1});
    if (root || root.error().code != host_protocol::json_fault::kTooDeep) return root;
    too_deep = true;
    return reader.read(text, JsonLimits{kAnySize, kAnyDepth});
}

std::string_view field(JsonValue root, std::string_view name, Envelope& envelope) {
    const JsonValue value = root.find(name);
    if (!value) return {};
    if (!value.is(JsonType::string) || host_protocol::utf16_length(value.string()) > kMaxFieldUnits) {
        envelope.issues.push_back({"/" + std::string(name), "must be a string of at most 128 characters"});
        return {};
    }
    return value.string();
}

void read_consumer(JsonValue consumer, Envelope& envelope) {
    std::string_view kind = "embedded";
    envelope.consumer_id = "anonymous";
    if (consumer) {
        if (const JsonValue found = consumer.find("kind"); found.is(JsonType::string)) kind = found.string();
        if (const JsonValue found = consumer.find("id"); found.is(JsonType::string)) envelope.consumer_id = found.string();
        if (host_protocol::utf16_length(envelope.consumer_id) > kMaxFieldUnits)
            envelope.issues.push_back({"/consumer/id", "must be a string of at most 128 characters"});
        bool known = false;
        for (std::string_view one : {"embedded", "webmcp", "mcp-bridge", "test", "other"}) known = known || kind == one;
        if (!known) envelope.issues.push_back({"/consumer/kind", "must be one of embedded, webmcp, mcp-bridge, test, other"});
    }
    envelope.consumer_key.reserve(kind.size() + envelope.consumer_id.size() + 1);
    envelope.consumer_key = kind;
    envelope.consumer_key += ':';
    envelope.consumer_key += envelope.consumer_id;
}

void read_input(JsonValue root, bool too_deep, const host_protocol::Limits& limits, Envelope& envelope) {
    envelope.input = root.find("input");
    if (const JsonValue problem = root.find("inputProblem")) {
        const JsonValue path = problem.find("path");
        const JsonValue message = problem.find("message");
        envelope.input_problem = {std::string(path.is(JsonType::string) ? path.string() : std::string_view()),
                                  std::string(message.is(JsonType::string) ? message.string() : "is not a JSON value")};
        return;
    }
    if (too_deep) {
        envelope.input_problem = {"", "is nested deeper than " + std::to_string(limits.max_input_depth) + " levels"};
    } else if (envelope.input && envelope.input.raw().size() > limits.max_input_bytes) {
        envelope.input_problem = {"", "has " + std::to_string(envelope.input.raw().size()) + " bytes, allowed are " +
                                          std::to_string(limits.max_input_bytes)};
    }
}

void read_rest(JsonValue root, Envelope& envelope) {
    if (const JsonValue timeout = root.find("timeoutMs")) {
        const double ms = timeout.is(JsonType::number) ? timeout.number() : 0;
        if (ms >= 1 && ms <= kMaxTimeoutMs && std::floor(ms) == ms)
            envelope.timeout_ms = static_cast<std::uint32_t>(ms);
        else
            envelope.issues.push_back({"/timeoutMs", "must be a whole number of milliseconds, at least 1"});
    }
    if (const JsonValue malformed = root.find("malformed"); malformed.is(JsonType::array))
        for (JsonValue name : malformed.elements())
            if (name.is(JsonType::string))
                envelope.issues.push_back({"/" + std::string(name.string()), "must be a well-formed string of at most 128 characters"});
    if (const JsonValue running = root.find("running"); running.is(JsonType::array))
        for (JsonValue handle : running.elements())
            if (handle.is(JsonType::number)) envelope.running.push_back(static_cast<InvocationHandle>(handle.number()));
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
    const JsonValue root = *read;
    if (const JsonValue id = root.find("capabilityId"); id.is(JsonType::string)) envelope.capability_id = id.string();
    envelope.invocation_id = field(root, "invocationId", envelope);
    if (envelope.invocation_id.empty())
        if (const JsonValue fresh = root.find("freshId"); fresh.is(JsonType::string)) envelope.invocation_id = fresh.string();
    envelope.instance_id = field(root, "instanceId", envelope);
    envelope.registration_id = field(root, "registrationId", envelope);
    envelope.surface_version = field(root, "surfaceVersion", envelope);
    envelope.confirmation_id = field(root, "confirmationId", envelope);
    read_consumer(root.find("consumer"), envelope);
    read_input(root, too_deep, limits, envelope);
    read_rest(root, envelope);
    return envelope;
}

std::string fingerprint(const Envelope& envelope) {
    std::string text;
    text.reserve(128);
    // Each id field is of an alphabet or length that the next separator cannot occur in unescaped: canonical strings.
    for (std::string_view part : {envelope.capability_id, envelope.registration_id, envelope.instance_id, envelope.surface_version,
                                  envelope.confirmation_id})
        host_protocol::append_json_string(text, part);
    if (envelope.input) host_protocol::append_canonical_json(text, envelope.input);
    if (text.size() <= kMaxPlainFingerprint) return text;
    const host_protocol::Sha256Digest digest = host_protocol::sha256(text);
    return std::string(reinterpret_cast<const char*>(digest.data()), digest.size());
}

}  // namespace viewcap
