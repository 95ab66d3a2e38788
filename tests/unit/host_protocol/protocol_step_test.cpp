// Decoding of step requests beyond the fixtures: bytes, types, versions, what comes out.
#include <random>

#include "host_protocol/history.h"
#include "protocol_support.h"

using namespace protocol;

namespace {

StepRequest accepted(std::string body, const ProtocolLimits& limits = {}) {
    Admitted<StepRequest> decoded = decode_step_request(std::move(body), limits);
    if (const Refusal* refusal = refusal_of(decoded)) FAIL(refusal->error.message);
    return std::get<StepRequest>(std::move(decoded));
}

std::string message_of(std::string body, const ProtocolLimits& limits = {}) {
    const Admitted<StepRequest> decoded = decode_step_request(std::move(body), limits);
    const Refusal* refusal = refusal_of(decoded);
    REQUIRE(refusal != nullptr);
    return refusal->error.message;
}

struct TypedPlace {
    std::string_view path;
    std::string_view types;  // letters of the JSON types that are right here
};

// n null, b boolean, i integer, f fraction, s string, a array, o object
constexpr TypedPlace kPlaces[] = {
    {"/protocolVersion", "i"},
    {"/conversationId", "s"},
    {"/turnId", "s"},
    {"/stepIndex", "i"},
    {"/pathname", "s"},
    {"/modelId", "s"},
    {"/messages", "a"},
    {"/messages/0", "o"},
    {"/messages/0/role", "s"},
    {"/messages/0/content", "sa"},
    {"/messages/0/content/0", "o"},
    {"/messages/0/content/0/type", "s"},
    {"/messages/0/content/0/text", "s"},
    {"/messages/1/content/2/toolCallId", "s"},
    {"/messages/1/content/2/toolName", "s"},
    {"/messages/1/content/2/input", "nbifsao"},
    {"/messages/2/content/0/output", "o"},
    {"/messages/2/content/0/output/type", "s"},
    {"/messages/2/content/0/output/value", "nbifsao"},
    {"/catalog", "o"},
    {"/catalog/mode", "s"},
    {"/catalog/scope", "a"},
    {"/catalog/scope/0", "s"},
    {"/catalog/frontendTools", "a"},
    {"/catalog/frontendTools/0", "o"},
    {"/catalog/frontendTools/0/wireName", "s"},
    {"/catalog/frontendTools/0/canonicalId", "s"},
    {"/catalog/frontendTools/0/plane", "s"},
    {"/catalog/frontendTools/0/description", "s"},
    {"/catalog/frontendTools/0/inputSchema", "o"},
    {"/catalog/frontendTools/0/effect", "s"},
    {"/catalog/frontendTools/0/confirmation", "s"},
    {"/catalog/frontendTools/0/available", "b"},
    {"/catalog/frontendTools/0/unavailableReason", "s"},
    {"/catalog/frontendState", "a"},
    {"/catalog/frontendState/0", "o"},
    {"/catalog/frontendState/0/wireName", "s"},
    {"/catalog/frontendState/0/available", "b"},
    {"/catalog/frontendState/0/unavailableReason", "s"},
    {"/catalog/frontendState/0/note", "s"},
    {"/catalog/truncated", "o"},
    {"/catalog/truncated/dropped", "i"},
    {"/catalog/truncated/reason", "s"},
};

constexpr std::pair<char, std::string_view> kValues[] = {
    {'n', "null"}, {'b', "true"}, {'i', "1"}, {'f', "1.5"}, {'s', "\"x\""}, {'a', "[]"}, {'o', "{}"},
};

}  // namespace

TEST_CASE("A value of a wrong type in any field is a decode error that names the field", "[protocol]") {
    const std::string_view base = fixture("step_full");
    for (const TypedPlace& place : kPlaces) {
        for (const auto& [type, value] : kValues) {
            INFO(place.path << " = " << value);
            const std::string found = verdict(replaced(base, place.path, value));
            if (place.types.find(type) == std::string_view::npos) {
                CHECK(found == decode_error(place.path));
            } else if (type == 'b' || place.types.size() > 2) {
                CHECK(found == "ok");
            }
        }
    }
}

TEST_CASE("A body over the byte limit is 413, whatever it holds; at the limit it is read", "[protocol]") {
    const std::string body = step_with(kHello);
    ProtocolLimits limits;
    limits.max_body_bytes = static_cast<std::uint32_t>(body.size());
    CHECK(verdict(body, limits) == "ok");
    CHECK(verdict(body + " ", limits) == "413 PROTOCOL_DECODE_ERROR");
    CHECK(verdict(std::string(body.size() + 1, '\xFF'), limits) == "413 PROTOCOL_DECODE_ERROR");
    CHECK(ProtocolLimits{}.max_body_bytes == 8u * 1024 * 1024);
    const std::string padding(ProtocolLimits{}.max_body_bytes - body.size(), ' ');
    CHECK(verdict(body + padding) == "ok");
    CHECK(verdict(body + padding + " ") == "413 PROTOCOL_DECODE_ERROR");
}

TEST_CASE("Text that is not UTF-8 and nesting without end are decode errors", "[protocol]") {
    for (const std::string_view bytes : {"\xFF", "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\xAF"})
        CHECK(verdict(step_with("[{\"role\":\"user\",\"content\":\"" + std::string(bytes) + "\"}]")) ==
              "400 PROTOCOL_DECODE_ERROR");
    CHECK(message_of("\xFF\xFE").find("UTF-8") != std::string::npos);
    const auto nested = [](std::size_t levels) {
        return step_with(R"([{"role":"user","content":[{"type":"image","x":)" + std::string(levels, '[') +
                         std::string(levels, ']') + "}]}]");
    };
    // body, messages, message, content, part: five of the 128 levels are the protocol's own.
    CHECK(verdict(nested(123)) == "ok");
    CHECK(verdict(nested(124)) == "400 PROTOCOL_DECODE_ERROR");
    CHECK(verdict(std::string(1'000'000, '[')) == "400 PROTOCOL_DECODE_ERROR");
}

TEST_CASE("A version that is not served is told before anything else of the body", "[protocol]") {
    for (const std::string_view version : {"0", "3", "-1", "1e9", "200"})
        CHECK(verdict("{\"protocolVersion\":" + std::string(version) + "}") ==
              "409 PROTOCOL_VERSION_MISMATCH /protocolVersion");
    for (const std::string_view version : {"1.5", "\"2\"", "null", "[2]", "true"})
        CHECK(verdict("{\"protocolVersion\":" + std::string(version) + "}") == decode_error("/protocolVersion"));
    CHECK(verdict("{}") == decode_error("/protocolVersion"));
}

TEST_CASE("Too many tools or messages name plane, count and limit", "[protocol]") {
    const std::string tools = repeated(tool_json("view_a__b", "view:a.b", "view"), 129, ",");
    const std::string tools_message = message_of(step_with(kHello, "\"frontendTools\":[" + tools + "]"));
    CHECK(tools_message == "Found 129 frontend tools; at most 128 are allowed.");
    const std::string messages = "[" + repeated(R"({"role":"user","content":"x"})", 401, ",") + "]";
    CHECK(message_of(step_with(messages)) == "Found 401 messages; at most 400 are allowed.");
    ProtocolLimits limits;
    limits.max_messages = 2;
    limits.max_frontend_tools = 0;
    CHECK(verdict(step_with("[" + repeated(R"({"role":"user","content":"x"})", 3, ",") + "]"), limits) ==
          "413 CATALOG_TOO_LARGE /messages");
    CHECK(verdict(step_with(kHello, "\"frontendTools\":[" + tool_json("view_a__b", "view:a.b", "view") + "]"),
                  limits) == "413 CATALOG_TOO_LARGE /catalog/frontendTools");
}

TEST_CASE("A system message is refused with the reason that the prompt is the server's", "[protocol]") {
    CHECK(message_of(step_with(R"([{"role":"system","content":"x"}])")) ==
          "Found the role 'system' at '/messages/0/role'; allowed is 'user', 'assistant' or 'tool': the system prompt "
          "is the server's.");
}

TEST_CASE("A refusal never repeats a value of the request", "[protocol]") {
    const std::string_view base = fixture("step_full");
    for (const TypedPlace& place : kPlaces) {
        for (const std::string_view secret : {"\"hunter2-hunter2\"", "[\"hunter2\"]", "{\"a\":\"hunter2\"}"}) {
            const Admitted<StepRequest> decoded = decode_step_request(replaced(base, place.path, secret));
            if (const Refusal* refusal = refusal_of(decoded))
                CHECK(refusal->error.message.find("hunter2") == std::string::npos);
        }
    }
}

TEST_CASE("Version 1 becomes an unscoped direct catalog whose availability is in the state list", "[protocol]") {
    const StepRequest step = accepted(std::string(fixture("step_v1")));
    CHECK(step.protocol_version == 1);
    CHECK(step.pathname == "/");
    CHECK(step.catalog_mode == "direct");
    CHECK_FALSE(step.requested_scope);
    CHECK_FALSE(step.truncated);
    REQUIRE(step.tools.size() == 2);
    REQUIRE(step.state.size() == 1);
    CHECK(step.state[0].wire_name == "view_invoices__setFilters");
    CHECK_FALSE(step.state[0].available);
    CHECK(step.state[0].unavailable_reason == "Open the table first");
}

TEST_CASE("The decoded step holds every field, survives a move, and its text reads back the same", "[protocol]") {
    StepRequest first = accepted(std::string(fixture("step_full")));
    const StepRequest step = std::move(first);
    CHECK(step.step_index == 3);
    CHECK(step.model_id == "large");
    CHECK(step.messages.size() == 4);
    CHECK(step.requested_scope->at(0) == "invoices");
    CHECK(step.tools[0].canonical_id == "view:invoices.setFilters");
    CHECK(step.tools[0].effect == "local-state");
    CHECK(step.state[0].note == "Shows invoice 4711");
    CHECK(step.truncated->dropped == 2);
    CHECK(step.truncated->reason == "budget");
    const std::string text = step_json(step);
    const auto again = read_step(text);
    REQUIRE(again);
    CHECK(step_json(*again) == text);
    const JsonDocument document = reading::document(text);
    CHECK(document.root().find("catalogMode").string() == "direct");
    CHECK(document.root().find("requestedScope").size() == 1);
    CHECK(document.root().find("frontendTools").size() == 1);
}

TEST_CASE("Messages keep members and parts that the protocol does not know, tools lose theirs", "[protocol]") {
    const StepRequest parts = accepted(std::string(fixture("step_unknown_parts")));
    CHECK(step_json(parts).find("data:") != std::string::npos);
    CHECK(step_json(parts).find("\"id\": \"m1\"") != std::string::npos);
    const StepRequest fields = accepted(std::string(fixture("step_unknown_fields")));
    CHECK(step_json(fields).find("colour") == std::string::npos);
}

TEST_CASE("The answer as text is the step, or status, code, message and path", "[protocol]") {
    const std::string good = decode_step_request_text(step_with(kHello));
    CHECK(reading::document(good).root().find("step").find("conversationId").string() == "c");
    const JsonDocument bad = reading::document(decode_step_request_text("{}"));
    CHECK_FALSE(bad.root().find("ok").boolean());
    CHECK(bad.root().find("status").number() == 400);
    CHECK(bad.root().find("error").find("path").string() == "/protocolVersion");
    const JsonDocument body = reading::document(error_body(host_codes::kModelNotConfigured, "No model."));
    CHECK(body.root().find("error").find("code").string() == "MODEL_NOT_CONFIGURED");
    CHECK(http_status(host_codes::kModelNotConfigured) == 503);
    CHECK(http_status(host_codes::kModelError) == 500);
}

TEST_CASE("Limits are read by name, and what is no limit is an error of whoever set it", "[protocol]") {
    const JsonDocument set = reading::document(R"({"maxMessages":7,"colour":1})");
    CHECK(read_protocol_limits(set.root())->max_messages == 7);
    CHECK(read_protocol_limits(JsonValue())->max_total_tools == 192);
    for (const std::string_view value : {"0", "-1", "1.5", "\"7\"", "null", "1e10"}) {
        const JsonDocument wrong = reading::document("{\"maxFrameBytes\":" + std::string(value) + "}");
        const auto read = read_protocol_limits(wrong.root());
        REQUIRE_FALSE(read);
        CHECK(read.error().path == "limits.maxFrameBytes");
    }
}

TEST_CASE("Ten thousand damaged requests are answered, and none that is accepted breaks a rule", "[protocol]") {
    std::mt19937 random(20'260'501);
    const auto below = [&random](std::size_t limit) { return random() % limit; };
    constexpr std::string_view kBytes = "{}[]\",:\\u0019eE+-. \n\tabtn\x80\xC3\xED\xF0\x9F\xFF";
    std::size_t taken = 0;
    for (int round = 0; round < 10'000; ++round) {
        const auto& one = protocol_fixtures::kValid[below(protocol_fixtures::kValid.size())];
        std::string text(one.text);
        for (std::size_t i = 0, count = 1 + below(2); i < count; ++i) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
                case 0: text.erase(at, 1 + below(30)); break;
                case 1: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
                case 2: text[at] = kBytes[below(kBytes.size())]; break;
                default: text.insert(at, text.substr(below(text.size()), below(60))); break;
            }
        }
        const Admitted<StepRequest> decoded = decode_step_request(text);
        if (refusal_of(decoded) != nullptr) continue;
        ++taken;
        const auto again = read_step(step_json(std::get<StepRequest>(decoded)));
        REQUIRE(again);
        REQUIRE(again->conversation_id.size() <= 3 * 64);
        REQUIRE(examine_history(again->messages).none());
        REQUIRE(again->messages.size() >= 1);
    }
    CHECK(taken > 500);
}
