// Every way in that takes text, fed with damaged text: an answer or an error, never a crash.
#include <random>

#include "host_protocol/accumulator.h"
#include "host_protocol/catalog_merge.h"
#include "host_protocol/frame.h"
#include "host_protocol/frame_stream.h"
#include "host_protocol/history.h"
#include "host_protocol/loop_guard.h"
#include "host_protocol/scope.h"
#include "host_protocol/state_block.h"
#include "host_protocol/step_encoder.h"
#include "protocol_support.h"

using namespace protocol;

namespace {

class Damage {
  public:
    explicit Damage(std::uint32_t seed) : random_(seed) {}

    std::size_t below(std::size_t limit) { return random_() % limit; }
    std::string of(std::string text) {
        constexpr std::string_view kBytes = "{}[]\",:\\u0019eE+-. \n\r\tabtn\x80\xC3\xED\xF0\x9F\xFF";
        for (std::size_t i = 0, count = below(4); i < count && !text.empty(); ++i) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
                case 0: text.erase(at, 1 + below(40)); break;
                case 1: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
                case 2: text[at] = kBytes[below(kBytes.size())]; break;
                default: text.insert(at, text.substr(below(text.size()), below(80))); break;
            }
        }
        return text;
    }

  private:
    std::mt19937 random_;
};

std::string part_of(std::string_view name, std::string_view path) {
    const JsonDocument document = reading::document(fixture(name));
    return std::string(at_path(document.root(), path).raw());
}

bool readable(std::string_view text) {
    JsonReader reader;
    return static_cast<bool>(reader.read(text, {std::size_t{1} << 26, 200}));
}

}  // namespace

TEST_CASE("Three thousand damaged texts through the histories", "[protocol]") {
    Damage damage(20'260'510);
    const std::string messages = part_of("step_full", "/messages");
    for (int round = 0; round < 3000; ++round) {
        const std::string text = damage.of(messages);
        const auto repaired = repair_history(text);
        if (repaired) {
            const auto again = reading::document(*repaired);
            REQUIRE(examine_history(again.root()).none());
        }
        const auto closed =
            close_server_calls(text, damage.of(R"([{"toolCallId":"call_1","result":{"a":[1]}}])"), "[]");
        if (closed) REQUIRE(readable(*closed));
        StepEncoder encoder;
        if (!encoder.append(text)) continue;
        const auto step = encoder.encode_text(R"({"conversationId":"c","turnId":"t","stepIndex":0,"pathname":"/"})");
        if (step) REQUIRE(verdict(std::string(step->body)) == "ok");
    }
}

TEST_CASE("Three thousand damaged texts through the encoder's catalog", "[protocol]") {
    Damage damage(20'260'511);
    const std::string tools = part_of("step_full", "/catalog/frontendTools");
    const std::string state = part_of("step_full", "/catalog/frontendState");
    for (int round = 0; round < 3000; ++round) {
        StepEncoder encoder;
        REQUIRE(encoder.append(kHello));
        (void)encoder.set_tools(damage.of(tools));
        (void)encoder.set_state(damage.of(state));
        const auto step = encoder.encode_text(damage.of(
            R"({"conversationId":"c","turnId":"t","stepIndex":1,"pathname":"/","scope":["a","b.c"],"mode":"meta","modelId":"m"})"));
        if (step) REQUIRE(verdict(std::string(step->body)) == "ok");
    }
}

TEST_CASE("Three thousand damaged texts through merge, scopes, state block and loop guard", "[protocol]") {
    Damage damage(20'260'512);
    Admitted<StepRequest> decoded = decode_step_request(std::string(fixture("step_full")));
    const std::string arguments =
        R"({"step":)" + step_json(std::get<StepRequest>(decoded)) +
        R"(,"domainTools":[{"wireName":"domain_x","canonicalId":"domain:x","description":"d","inputSchema":{},"requiresApproval":true}],"admitted":["domain:y"],"scopeFloor":["invoices"],"limits":{"maxTotalTools":9}})";
    const std::string state = R"({"state":)" + part_of("step_full", "/catalog/frontendState") + R"(,"tools":)" +
                              part_of("step_full", "/catalog/frontendTools") + "}";
    LoopGuard guard;
    for (int round = 0; round < 3000; ++round) {
        const auto composed = compose_catalog_text(damage.of(arguments));
        if (composed) REQUIRE(readable(*composed));
        const auto scope = resolve_scope_text(damage.of(R"({"floor":["a.b","c"],"requested":["a","c.d","é"]})"));
        if (scope) REQUIRE(readable(*scope));
        (void)render_state_block_text(damage.of(state));
        const auto verdict = guard.record_text(damage.of(
            R"({"canonicalId":"view:t.a","input":{"a":[1,2.5]},"ok":false,"result":{"error":{"retry":"no"}}})"));
        if (verdict) REQUIRE(readable(*verdict));
    }
}

TEST_CASE("Three thousand damaged streams give frames that can be read, and an outcome", "[protocol]") {
    Damage damage(20'260'513);
    const std::string good(fixture("valid/frames.ndjson"));
    for (int round = 0; round < 3000; ++round) {
        const std::string bytes = damage.of(good);
        FrameStream stream;
        std::string frames;
        const std::size_t cut = damage.below(bytes.size() + 1);
        stream.push(std::string_view(bytes).substr(0, cut), frames);
        stream.push(std::string_view(bytes).substr(cut), frames);
        stream.finish(frames);
        ResponseAccumulator response;
        for (const std::string& frame : lines_of(frames)) {
            REQUIRE(response.push(frame));
            REQUIRE(*encode_frame(frame) == frame + "\n");
        }
        REQUIRE(readable(response.finish_text()));
    }
}
