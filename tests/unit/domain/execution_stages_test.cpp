// The fifteen stages of a call, one by one: what is asked in which order, how each can refuse, and what is told of it.
#include "plane_driver.h"

namespace {

using namespace domain_test;

const std::string kRequested = R"(requested {"sideEffect":"read","risk":"low"})";
const std::string kStarted = R"(started {"attempt":1})";
const Texts kAll = {kRequested, kStarted, R"(completed {"durationMs":0,"attempts":1})"};

std::string failed_data(const std::string& code, const std::string& stage, const std::string& rest) {
    return R"(failed {"code":")" + code + R"(","stage":")" + stage + R"(","retryable":false,)" + rest + "}";
}
std::string denied_data(const std::string& reason, const std::string& code, const std::string& stances = "") {
    return R"(denied {"reason":")" + reason + R"(","publicCode":")" + code + "\"" + stances + "}";
}
std::string stances(const std::string& list) { return R"(,"policyDecisions":[)" + list + "]"; }
std::string stance(const std::string& policy, const std::string& type) {
    return R"({"policy":")" + policy + R"(","type":")" + type + R"("})";
}
bool has_hash(const std::string& event) { return event.find("inputHash") != std::string::npos; }

TEST_CASE("a call that nothing stands in the way of is asked stage by stage and leaves three events", "[domain]") {
    Plane bare(one());
    const Ended plain = bare.invoke();
    CHECK(plain.asked == "hash execute");
    CHECK(plain.outcome == "completed");
    CHECK(plain.events == kAll);

    Plane full(one(policies_of({{"d", "discovery"}, {"i", "invocation"}, {"e", "execution"}}) + kRedacted +
                       R"(,"timeoutMs":1234)",
                   "read", "schema", "schema"),
               kStrict);
    const Ended whole = full.invoke();
    CHECK(whole.asked ==
          "validate-input hash policies:invocation policies:execution audit-started execute validate-output redact");
    CHECK(whole.outcome == "completed");
    CHECK(whole.events == kAll);
    CHECK(full.asks[5].number == 1234);
    CHECK(full.asks[5].capability == 0);
}

TEST_CASE("an attempt has the runtime's time where the metadata give none", "[domain]") {
    Plane usual(one());
    usual.invoke();
    CHECK(usual.asks.back().number == 30000);
    Plane set(one(), R"({"defaults":{"timeoutMs":77}})");
    CHECK(set.invoke().asked == "execute");
    CHECK(set.asks.back().number == 77);
}

TEST_CASE("every event of a call carries the same envelope, the hash from when it is known on", "[domain]") {
    Plane plane(one("", "read", "schema"));
    plane.now = 50;
    Call call;
    call.correlation = R"("corr-1")";
    call.actor = R"({"id":"u1","kind":"service","displayName":"secret","attributes":{"secret":"secret"}})";
    const Ended ended = plane.invoke(call);
    REQUIRE(ended.whole.size() == 3);
    const std::string head = R"(,"timestamp":50,"surface":"direct","actor":{"id":"u1","kind":"service"},)"
                             R"("executionId":"exe_1","capabilityId":"x","correlationId":"corr-1")";
    CHECK(ended.whole[0] ==
          R"({"type":"capability.requested")" + head + R"(,"data":{"sideEffect":"read","risk":"low"}})");
    CHECK(ended.whole[1] == R"({"type":"capability.started")" + head + R"(,"inputHash":")" + hash_of(kInput) +
                                R"(","data":{"attempt":1}})");
    CHECK(ended.whole[2] == R"({"type":"capability.completed")" + head + R"(,"inputHash":")" + hash_of(kInput) +
                                R"(","data":{"durationMs":0,"attempts":1}})");
}

TEST_CASE("an unknown, an unexposed and a hidden id look alike outside; the audit keeps the truth", "[domain]") {
    const std::string not_found =
        R"({"code":"CAPABILITY_NOT_FOUND","stage":"discovery","publicMessage":"No such capability.",)"
        R"("retryable":false,"exposeToModel":true})";
    Call call;
    call.id = "y";
    Plane plane(one(policies_of({{"p", "invocation"}})));
    const Ended unknown = plane.invoke(call);
    CHECK(unknown.asked.empty());
    CHECK(unknown.error == not_found);
    CHECK(unknown.events == Texts{"requested {}", denied_data("unknown", "CAPABILITY_NOT_FOUND")});

    call.id = "x";
    for (const char* surface : {"mcp", "nowhere", ""}) {
        call.surface = surface;
        const Ended unexposed = plane.invoke(call);
        CHECK(unexposed.asked.empty());
        CHECK(unexposed.error == not_found);
        CHECK(unexposed.events == Texts{kRequested, denied_data("not-exposed", "CAPABILITY_NOT_FOUND")});
        CHECK_FALSE(has_hash(unexposed.whole[1]));
    }
    plane.on(Ask::run_policies, Told::batch, decision("hide"));
    const Ended hidden = plane.invoke();
    CHECK(hidden.asked == "hash policies:invocation");
    CHECK(hidden.error == not_found);
    CHECK(hidden.events ==
          Texts{kRequested, denied_data("hidden", "CAPABILITY_NOT_FOUND", stances(stance("p", "hide")))});
}

TEST_CASE("input that is not valid fails with its issues, without a hash and before anybody else is asked",
          "[domain]") {
    Plane plane(one(policies_of({{"p", "invocation"}}) + kGate, "read", "schema"));
    const std::string issues = R"([{"path":["lines","0"],"message":"too small"}])";
    const Ended ended = plane.on(Ask::validate_input, Told::invalid, issues).invoke();
    CHECK(ended.asked == "validate-input");
    CHECK(ended.outcome == "failed INPUT_INVALID@input-validation");
    CHECK(ended.error.find(R"("details":{"issues":)" + issues + "}") != std::string::npos);
    CHECK(ended.events == Texts{kRequested, failed_data("INPUT_INVALID", "input-validation", R"("attempts":0)")});
    CHECK_FALSE(has_hash(ended.whole[1]));
}

TEST_CASE("of very many issues the first hundred are told", "[domain]") {
    Plane plane(one("", "read", "schema"));
    std::string issues = "[";
    for (int at = 0; at < 60000; ++at)
        issues +=
            (at == 0 ? "" : ",") + (R"({"path":["lines",")" + std::to_string(at)) + R"("],"message":"too small"})";
    const Ended ended = plane.on(Ask::validate_input, Told::invalid, issues + "]").invoke();
    const auto error = json(ended.error);
    CHECK(error.root().find("details").find("issues").size() == 100);
}

TEST_CASE("without an identity a call fails after its input was looked at and before any policy", "[domain]") {
    Plane plane(one(policies_of({{"p", "invocation"}}), "read", "schema"));
    for (const char* actor : {"null", R"({"id":"","kind":"user"})", R"({"id":"u1","kind":"root"})", "[]",
                              R"({"$is":"undefined"})", R"({"kind":"user"})", "7"}) {
        Call call;
        call.actor = actor;
        const Ended ended = plane.invoke(call);
        CHECK(ended.asked == "validate-input hash");
        CHECK(ended.outcome == "failed UNAUTHENTICATED@authentication");
        CHECK(ended.events == Texts{kRequested, failed_data("UNAUTHENTICATED", "authentication", R"("attempts":0)")});
        CHECK(ended.whole[0].find(R"("kind":"anonymous")") != std::string::npos);
    }
}

TEST_CASE("hidden conceals bad input and bad identity too: discovery's policies are asked first", "[domain]") {
    // Decision 18; a failure conceals as a hide does.
    const std::string hide = decision("hide"), deny = decision("deny"), threw = R"(["threw"])";
    const Nodes nodes = one(policies_of({{"d", "discovery"}}), "read", "schema");
    for (const bool bad_input : {true, false})
        for (const std::string& said : {hide, threw, std::string(R"(["late"])"), deny, decision("allow"), std::string(),
                                        decision("require-approval", R"(,"reason":"r")")}) {
            INFO(bad_input << " " << said);
            Plane plane(nodes);
            Call call;
            if (bad_input)
                plane.on(Ask::validate_input, Told::invalid, "[]");
            else
                call.actor = "null";
            const Ended ended = plane.on(Ask::run_policies, Told::batch, said).invoke(call);
            CHECK(ended.asked ==
                  (bad_input ? "validate-input policies:discovery" : "validate-input hash policies:discovery"));
            if (said == hide || said == threw || said == R"(["late"])") {
                CHECK(ended.outcome == "failed CAPABILITY_NOT_FOUND@discovery");
                const std::string how = said == hide ? "hide" : "error";
                CHECK(ended.events ==
                      Texts{kRequested, denied_data("hidden", "CAPABILITY_NOT_FOUND", stances(stance("d", how)))});
            } else {
                CHECK(ended.outcome ==
                      (bad_input ? "failed INPUT_INVALID@input-validation" : "failed UNAUTHENTICATED@authentication"));
                CHECK(ended.events[1].find("policyDecisions") == std::string::npos);
            }
        }
}

TEST_CASE("discovery's policies that could not be run conceal: what is not known to be visible is not shown",
          "[domain]") {
    const Nodes nodes = one(policies_of({{"d", "discovery"}}), "read", "schema");
    for (const Told told : {Told::broke, Told::batch, Told::valid}) {
        Plane plane(nodes);
        plane.on(Ask::validate_input, Told::invalid, "[]").on(Ask::run_policies, told, "{not json");
        const Ended ended = plane.invoke();
        CHECK(ended.outcome == "failed CAPABILITY_NOT_FOUND@discovery");
        REQUIRE(ended.events.size() == 2);
        CHECK(ended.events[1].find(R"(denied {"reason":"hidden")") == 0);
    }
}

TEST_CASE("an invocation policy refuses by failure, deny or hide, with its stance in the evidence", "[domain]") {
    const Nodes nodes = one(policies_of({{"p", "invocation"}}));
    Plane failing(nodes);
    const Ended failure = failing.on(Ask::run_policies, Told::batch, R"(["threw"])").invoke();
    CHECK(failure.outcome == "failed POLICY_FAILED@policy");
    CHECK(failure.events ==
          Texts{kRequested, denied_data("policy-failed", "POLICY_FAILED", stances(stance("p", "error")))});

    Plane denying(nodes);
    const Ended denied =
        denying.on(Ask::run_policies, Told::batch, decision("deny", R"(,"code":"C1","message":"Not today.")")).invoke();
    CHECK(denied.error == R"({"code":"POLICY_DENIED","stage":"policy","publicMessage":"Not today.","retryable":false,)"
                          R"("exposeToModel":true,"details":{"policy":"p","code":"C1"}})");
    CHECK(denied.events ==
          Texts{kRequested, denied_data("policy-denied", "POLICY_DENIED", stances(stance("p", "deny")))});

    const Ended silent = Plane(nodes).on(Ask::run_policies, Told::batch, decision("deny")).invoke();
    CHECK(silent.error.find(R"("publicMessage":"A policy refused this operation.")") != std::string::npos);
    CHECK(silent.error.find(R"("details":{"policy":"p"})") != std::string::npos);
}

TEST_CASE("an execution policy refuses as a failure whose evidence holds the stances of both batches", "[domain]") {
    const Nodes nodes = one(policies_of({{"i", "invocation"}, {"e", "execution"}}));
    const std::pair<std::string, std::string> ways[] = {{decision("deny"), "POLICY_DENIED@policy@deny"},
                                                        {R"(["threw"])", "POLICY_FAILED@policy@error"},
                                                        {decision("hide"), "CAPABILITY_NOT_FOUND@discovery@hide"}};
    for (const auto& [said, expected] : ways) {
        Plane plane(nodes);
        const Ended ended = plane.on(Ask::run_policies, Told::batch).on(Ask::run_policies, Told::batch, said).invoke();
        const std::size_t first = expected.find('@'), last = expected.rfind('@');
        const std::string code = expected.substr(0, first), stage = expected.substr(first + 1, last - first - 1);
        CHECK(ended.asked == "hash policies:invocation policies:execution");
        CHECK(ended.outcome == "failed " + code + "@" + stage);
        const std::string both = stances(stance("i", "allow") + "," + stance("e", expected.substr(last + 1)));
        CHECK(ended.events == Texts{kRequested, failed_data(code, stage, R"("attempts":0)" + both)});
    }
}

TEST_CASE("policies of the runtime run in the same batch, before the capability's", "[domain]") {
    Plane plane(one(policies_of({{"own", "invocation"}})),
                R"({"audit":{"sinks":1},"policies":[{"name":"all","phases":["invocation"]}]})");
    const Ended ended = plane.on(Ask::run_policies, Told::batch, R"([{"type":"allow"},{"type":"hide"}])").invoke();
    CHECK(ended.events[1].find(stance("all", "allow") + "," + stance("own", "hide")) != std::string::npos);
    CHECK(plane.runtime->batch_positions(0, domain::Phase::invocation) == std::vector<std::uint32_t>{0, 1});
    CHECK(plane.runtime->batch_positions(0, domain::Phase::execution).empty());
    CHECK(plane.runtime->batch_positions(9, domain::Phase::invocation).empty());
    CHECK(plane.runtime->batch_positions(0, static_cast<domain::Phase>(99)).empty());
}

TEST_CASE("under strict audit nothing runs that no sink has on record", "[domain]") {
    Plane plane(one(), kStrict);
    const Ended ended = plane.on(Ask::audit_started, Told::refused).invoke();
    CHECK(ended.asked == "hash audit-started");
    CHECK(ended.outcome == "failed AUDIT_UNAVAILABLE@execution");
    CHECK(ended.events ==
          Texts{kRequested, kStarted,
                R"(failed {"code":"AUDIT_UNAVAILABLE","stage":"execution","retryable":true,"attempts":0})"});
}

TEST_CASE("output that breaks its schema and a redactor that fails come after the work was done", "[domain]") {
    Plane output(one(kRedacted, "read", "none", "schema"));
    const Ended invalid = output.on(Ask::validate_output, Told::invalid, "[]").invoke();
    CHECK(invalid.asked == "hash execute validate-output");
    CHECK(invalid.outcome == "failed OUTPUT_INVALID@output-validation");
    const std::string executed = R"("attempts":1,"executedBeforeFailure":true)";
    CHECK(invalid.events == Texts{kRequested, kStarted, failed_data("OUTPUT_INVALID", "output-validation", executed)});

    Plane redactor(one(kRedacted, "read", "none", "schema"));
    const Ended redacted = redactor.on(Ask::redact, Told::refused).invoke();
    CHECK(redacted.asked == "hash execute validate-output redact");
    CHECK(redacted.outcome == "failed EXECUTION_FAILED@execution");
    CHECK(redacted.error.find(R"("exposeToModel":false)") != std::string::npos);
    CHECK(redacted.events == Texts{kRequested, kStarted, failed_data("EXECUTION_FAILED", "execution", executed)});

    // A procedure that checks its own output has run as well.
    const Ended inside = Plane(one()).on(Ask::execute, Told::threw, R"({"kind":"output"})").invoke();
    CHECK(inside.events == Texts{kRequested, kStarted, failed_data("OUTPUT_INVALID", "output-validation", executed)});
}

TEST_CASE("a value that has no hash runs without one; only a gate needs it", "[domain]") {
    const Ended open = Plane(one()).on(Ask::hash_input, Told::unhashable).invoke();
    CHECK(open.outcome == "completed");
    for (const std::string& event : open.whole) CHECK_FALSE(has_hash(event));

    // Decision 17: an absent input is unhashable, too.
    const Ended gated = Plane(one(kGate)).on(Ask::hash_input, Told::unhashable).invoke();
    CHECK(gated.asked == "hash");
    CHECK(gated.outcome == "failed APPROVAL_UNSERIALIZABLE_INPUT@approval");
    CHECK(gated.events ==
          Texts{kRequested, failed_data("APPROVAL_UNSERIALIZABLE_INPUT", "approval", R"("attempts":0)")});
}

TEST_CASE("nobody listening: no event is written, and only a gate asks for the hash", "[domain]") {
    Plane plane(one(kGate), "{}");
    const Ended gated = plane.invoke();
    CHECK(gated.asked == "hash store");
    CHECK(plane.asks[1].text.find(hash_of(kInput)) != std::string::npos);
    CHECK(gated.events.empty());
    CHECK(Plane(one(), "{}").invoke().asked == "execute");
}

TEST_CASE("durations are of the wall clock from the request on, and never negative", "[domain]") {
    Plane plane(one(policies_of({{"p", "invocation"}})));
    plane.takes = 7;
    CHECK(plane.invoke().events.back() == R"(completed {"durationMs":21,"attempts":1})");
    plane.takes = -400;
    CHECK(plane.invoke().events.back() == R"(completed {"durationMs":0,"attempts":1})");
    plane.on(Ask::execute, Told::timed_out);
    CHECK(plane.invoke().events.back() == R"(cancelled {"code":"TIMEOUT","durationMs":0})");
    plane.takes = 0.5;
    plane.on(Ask::execute, Told::stopped);
    CHECK(plane.invoke().events.back() == R"(cancelled {"code":"CANCELLED","durationMs":1.5})");
}

}  // namespace
