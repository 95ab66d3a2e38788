// Texts that are no requests at all, requests of wrong types, cut ones, huge ones: at every entrance of the runtime.
#include <random>

#include "plane_ways.h"

namespace {

using namespace domain_test;
using Kind = domain::DiscoveryStep::Kind;

const Texts kValues = {"null",
                       "true",
                       "7",
                       "-0",
                       "1e308",
                       R"("")",
                       R"("x")",
                       R"("\u0000")",
                       "[]",
                       "{}",
                       "[[[]]]",
                       R"({"$is":"function"})",
                       R"({"$is":"NaN"})",
                       R"({"id":7,"kind":[]})",
                       R"({"id":"u1","kind":"user"})",
                       R"({"actor":{"id":{}},"surface":[]})"};

std::string array_of(const Texts& parts) {
    std::string out = "[";
    for (const std::string& part : parts) out += (out.size() > 1 ? "," : "") + part;
    return out + "]";
}
Texts call_parts() { return {R"("exe_1")", R"("x")", R"("direct")", kUser, R"("corr")", "false"}; }
Texts resume_parts() { return {R"("exe_2")", record(), R"({"actor":)" + kUser + "}", "false"}; }

/// Every entrance; whatever was opened is broken off, and nothing stays.
void enter_everywhere(Plane& plane, const std::string& text) {
    auto& runtime = *plane.runtime;
    for (const bool resumes : {false, true}) {
        Step step = resumes ? runtime.resume(text, 0) : runtime.begin(text, 0);
        if (step.ask == Ask::ignored) CHECK(step.execution == 0);
        for (int turns = 0; step.ask != Ask::finished && step.ask != Ask::ignored; ++turns) {
            REQUIRE(turns < 3);
            step = runtime.tell(step.execution, Told::broke, text, false, 0);
        }
    }
    if (auto listing = runtime.describe(text, 0, 0)) {
        domain::DiscoveryStep step = *listing;
        while (step.kind == Kind::run) step = runtime.reported(step.discovery, step.capability, text, 0, 0);
        CHECK(step.kind == Kind::finished);
    }
    runtime.approval_decided(text, 0);
    CHECK(runtime.open_count() == 0);
    // Whatever it was, the evidence is well-formed.
    CHECK(host_protocol::JsonDocument::read(runtime.audit().take(), {std::size_t{1} << 28, 64}));
}

TEST_CASE("a request of which any part is of a wrong type ends like any other", "[domain]") {
    Plane plane(kEverything, kAll);
    for (const Texts& parts : {call_parts(), resume_parts(), Texts{R"("direct")", kUser, "null"}})
        for (std::size_t at = 0; at < parts.size(); ++at)
            for (const std::string& value : kValues) {
                Texts wrong = parts;
                wrong[at] = value;
                INFO(array_of(wrong));
                enter_everywhere(plane, array_of(wrong));
                wrong.resize(at);
                enter_everywhere(plane, array_of(wrong));
            }
    for (const std::string& value : kValues) enter_everywhere(plane, value);
}

TEST_CASE("what is no array of something opens nothing", "[domain]") {
    Plane plane(kEverything, kAll);
    for (const std::string text : {"", " ", "[", "]", "nul", "{}", "7", R"("x")", "null", "[]", R"([1,])",
                                   "[\"\\ud800\"]", "[\"\xff\"]", R"([{"a":1,"a":2}])", "[1e400]"}) {
        INFO(text);
        CHECK(plane.runtime->begin(text, 0).ask == Ask::ignored);
        CHECK(plane.runtime->resume(text, 0).ask == Ask::ignored);
        enter_everywhere(plane, text);
    }
    CHECK(plane.runtime->audit().empty());
}

TEST_CASE("requests that are cut anywhere, or of which any byte is another, do no harm", "[domain]") {
    Plane plane(kEverything, kAll);
    std::mt19937 random(11);
    const std::string decided = R"({"approved":true,"record":)" + record() + R"(,"approver":)" + kUser + "}";
    for (const std::string& text : {array_of(call_parts()), array_of(resume_parts()), decided})
        for (std::size_t at = 0; at < text.size(); ++at) {
            enter_everywhere(plane, text.substr(0, at));
            std::string other = text;
            other[at] = static_cast<char>(random() % 256);
            enter_everywhere(plane, other);
            other[at] = "\"{}[],:\\"[random() % 8];
            enter_everywhere(plane, other);
        }
}

TEST_CASE("answers that are garbage do no harm at any ask, whatever the word", "[domain]") {
    const Texts texts = {"{",
                         "[",
                         "null",
                         "[[[[",
                         R"([{"type":7}])",
                         R"([{"path":7,"message":{}}])",
                         "[null]",
                         R"({"kind":7})",
                         R"({"kind":"capability","code":7,"details":[],"publicMessage":{}})",
                         R"({"status":{},"approver":[]})",
                         "\xff\xfe",
                         std::string(1, '\0'),
                         std::string(100000, '['),
                         std::string(100000, '"')};
    for (const std::string& text : texts)
        for (const std::string& options : {kAll, kStrict})
            for (const Told told : {Told::invalid, Told::hashed, Told::batch, Told::decided, Told::threw}) {
                Plane plane(kEverything, options);
                Step step = plane.runtime->begin(Call().text(), 0);
                for (int turns = 0; step.ask != Ask::finished; ++turns) {
                    REQUIRE(turns < 20);
                    const Answer usual = usual_answer(step.ask, true);
                    const bool fits = usual.told == told || (told == Told::invalid && usual.told == Told::valid);
                    step = plane.runtime->tell(step.execution, fits ? told : usual.told, fits ? text : usual.text,
                                               false, 0);
                    REQUIRE(step.ask != Ask::ignored);
                }
                CHECK(plane.runtime->open_count() == 0);
            }
}

TEST_CASE("a huge actor, id or record is read; what is above every bound opens nothing", "[domain]") {
    Plane plane(one());
    const std::string huge(std::size_t{5} << 20, 'a');
    Call call;
    call.actor = R"({"id":"u1","kind":"user","attributes":")" + huge + R"("})";
    CHECK(plane.invoke(call).outcome == "completed");
    call.id = huge;
    CHECK(plane.invoke(call).outcome == "failed CAPABILITY_NOT_FOUND@discovery");
    CHECK(plane.resume({record({{"input", "\"" + huge + "\""}})}).outcome == "completed");
    const Ended issues = Plane(one("", "read", "schema"))
                             .on(Ask::validate_input, Told::invalid, R"([{"path":[],"message":")" + huge + R"("}])")
                             .invoke();
    CHECK(issues.outcome == "failed INPUT_INVALID@input-validation");
    enter_everywhere(plane, std::string(std::size_t{65} << 20, ' '));
    enter_everywhere(plane, std::string(100000, '['));
    enter_everywhere(plane, R"(["exe_1",)" + std::string(70, '[') + std::string(70, ']') + "]");
}

TEST_CASE("a stored decision is told with the approver as its actor, and of no execution", "[domain]") {
    Plane plane(one(kGate));
    plane.runtime->approval_decided(R"({"approved":true,"record":)" +
                                        record({{"correlationId", R"("corr")"}, {"surface", R"("mcp")"}}) +
                                        R"(,"approver":{"id":"boss","kind":"service","secret":1},"comment":"fine"})",
                                    9);
    CHECK(plane.runtime->audit().take() ==
          R"([{"type":"capability.approved","timestamp":9,"surface":"mcp","actor":{"id":"boss","kind":"service"},)"
          R"("capabilityId":"x","inputHash":")" +
              hash_of(kInput) +
              R"(","data":{"approvalId":"apr_7","approver":{"id":"boss","kind":"service"},"comment":"fine"}}])");
    plane.runtime->approval_decided(
        R"({"approved":false,"record":)" + record() + R"(,"approver":{"id":"boss","kind":"user"}})", 9);
    CHECK(short_events(plane.runtime->audit().take()) ==
          Texts{R"(rejected {"approvalId":"apr_7","approver":{"id":"boss","kind":"user"}})"});
    for (const std::string& none : {std::string("{}"), std::string("[]"), std::string("7"), std::string("{"),
                                    R"({"approved":true,"record":)" + record({{"id", ""}}) + "}"})
        plane.runtime->approval_decided(none, 9);
    CHECK(plane.runtime->audit().empty());
}

}  // namespace
