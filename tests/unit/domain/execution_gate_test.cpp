// Stage 8 and 9b: a call that needs an approval is stored, or decided inline; never run without.
#include "plane_driver.h"

namespace {

using namespace domain_test;

const std::string kRequested = R"(requested {"sideEffect":"read","risk":"low"})";
const std::string kApproved = R"({"status":"approved","approver":{"id":"boss","kind":"user","secret":1}})";

std::string asked_event(const std::string& reasons, const std::string& expires_at = "901000") {
    return R"(approval_requested {"approvalId":"apr_1","reasons":)" + reasons + R"(,"types":[],"expiresAt":)" +
           expires_at + "}";
}
const std::string kStatic = R"(["This operation needs an approval"])";
std::string demand(const std::string& reason, const std::string& more = "") {
    return R"({"type":"require-approval","reason":")" + reason + "\"" + more + "}";
}
std::string failed_data(const std::string& code, const std::string& rest = "") {
    return R"(failed {"code":")" + code + R"(","stage":"approval","retryable":false,"attempts":0)" + rest + "}";
}
const std::string kBossEvent = R"( {"approvalId":"apr_1","approver":{"id":"boss","kind":"user"}})";

TEST_CASE("a gated call is stored with its hash and told of only after that; it has no terminal event", "[domain]") {
    Plane plane(one(kGate));
    const Ended ended = plane.invoke();
    CHECK(ended.asked == "hash store");
    CHECK(ended.outcome == "approval-required");
    CHECK(plane.asks[1].text == R"({"id":"apr_1","inputHash":")" + hash_of(kInput) + R"(","reasons":)" + kStatic +
                                    R"(,"types":[],"requestedAt":1000,"expiresAt":901000})");
    CHECK(ended.events == Texts{kRequested, asked_event(kStatic)});
    CHECK(ended.whole[1].find(R"("executionId":"exe_1")") != std::string::npos);
    CHECK(ended.whole[1].find(R"("inputHash":")" + hash_of(kInput)) != std::string::npos);

    const Ended refused = plane.on(Ask::store_approval, Told::refused).invoke();
    CHECK(refused.outcome == "failed INTERNAL_ERROR@approval");
    CHECK(refused.events == Texts{kRequested, failed_data("INTERNAL_ERROR")});
}

TEST_CASE("the deadline counts from the moment of asking, and the clock may have run backwards since", "[domain]") {
    Plane plane(one(R"(,"approval":{"required":true,"expiresInMs":60})"));
    plane.takes = -300;
    const Ended ended = plane.invoke();
    // Asked after the hash, at 700; stored at 400.
    CHECK(plane.asks[1].text.find(R"("requestedAt":700,"expiresAt":760)") != std::string::npos);
    CHECK(ended.whole[1].find(R"("timestamp":400)") != std::string::npos);
    CHECK(ended.events[1] == asked_event(kStatic, "760"));
}

TEST_CASE("every demand of a batch becomes one request, with the shortest lifetime of all", "[domain]") {
    Plane plane(one(R"(,"approval":{"required":true,"type":"static","expiresInMs":70000})" +
                    policies_of({{"p", "invocation"}, {"q", "invocation"}})));
    const std::string said = "[" + demand("first", R"(,"approvalType":"money","expiresInMs":60000)") + "," +
                             demand("second", R"(,"approvalType":"static","expiresInMs":30000)") + "]";
    const Ended ended = plane.on(Ask::run_policies, Told::batch, said).invoke();
    CHECK(ended.asked == "hash policies:invocation store");
    CHECK(ended.events[1] ==
          R"(approval_requested {"approvalId":"apr_1","reasons":["This operation needs an approval","first","second"],)"
          R"("types":["static","money"],"expiresAt":31000})");
}

TEST_CASE("a policy alone can demand the approval", "[domain]") {
    Plane plane(one(policies_of({{"p", "invocation"}})));
    const Ended ended = plane.on(Ask::run_policies, Told::batch, "[" + demand("r") + "]").invoke();
    CHECK(ended.outcome == "approval-required");
    CHECK(ended.events == Texts{kRequested, asked_event(R"(["r"])")});
}

TEST_CASE("approved inline the same execution goes on, and nothing is stored", "[domain]") {
    Plane plane(one(kGate + policies_of({{"e", "execution"}})), kInline);
    const Ended ended = plane.on(Ask::decide_inline, Told::decided, kApproved).invoke();
    CHECK(ended.asked == "hash decide policies:execution execute");
    CHECK(ended.outcome == "completed");
    CHECK(ended.events == Texts{kRequested, asked_event(kStatic), "approved" + kBossEvent,
                                R"(started {"attempt":1,"approvalId":"apr_1"})",
                                R"(completed {"durationMs":0,"attempts":1})"});
    // Decision 8: the approver is the envelope's actor, inline, too; the execution is named.
    CHECK(ended.whole[2].find(R"("surface":"direct","actor":{"id":"boss","kind":"user"},"executionId":"exe_1",)"
                              R"("capabilityId":"x","inputHash":")") != std::string::npos);
    CHECK(ended.whole[3].find(R"("actor":{"id":"u1","kind":"user"})") != std::string::npos);
    CHECK(plane.asks[1].text.find(R"("id":"apr_1","inputHash":")" + hash_of(kInput)) != std::string::npos);
}

TEST_CASE("rejected inline the call fails, after the rejection was told", "[domain]") {
    Plane plane(one(kGate), kInline);
    const Ended ended = plane
                            .on(Ask::decide_inline, Told::decided,
                                R"({"status":"rejected","comment":"no","approver":{"id":"boss","kind":"user"}})")
                            .invoke();
    CHECK(ended.asked == "hash decide");
    CHECK(ended.outcome == "failed APPROVAL_REJECTED@approval");
    CHECK(ended.events == Texts{kRequested, asked_event(kStatic),
                                R"(rejected {"approvalId":"apr_1","approver":{"id":"boss","kind":"user"},)"
                                R"("comment":"no"})",
                                failed_data("APPROVAL_REJECTED")});
}

TEST_CASE("nobody approves inline what he asked for himself, unless the guard is off", "[domain]") {
    // The id decides: the same id as another kind of actor is the same person.
    for (const char* kind : {"user", "service"}) {
        const std::string own = R"({"status":"approved","approver":{"id":"u1","kind":")" + std::string(kind) + R"("}})";
        Plane plane(one(kGate), kInline);
        const Ended ended = plane.on(Ask::decide_inline, Told::decided, own).invoke();
        CHECK(ended.outcome == "failed APPROVAL_SELF_APPROVAL@approval");
        REQUIRE(ended.events.size() == 4);
        CHECK(ended.events[2].find("approved ") == 0);
        CHECK(ended.events[3] == failed_data("APPROVAL_SELF_APPROVAL"));

        Plane open(one(kGate), R"({"audit":{"sinks":1},"approvals":{"handler":true,"rejectSelfApproval":false}})");
        CHECK(open.on(Ask::decide_inline, Told::decided, own).invoke().outcome == "completed");
    }
}

TEST_CASE("a handler that decides nothing leaves the request to the store; it was told of once", "[domain]") {
    Plane plane(one(kGate), kInline);
    const Ended ended = plane.invoke();
    CHECK(ended.asked == "hash decide store");
    CHECK(plane.asks[2].text.empty());
    CHECK(ended.outcome == "approval-required");
    CHECK(ended.events == Texts{kRequested, asked_event(kStatic)});
}

TEST_CASE("a handler that throws or decides nonsense is an internal error of the approval, and nothing runs",
          "[domain]") {
    const Texts nonsense = {"",
                            "{",
                            "null",
                            "[]",
                            "true",
                            "{}",
                            R"({"status":"approved"})",
                            R"({"status":"Approved","approver":{"id":"boss","kind":"user"}})",
                            R"({"status":"consumed","approver":{"id":"boss","kind":"user"}})",
                            R"({"status":"approved","approver":{"id":"","kind":"user"}})",
                            R"({"status":"approved","approver":{"id":"boss","kind":"root"}})",
                            R"({"status":"approved","comment":7,"approver":{"id":"boss","kind":"user"}})",
                            R"({"$is":"function"})"};
    for (const std::string& said : nonsense) {
        INFO(said);
        Plane plane(one(kGate), kInline);
        const Ended ended = plane.on(Ask::decide_inline, Told::decided, said).invoke();
        CHECK(ended.asked == "hash decide");
        CHECK(ended.outcome == "failed INTERNAL_ERROR@approval");
        CHECK(ended.events == Texts{kRequested, asked_event(kStatic), failed_data("INTERNAL_ERROR")});
    }
    for (const Told told : {Told::refused, Told::broke}) {
        Plane plane(one(kGate), kInline);
        const Ended ended = plane.on(Ask::decide_inline, told, kApproved).invoke();
        CHECK(ended.outcome == "failed INTERNAL_ERROR@approval");
    }
}

TEST_CASE("an execution policy that demands an approval opens the gate then (9b)", "[domain]") {
    const std::string wanted = "[" + demand("late") + "]";
    Plane stored(one(policies_of({{"e", "execution"}})));
    const Ended suspended = stored.on(Ask::run_policies, Told::batch, wanted).invoke();
    CHECK(suspended.asked == "hash policies:execution store");
    CHECK(suspended.outcome == "approval-required");
    CHECK(suspended.events == Texts{kRequested, asked_event(R"(["late"])")});

    // Approved inline it starts: no policy is asked twice.
    Plane inline_plane(one(policies_of({{"e", "execution"}})), kInline);
    const Ended ended = inline_plane.on(Ask::run_policies, Told::batch, wanted)
                            .on(Ask::decide_inline, Told::decided, kApproved)
                            .invoke();
    CHECK(ended.asked == "hash policies:execution decide execute");
    CHECK(ended.events[3] == R"(started {"attempt":1,"approvalId":"apr_1"})");

    const std::string stances = R"(,"policyDecisions":[{"policy":"e","type":"require-approval"}])";
    Plane no_hash(one(policies_of({{"e", "execution"}})));
    const Ended unhashable =
        no_hash.on(Ask::hash_input, Told::unhashable).on(Ask::run_policies, Told::batch, wanted).invoke();
    CHECK(unhashable.events == Texts{kRequested, failed_data("APPROVAL_UNSERIALIZABLE_INPUT", stances)});
}

TEST_CASE("an approval that was given at stage 8 satisfies a demand at stage 9", "[domain]") {
    Plane plane(one(kGate + policies_of({{"e", "execution"}})), kInline);
    const Ended ended = plane.on(Ask::decide_inline, Told::decided, kApproved)
                            .on(Ask::run_policies, Told::batch, "[" + demand("again") + "]")
                            .invoke();
    CHECK(ended.asked == "hash decide policies:execution execute");
    CHECK(ended.outcome == "completed");
}

TEST_CASE("a refusal outranks a demand: what is denied is not asked an approval for", "[domain]") {
    Plane plane(one(kGate + policies_of({{"p", "invocation"}, {"q", "invocation"}})));
    const Ended ended = plane.on(Ask::run_policies, Told::batch, "[" + demand("r") + R"(,{"type":"deny"}])").invoke();
    CHECK(ended.outcome == "failed POLICY_DENIED@policy");
    CHECK(ended.asked == "hash policies:invocation");
}

}  // namespace
