// The step encoder: what it writes, the decoder takes; what it refuses, the decoder would refuse too.
#include <random>

#include "host_protocol/step_encoder.h"
#include "protocol_support.h"

using namespace protocol;

namespace {

StepHead head(std::uint32_t step = 0) {
    StepHead made;
    made.conversation_id = "conversation";
    made.turn_id = "turn";
    made.step_index = step;
    made.pathname = "/invoices";
    return made;
}

std::string user(std::string_view text) { return R"({"role":"user","content":)" + quoted(text) + "}"; }
std::string listed(std::string_view messages) { return "[" + std::string(messages) + "]"; }
const std::string kCall =
    R"({"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"n","input":{}}]})";
const std::string kResult =
    R"({"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"n","output":{"type":"json","value":1}}]})";

StepRequest sent(StepEncoder& encoder, const StepHead& with = head()) {
    const auto step = encoder.encode(with);
    if (!step) FAIL(step.error().message);
    Admitted<StepRequest> decoded = decode_step_request(std::string(step->body));
    if (const Refusal* refusal = refusal_of(decoded)) FAIL(refusal->error.message);
    return std::get<StepRequest>(std::move(decoded));
}

std::string tools(std::size_t count) {
    std::string out = "[";
    for (std::size_t i = 0; i < count; ++i)
        out += (i > 0 ? "," : "") + tool_json("view_t__a" + std::to_string(i), "view:t.a" + std::to_string(i), "view");
    return out + "]";
}

}  // namespace

TEST_CASE("A step holds what was appended so far, the tools, the state and the head", "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one"))));
    REQUIRE(encoder.set_tools(tools(2)));
    REQUIRE(encoder.set_state(R"([{"wireName":"view_t__a0","available":false,"unavailableReason":"r","note":"n"}])"));
    CHECK(sent(encoder).messages.raw() == listed(user("one")));
    REQUIRE(encoder.append(listed(kCall + "," + kResult)));
    StepHead second = head(1);
    second.mode = "meta";
    second.model_id = "large\"";
    second.scope = {{"invoices", "a\nb"}};
    const StepRequest step = sent(encoder, second);
    CHECK(step.messages.raw() == listed(user("one") + "," + kCall + "," + kResult));
    CHECK(encoder.count() == 3);
    CHECK(step.step_index == 1);
    CHECK(step.catalog_mode == "meta");
    CHECK(step.model_id == "large\"");
    CHECK(step.requested_scope == std::vector<std::string_view>{"invoices", "a\nb"});
    CHECK(step.tools.size() == 2);
    CHECK(step.state.at(0).note == "n");
    CHECK_FALSE(step.truncated);
}

TEST_CASE("The same state gives the same bytes, and a reset forgets everything", "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one"))));
    const std::string first(encoder.encode(head())->body);
    CHECK(encoder.encode(head())->body == first);
    REQUIRE(encoder.append("[]"));
    CHECK(encoder.encode(head())->body == first);
    encoder.reset();
    CHECK(encoder.count() == 0);
    CHECK(encoder.encode(head()).error().path == "/messages");
    REQUIRE(encoder.append(listed(user("one"))));
    CHECK(encoder.encode(head())->body == first);
}

TEST_CASE("A message that no request may hold is refused when it is appended, and nothing of its list is kept",
          "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one"))));
    for (const std::string& bad :
         {std::string("{}"), std::string("["), listed(user("two") + R"(,{"role":"system","content":"x"})"),
          listed(kResult), listed(user("two") + "," + kCall + "," + kResult + "," + kResult),
          listed(kResult + "," + kCall)}) {
        INFO(bad);
        CHECK_FALSE(encoder.append(bad));
        CHECK(encoder.count() == 1);
        CHECK(sent(encoder).messages.size() == 1);
    }
    CHECK(encoder.append(listed(user("two") + R"(,{"role":"system","content":"x"})")).error().path ==
          "/messages/2/role");
    CHECK(encoder.append(listed(user("two") + "," + kResult)).error().path == "/messages/2/content/0");
}

TEST_CASE("What is too deep for a body is refused when it is given, what just fits is sent", "[encoder]") {
    const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
    const auto message = [&nested](std::size_t levels) {
        return R"([{"role":"user","content":[{"type":"image","x":)" + nested(levels) + "}]}]";
    };
    const auto tool = [&nested](std::size_t levels) {
        std::string text = listed(tool_json("view_t__a", "view:t.a", "view"));
        return text.replace(text.find(R"({"type":"object"})"), 17, R"({"x":)" + nested(levels) + "}");
    };
    StepEncoder encoder;
    CHECK_FALSE(encoder.append(message(124)));
    REQUIRE(encoder.append(message(123)));
    CHECK_FALSE(encoder.set_tools(tool(124)));
    REQUIRE(encoder.set_tools(tool(123)));
    CHECK(sent(encoder).tools.size() == 1);
}

TEST_CASE("An open call is not sent; its result may come with a later append", "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one") + "," + kCall)));
    CHECK(encoder.encode(head()).error().path == "/messages");
    REQUIRE(encoder.append(listed(kResult)));
    CHECK(sent(encoder).messages.size() == 3);
}

TEST_CASE("Fields out of their bounds are refused by name", "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one"))));
    const auto path_of = [&encoder](const StepHead& with) {
        const auto step = encoder.encode(with);
        return step ? std::string("ok") : step.error().path;
    };
    const std::string long_text(513, 'x');
    StepHead bad = head();
    bad.conversation_id = "";
    CHECK(path_of(bad) == "/conversationId");
    bad = head();
    bad.turn_id = std::string_view(long_text).substr(0, 65);
    CHECK(path_of(bad) == "/turnId");
    bad = head(65);
    CHECK(path_of(bad) == "/stepIndex");
    bad = head();
    bad.pathname = long_text;
    CHECK(path_of(bad) == "/pathname");
    bad = head();
    bad.mode = "auto";
    CHECK(path_of(bad) == "/catalog/mode");
    bad = head();
    bad.model_id = std::string_view(long_text).substr(0, 129);
    CHECK(path_of(bad) == "/modelId");
    bad = head();
    bad.scope = std::vector<std::string_view>(33, "a");
    CHECK(path_of(bad) == "/catalog/scope");
    bad.scope = {{"a", std::string_view(long_text).substr(0, 65)}};
    CHECK(path_of(bad) == "/catalog/scope/1");
    CHECK(encoder.set_tools("{}").error().path == "/catalog/frontendTools");
    CHECK(encoder.set_tools("[{}]").error().path == "/catalog/frontendTools/0/wireName");
    CHECK(encoder.set_state("[{}]").error().path == "/catalog/frontendState/0/wireName");
    CHECK(path_of(head()) == "ok");
}

TEST_CASE("Of more than 128 tools the first by priority, id and instance stay, in their order, and it is said",
          "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one"))));
    REQUIRE(encoder.set_tools(tools(128)));
    CHECK(sent(encoder).tools.size() == 128);
    CHECK_FALSE(sent(encoder).truncated);
    std::vector<ToolRank> ranks(131);
    for (std::size_t i = 0; i < 131; ++i) ranks[i].priority = i == 130 ? 5 : i < 2 ? -1 : 0;
    REQUIRE(encoder.set_tools(tools(131), ranks));
    REQUIRE(encoder.set_state(
        R"([{"wireName":"view_t__a0","available":false},{"wireName":"view_t__a130","available":false}])"));
    const StepRequest step = sent(encoder);
    CHECK(step.tools.size() == 128);
    // a0 and a1 have the lowest priority; of the equal ones 'a99' is the last by its id.
    CHECK(step.tools.front().wire_name == "view_t__a2");
    CHECK(step.tools.back().wire_name == "view_t__a130");
    for (const StepTool& tool : step.tools) CHECK(tool.wire_name != "view_t__a99");
    CHECK(step.truncated->dropped == 3);
    CHECK(step.truncated->reason == "limit");
    REQUIRE(step.state.size() == 1);
    CHECK(step.state[0].wire_name == "view_t__a130");
    CHECK(encoder.encode(head())->dropped_tools == 3);
}

TEST_CASE("Instances of one capability are told apart by their instance when they are cut", "[encoder]") {
    ProtocolLimits limits;
    limits.max_frontend_tools = 1;
    StepEncoder encoder(limits);
    REQUIRE(encoder.append(listed(user("one"))));
    const std::vector<ToolRank> ranks{{0, "y"}, {0, "x"}};
    REQUIRE(encoder.set_tools("[" + tool_json("view_t__a_at_y", "view:t.a", "view") + "," +
                                  tool_json("view_t__a_at_x", "view:t.a", "view") + "]",
                              ranks));
    CHECK(sent(encoder).tools.at(0).wire_name == "view_t__a_at_x");
}

TEST_CASE("What the projection withheld is told as undecodable", "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one"))));
    REQUIRE(encoder.set_tools("[]", {}, 2));
    CHECK(sent(encoder).truncated->dropped == 2);
    CHECK(sent(encoder).truncated->reason == "undecodable");
}

TEST_CASE("A history over the limits loses its oldest whole turns, and never half of one", "[encoder]") {
    ProtocolLimits limits;
    limits.max_messages = 5;
    StepEncoder encoder(limits);
    const std::string turn = "," + kCall + "," + kResult;
    REQUIRE(encoder.append(listed(user("one") + turn)));
    CHECK(encoder.encode(head())->trimmed_messages == 0);
    REQUIRE(encoder.append(listed(user("two") + turn)));
    auto step = encoder.encode(head());
    REQUIRE(step);
    CHECK(step->trimmed_messages == 3);
    CHECK(sent(encoder).messages.raw() == listed(user("two") + turn));
    REQUIRE(encoder.append(listed(user("three"))));
    CHECK(sent(encoder).messages.size() == 4);
    REQUIRE(encoder.append(listed(user("four") + "," + user("five"))));
    CHECK(sent(encoder).messages.raw() == listed(user("three") + "," + user("four") + "," + user("five")));
    CHECK(encoder.count() == 9);
}

TEST_CASE("What is trimmed gives its memory back", "[encoder]") {
    ProtocolLimits limits;
    limits.max_messages = 2;
    StepEncoder encoder(limits);
    const char* lowest = nullptr;
    const char* highest = nullptr;
    for (int i = 0; i < 400; ++i) {
        REQUIRE(encoder.append(listed(user(std::string(1000, static_cast<char>('a' + i % 26))))));
        const auto step = encoder.encode(head());
        REQUIRE(step);
        REQUIRE(verdict(std::string(step->body)) == "ok");
        if (i < 20) continue;
        const char* const end = step->body.data() + step->body.size();
        lowest = lowest == nullptr ? step->body.data() : std::min(lowest, step->body.data());
        highest = highest == nullptr ? end : std::max(highest, end);
    }
    CHECK(encoder.count() == 400);
    CHECK(highest - lowest < 20'000);
}

TEST_CASE("A user message between a call and its result is no place to cut", "[encoder]") {
    ProtocolLimits limits;
    limits.max_messages = 3;
    StepEncoder encoder(limits);
    REQUIRE(encoder.append(listed(user("one") + "," + kCall + "," + user("meanwhile") + "," + kResult)));
    const auto step = encoder.encode(head());
    REQUIRE_FALSE(step);
    CHECK(step.error().code == "CATALOG_TOO_LARGE");
}

TEST_CASE("A body over the byte limit loses turns too, and with one turn left it is refused", "[encoder]") {
    ProtocolLimits limits;
    limits.max_body_bytes = 1000;
    StepEncoder encoder(limits);
    REQUIRE(encoder.append(listed(user(std::string(500, 'a')))));
    REQUIRE(encoder.append(listed(user(std::string(500, 'b')))));
    const auto step = encoder.encode(head());
    REQUIRE(step);
    CHECK(step->trimmed_messages == 1);
    CHECK(step->body.size() <= 1000);
    REQUIRE(encoder.append(listed(user(std::string(900, 'c')))));
    CHECK(encoder.encode(head()).error().code == "PROTOCOL_DECODE_ERROR");
    CHECK_FALSE(encoder.append(std::string(1001, ' ')));
}

TEST_CASE("The head as text gives the same bytes; what is missing in it is refused", "[encoder]") {
    StepEncoder encoder;
    REQUIRE(encoder.append(listed(user("one"))));
    StepHead full = head(2);
    full.model_id = "m";
    full.scope = {{"a"}};
    const std::string body(encoder.encode(full)->body);
    CHECK(
        encoder
            .encode_text(
                R"({"conversationId":"conversation","turnId":"turn","stepIndex":2,"pathname":"/invoices","modelId":"m","scope":["a"],"mode":"direct"})")
            ->body == body);
    CHECK(encoder.encode_text("{}").error().path == "/conversationId");
    CHECK(encoder.encode_text(R"({"conversationId":"c","turnId":"t","pathname":"/"})").error().path == "/stepIndex");
    CHECK_FALSE(encoder.encode_text("["));
}

TEST_CASE("Five hundred random histories, appended in random pieces, are sent whole or trimmed to whole turns",
          "[encoder]") {
    std::mt19937 random(20'260'504);
    for (int round = 0; round < 500; ++round) {
        ProtocolLimits limits;
        limits.max_messages = static_cast<std::uint32_t>(6 + random() % 20);
        StepEncoder encoder(limits);
        std::vector<std::string> all;
        for (std::size_t turn = 0, turns = 1 + random() % 6; turn < turns; ++turn) {
            std::string piece = user("turn " + std::to_string(turn));
            all.push_back(piece);
            for (std::size_t i = 0, calls = random() % 3; i < calls; ++i) {
                if (random() % 2 == 0) {
                    REQUIRE(encoder.append(listed(piece)));
                    piece.clear();
                }
                piece += (piece.empty() ? "" : ",") + kCall + "," + kResult;
                all.push_back(kCall);
                all.push_back(kResult);
            }
            REQUIRE(encoder.append(listed(piece)));
            const StepRequest step = sent(encoder);
            REQUIRE(step.messages.size() <= limits.max_messages);
            const std::size_t trimmed = all.size() - step.messages.size();
            REQUIRE((trimmed == 0 || all[trimmed].find("\"user\"") != std::string::npos));
            REQUIRE(step.messages.raw() == listed([&] {
                        std::string rest;
                        for (std::size_t i = trimmed; i < all.size(); ++i) rest += (rest.empty() ? "" : ",") + all[i];
                        return rest;
                    }()));
        }
    }
}
