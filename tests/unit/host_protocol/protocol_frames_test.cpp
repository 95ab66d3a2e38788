// Frames over any split of the bytes, and what is never let through.
#include <random>

#include "host_protocol/frame.h"
#include "host_protocol/frame_stream.h"
#include "protocol_support.h"

using namespace protocol;

namespace {

std::string decoded(std::string_view bytes, ProtocolLimits limits = {}) {
    FrameStream stream(limits);
    std::string frames;
    stream.push(bytes, frames);
    stream.finish(frames);
    return frames;
}

std::string code_of(std::string_view line) {
    const JsonDocument document = reading::document(line);
    return std::string(document.root().find("error").find("code").string());
}

constexpr std::string_view kBroken = "{\"type\":\"error\",\"error\":{\"code\":\"PROTOCOL_DECODE_ERROR\",\"message\":";

}  // namespace

TEST_CASE("Every split of a stream into two gives the same frames, also inside a UTF-8 sequence", "[frames]") {
    const std::string bytes = "\r\n  \n{\"type\":\"text-delta\",\"text\":\"é中\U0001F600\"}\n{broken\n" +
                              text_delta_frame("\n") + "{\"type\":\"news\"}\n" + text_delta_frame("last");
    const std::string whole = decoded(bytes);
    REQUIRE(lines_of(whole).size() == 4);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        FrameStream stream;
        std::string frames;
        stream.push(std::string_view(bytes).substr(0, cut), frames);
        stream.push(std::string_view(bytes).substr(cut), frames);
        stream.finish(frames);
        REQUIRE(frames == whole);
        REQUIRE(stream.skipped() == 1);
        REQUIRE(stream.malformed() == 1);
    }
}

TEST_CASE("Five hundred random splits of the fixtures' lines, good and bad, give the same frames", "[frames]") {
    std::string bytes(fixture("valid/frames.ndjson"));
    bytes += fixture("invalid/frames.ndjson");
    bytes += "\xFF\xFE\n{\"type\":\"text-delta\",\"text\":\"\xED\xA0\x80\"}\n" + std::string(300, 'x') + "\n";
    bytes += text_delta_frame(std::string(120, 'y')) + "{\"type\":\"text-delta\",\"text\":\"no newline\"}";
    ProtocolLimits limits;
    limits.max_frame_bytes = 700;
    const std::string whole = decoded(bytes, limits);
    std::mt19937 random(20'260'502);
    for (int round = 0; round < 500; ++round) {
        FrameStream stream(limits);
        std::string frames;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t length = random() % (round % 2 == 0 ? 7 : 900);
            stream.push(std::string_view(bytes).substr(at, length), frames);
            at += length;
        }
        stream.finish(frames);
        REQUIRE(frames == whole);
    }
}

TEST_CASE("A malformed line becomes an error frame that repeats nothing of it, and decoding goes on", "[frames]") {
    for (const std::string_view line : {"hunter2", "{\"type\":\"text-delta\"}", "[\"hunter2\"]", "{\"hunter2\":1}",
                                        "{\"type\":\"text-delta\",\"text\":\"hunter2\"", "\xC3hunter2", "7",
                                        "{\"type\":\"error\",\"error\":\"http://hunter2\"}",
                                        "{\"type\":\"text-delta\",\"type\":\"text-delta\",\"text\":\"hunter2\"}"}) {
        INFO(line);
        const auto frames = lines_of(decoded(std::string(line) + "\n" + text_delta_frame("on")));
        REQUIRE(frames.size() == 2);
        CHECK(frames[0].substr(0, kBroken.size()) == kBroken);
        CHECK(frames[0].find("hunter2") == std::string::npos);
        CHECK(frames[1] + "\n" == text_delta_frame("on"));
    }
    const std::string deep = "{\"type\":\"tool-call\",\"input\":" + std::string(500, '[') + "\n";
    CHECK(code_of(lines_of(decoded(deep))[0]) == "PROTOCOL_DECODE_ERROR");
}

TEST_CASE("Blank lines are skipped, unknown frame types are skipped and counted", "[frames]") {
    FrameStream stream;
    std::string frames;
    stream.push("\n\n \t \r\n{\"type\":\"weather\",\"text\":7}\n{\"type\":\"weather\"}\n", frames);
    stream.finish(frames);
    CHECK(frames.empty());
    CHECK(stream.skipped() == 2);
    CHECK(stream.malformed() == 0);
}

TEST_CASE("A line of exactly maxFrameBytes is read, one byte more is an error frame", "[frames]") {
    const std::string line = text_delta_frame("12345");
    ProtocolLimits limits;
    limits.max_frame_bytes = static_cast<std::uint32_t>(line.size() - 1);
    CHECK(decoded(line, limits) == line);
    CHECK(decoded(line.substr(0, line.size() - 1), limits) == line);
    limits.max_frame_bytes -= 1;
    for (const std::string& bytes : {line, line.substr(0, line.size() - 1)}) {
        const auto frames = lines_of(decoded(bytes, limits));
        REQUIRE(frames.size() == 1);
        CHECK(code_of(frames[0]) == "PROTOCOL_DECODE_ERROR");
    }
    CHECK(ProtocolLimits{}.max_frame_bytes == 1024u * 1024);
}

TEST_CASE("A line that never ends is one error frame, is not kept, and the next line is read", "[frames]") {
    ProtocolLimits limits;
    limits.max_frame_bytes = 1000;
    FrameStream stream(limits);
    std::string frames;
    const std::string chunk(999, 'x');
    for (int i = 0; i < 10'000; ++i) stream.push(chunk, frames);
    CHECK(lines_of(frames).size() == 1);
    stream.push("x\n" + text_delta_frame("on"), frames);
    stream.finish(frames);
    REQUIRE(lines_of(frames).size() == 2);
    CHECK(lines_of(frames)[1] + "\n" == text_delta_frame("on"));
    CHECK(stream.malformed() == 1);
}

TEST_CASE("finish() decodes a last line without newline, once, and nothing of a line that was too long", "[frames]") {
    FrameStream stream;
    std::string frames;
    stream.push("{\"type\":\"text-delta\",\"text\":\"a\"}", frames);
    CHECK(frames.empty());
    stream.finish(frames);
    CHECK(frames == text_delta_frame("a"));
    stream.finish(frames);
    CHECK(frames == text_delta_frame("a"));
    ProtocolLimits limits;
    limits.max_frame_bytes = 10;
    CHECK(lines_of(decoded("{\"type\":\"text-delta\",\"text\":\"a\"}", limits)).size() == 1);
}

TEST_CASE("Each writer writes the frame that the reader reads, on one line", "[frames]") {
    const CallIds ids{"call_1", "domain_list", "domain:list"};
    const std::vector<std::string> scope{"invoices", "a\n\"b"};
    const std::string lines =
        step_start_frame({"s", "t", "c"}, R"([{"wireName":"domain_list","canonicalId":"domain:list"}])", "meta",
                         scope) +
        text_delta_frame("a\nb\r\U0001F600") + reasoning_delta_frame("") +
        tool_call_frame(ids, executors::kServer, R"({"a":1})") + tool_result_frame(ids, false, "null") +
        inspector_frame({lanes::kHost, "e", "s", R"({"id":1})", "[]"}) + inspector_frame({lanes::kDomain, "e", "s"}) +
        step_finish_frame(
            {"s", "stop", "[]", "[]", R"({"inputTokens":1,"outputTokens":1,"totalTokens":2,"reportedSteps":1})"}) +
        step_finish_frame({"s", "stop", "[]", "[]"}) + error_frame(host_codes::kModelError, "x");
    FrameStream stream;
    std::string frames;
    stream.push(lines, frames);
    CHECK(frames == lines);
    CHECK(lines_of(frames).size() == 10);
    CHECK(stream.malformed() + stream.skipped() == 0);
    CHECK(lines.find("\"usage\":{\"inputTokens\":1") != std::string::npos);
    CHECK(lines.rfind("\"usage\"") == lines.find("\"usage\""));
}

TEST_CASE("A frame given with line ends between its tokens leaves on one line", "[frames]") {
    const auto line = encode_frame("{\n \"type\" : \"text-delta\",\r\n \"text\" : \"a\\nb\"\n}\n");
    REQUIRE(line);
    CHECK(line->find('\n') == line->size() - 1);
    CHECK(line->find('\r') == std::string::npos);
    CHECK(lines_of(decoded(*line)).size() == 1);
    CHECK_FALSE(encode_frame("{\"type\":\"weather\"}"));
    CHECK_FALSE(encode_frame("{"));
}

TEST_CASE("A step-finish over the frame limit becomes an error frame, by writer and encoder alike", "[frames]") {
    ProtocolLimits limits;
    const std::string messages = R"([{"role":"assistant","content":")" + std::string(2000, 'x') + "\"}]";
    const StepEnd end{"s", "stop", messages, "[]"};
    const std::string whole = step_finish_frame(end);
    limits.max_frame_bytes = static_cast<std::uint32_t>(whole.size() - 1);
    CHECK(step_finish_frame(end, limits) == whole);
    CHECK(*encode_frame(whole, limits) == whole);
    limits.max_frame_bytes -= 1;
    CHECK(code_of(step_finish_frame(end, limits)) == "RUN_LIMIT_EXCEEDED");
    CHECK(code_of(*encode_frame(whole, limits)) == "RUN_LIMIT_EXCEEDED");
}

TEST_CASE("A tool result is capped at 32 KiB, and one that no frame holds is answered all the same", "[frames]") {
    const std::string fits = quoted(std::string(32768 - 2, 'x'));
    const std::string too_long = quoted(std::string(32768 - 1, 'x'));
    CHECK(cap_tool_result(true, fits).ok);
    CHECK(cap_tool_result(true, fits).result == fits);
    const CappedResult capped = cap_tool_result(true, too_long);
    CHECK_FALSE(capped.ok);
    CHECK(code_of(capped.result) == "OUTPUT_TOO_LARGE");
    ProtocolLimits limits;
    limits.max_frame_bytes = 1000;
    const CallIds ids{"call_1", "domain_list", "domain:list"};
    const auto line = encode_frame(tool_result_frame(ids, true, fits), limits);
    REQUIRE(line);
    const JsonDocument document = reading::document(*line);
    CHECK(document.root().find("toolCallId").string() == "call_1");
    CHECK_FALSE(document.root().find("ok").boolean());
    CHECK(document.root().find("result").find("error").find("code").string() == "OUTPUT_TOO_LARGE");
}
