// Legal histories, and histories made legal.
#include <random>

#include "host_protocol/history.h"
#include "protocol_support.h"

using namespace protocol;

namespace {

std::string call(std::string_view id) {
    return R"({"type":"tool-call","toolCallId":)" + quoted(id) + R"(,"toolName":"view_t__a","input":{}})";
}
std::string result(std::string_view id) {
    return R"({"type":"tool-result","toolCallId":)" + quoted(id) +
           R"(,"toolName":"view_t__a","output":{"type":"json","value":1}})";
}
std::string message(std::string_view role, std::string_view parts) {
    return R"({"role":)" + quoted(role) + R"(,"content":[)" + std::string(parts) + "]}";
}
std::string history(std::initializer_list<std::string> messages) {
    std::string out = "[";
    for (const std::string& one : messages) out += (out.size() > 1 ? "," : "") + one;
    return out + "]";
}
const std::string kUser = R"({"role":"user","content":"x"})";

std::string repaired(std::string_view messages) {
    const auto text = repair_history(messages);
    REQUIRE(text);
    return *text;
}

bool legal(std::string_view messages) {
    const JsonDocument document = reading::document(messages);
    return examine_history(document.root()).none();
}

/// The codes of the results of the n-th message.
std::string codes_in(std::string_view messages, std::size_t index) {
    const JsonDocument document = reading::document(messages);
    std::string codes;
    for (const JsonValue part : at_path(document.root(), "/" + std::to_string(index) + "/content").elements()) {
        const JsonValue error = at_path(part, "/output/value").find("error");
        codes += std::string(part.find("toolCallId").string()) + "=" +
                 (error ? std::string(error.find("code").string()) : "ok") + " ";
    }
    return codes;
}

}  // namespace

TEST_CASE("A legal history is returned byte for byte", "[history]") {
    for (const std::string& text : {std::string("[]"), history({kUser}), " [ " + kUser + " ] ",
                                    history({message("assistant", call("a")), message("tool", result("a")), kUser})})
        CHECK(repaired(text) == text);
}

TEST_CASE("An open call is answered TOOL_OUTCOME_UNKNOWN, retry no, behind its message", "[history]") {
    const std::string text = repaired(history({kUser, message("assistant", call("a") + "," + call("b")), kUser}));
    REQUIRE(reading::document(text).root().size() == 4);
    CHECK(codes_in(text, 2) == "a=TOOL_OUTCOME_UNKNOWN b=TOOL_OUTCOME_UNKNOWN ");
    CHECK(text.find(R"("retry":"no")") != std::string::npos);
    CHECK(verdict(step_with(text)) == "ok");
}

TEST_CASE("An answer follows the results that are there, and keeps tool name and id", "[history]") {
    const std::string text =
        repaired(history({message("assistant", call("a") + "," + call("b\n")), message("tool", result("a")), kUser}));
    CHECK(codes_in(text, 1) == "a=ok ");
    CHECK(codes_in(text, 2) == "b\n=TOOL_OUTCOME_UNKNOWN ");
    CHECK(text.find(R"("toolName":"view_t__a","output":{"type":"json","value":{"error")") != std::string::npos);
}

TEST_CASE("A result without a call goes, and its message when nothing else is in it", "[history]") {
    const std::string text = repaired(history({kUser, message("tool", result("x")), message("assistant", call("a")),
                                               message("tool", result("y") + "," + result("a") + "," + result("a"))}));
    CHECK(text == history({kUser, message("assistant", call("a")), message("tool", result("a"))}));
}

TEST_CASE("A result belongs to the nearest open call of its id: ids come back in later turns", "[history]") {
    const std::string text = history(
        {message("assistant", call("a")), kUser, message("assistant", call("a")), message("tool", result("a"))});
    const std::string fixed = repaired(text);
    CHECK(codes_in(fixed, 1) == "a=TOOL_OUTCOME_UNKNOWN ");
    CHECK(legal(fixed));
}

TEST_CASE("Calls and results count in messages of their own role only", "[history]") {
    CHECK(legal(history({message("user", call("a")), message("assistant", result("b")), message("tool", call("c"))})));
    CHECK_FALSE(legal(history({message("assistant", call("a"))})));
    CHECK_FALSE(legal(history({message("tool", result("a"))})));
}

TEST_CASE("What is no history is an error, and odd members of one are passed over", "[history]") {
    CHECK_FALSE(repair_history("{}"));
    CHECK_FALSE(repair_history("[1,"));
    CHECK(repair_history("7").error().code == host_codes::kProtocolDecodeError);
    const std::string odd = R"([null,7,[],{"role":7,"content":{}},{"role":"tool"},{"role":"tool","content":[1,null]}])";
    CHECK(repaired(odd) == odd);
    CHECK(legal(repaired(R"([{"role":"assistant","content":[{"type":"tool-call"}]}])")));
}

TEST_CASE("A hundred thousand calls and results are examined in linear time", "[history]") {
    std::string calls;
    std::string results;
    for (int i = 0; i < 100'000; ++i) {
        const std::string id = std::to_string(i);
        calls += (i > 0 ? "," : "") + std::string(R"({"type":"tool-call","toolCallId":")") + id + "\"}";
        results += (i > 0 ? "," : "") + std::string(R"({"type":"tool-result","toolCallId":")") + id + "\"}";
    }
    const auto document = JsonDocument::read(history({message("assistant", calls), message("tool", results)}),
                                             {std::size_t{1} << 26, 64});
    REQUIRE(document);
    CHECK(examine_history(document->root()).none());
}

TEST_CASE("Three thousand random histories are legal once repaired, and keep every legal pair", "[history]") {
    std::mt19937 random(20'260'503);
    const auto below = [&random](std::size_t limit) { return random() % limit; };
    for (int round = 0; round < 3000; ++round) {
        std::string text = "[";
        for (std::size_t i = 0, count = below(9); i < count; ++i) {
            std::string parts;
            const std::size_t kind = below(3);
            for (std::size_t p = 0, size = below(4); p < size; ++p) {
                const std::string id = "c" + std::to_string(below(4));
                const std::string part = below(5) == 0 ? R"({"type":"text","text":"x"})"
                                         : kind == 1   ? call(id)
                                                       : result(id);
                if (kind != 0) parts += (parts.empty() ? "" : ",") + part;
            }
            text += (i > 0 ? "," : "") + (kind == 0 ? kUser : message(kind == 1 ? "assistant" : "tool", parts));
        }
        text += "]";
        INFO(text);
        const std::string fixed = repaired(text);
        REQUIRE(legal(fixed));
        REQUIRE(repaired(fixed) == fixed);
        if (legal(text)) REQUIRE(fixed == text);
        if (fixed != "[]") REQUIRE(verdict(step_with(fixed)) == "ok");
    }
}
