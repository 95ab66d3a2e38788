// A resume: the checks in their order, what burns the approval and what does not (spec: domain.md §8.4).
#include "plane_driver.h"

namespace {

using namespace domain_test;
using Members = std::vector<std::pair<std::string, std::string>>;

Ended resumed(const Members& members, const std::string& guards = "null", const Nodes& nodes = one(kGate)) {
    Plane plane(nodes);
    return plane.resume({record(members), guards});
}
std::string failed_data(const std::string& code, const std::string& stage = "approval", const std::string& rest = "",
                        const std::string& retryable = "false") {
    return R"(failed {"code":")" + code + R"(","stage":")" + stage + R"(","retryable":)" + retryable +
           R"(,"attempts":0)" + rest + "}";
}

TEST_CASE("an approved call runs as its record says: hash, input, hash again, consumed, then policies", "[domain]") {
    Plane plane(one(kGate + policies_of({{"d", "discovery"}, {"i", "invocation"}, {"e", "execution"}}), "read",
                    "schema", "schema"));
    const Ended ended = plane.resume({record({{"correlationId", R"("corr")"}, {"surface", R"("direct")"}})});
    CHECK(ended.asked == "hash validate-input hash consume policies:execution execute validate-output");
    CHECK(ended.outcome == "completed");
    CHECK(ended.events ==
          Texts{R"(started {"attempt":1,"approvalId":"apr_7"})", R"(completed {"durationMs":0,"attempts":1})"});
    // The record's actor, surface and correlation id (decision 16), an execution of its own.
    for (const std::string& event : ended.whole)
        CHECK(event.find(R"("surface":"direct","actor":{"id":"u1","kind":"user"},"executionId":"exe_2",)"
                         R"("capabilityId":"x","correlationId":"corr","inputHash":")" +
                         hash_of(kInput) + "\"") != std::string::npos);

    Plane bare(one(kGate));
    CHECK(bare.resume({record()}).asked == "hash consume execute");
    CHECK(bare.asks[1].capability == 0);
}

TEST_CASE("what there is no record of is an internal error of the approval, by nobody, on direct", "[domain]") {
    for (const std::string& none : {std::string("null"), record({{"status", R"("done")"}}), record({{"actor", "null"}}),
                                    std::string("7"), std::string("{}")}) {
        Plane plane(one(kGate));
        const Ended ended = plane.resume({none});
        CHECK(ended.asked.empty());
        CHECK(ended.outcome == "failed INTERNAL_ERROR@approval");
        CHECK(ended.whole == Texts{R"({"type":"capability.failed","timestamp":1000,"surface":"direct",)"
                                   R"("actor":{"id":"unknown","kind":"anonymous"},"executionId":"exe_2","data":)" +
                                   failed_data("INTERNAL_ERROR").substr(7) + "}"});
    }
}

TEST_CASE("the checks of a record come in their order, and the first that fails is the answer", "[domain]") {
    // Each row mends what the row before failed on; all but the last leave more to find fault with.
    const std::string owner = R"({"actor":{"id":"u1","kind":"user"},"surface":"direct"})";
    const Members late = {{"expiresAt", "999"}}, own = {{"decision", R"({"approver":{"id":"u1","kind":"service"}})"}};
    const auto with = [](Members members, const Members& more) {
        members.insert(members.end(), more.begin(), more.end());
        return members;
    };
    const Members bad_hash = {{"inputHash", R"("00")"}}, gone = {{"capabilityId", R"("y")"}};
    const Members below = with(with(with(late, own), bad_hash), gone);
    const std::string stranger = R"({"actor":{"id":"u2","kind":"user"}})";
    CHECK(resumed(with(below, {{"status", R"("pending")"}}), stranger).outcome ==
          "failed APPROVAL_RESUME_MISMATCH@approval");
    const std::pair<std::string, std::string> rows[] = {
        {"pending", "APPROVAL_PENDING"}, {"rejected", "APPROVAL_REJECTED"}, {"consumed", "APPROVAL_CONSUMED"},
        {"expired", "APPROVAL_EXPIRED"}, {"approved", "APPROVAL_EXPIRED"},  {"cancelled", "APPROVAL_EXPIRED"}};
    for (const auto& [status, code] : rows) {
        const Ended ended = resumed(with(below, {{"status", "\"" + status + "\""}}), owner);
        CHECK(ended.asked.empty());
        CHECK(ended.outcome == "failed " + code + "@approval");
        CHECK(ended.events == Texts{failed_data(code, "approval", "", status == "pending" ? "true" : "false")});
        CHECK(ended.whole[0].find(R"("actor":{"id":"u1","kind":"user"})") != std::string::npos);
    }
    const Members in_time = with(with(own, bad_hash), gone);
    CHECK(resumed(with(in_time, {{"status", R"("cancelled")"}}), owner).outcome == "failed INTERNAL_ERROR@approval");
    CHECK(resumed(with(with(bad_hash, gone), {{"decision", ""}})).outcome == "failed INTERNAL_ERROR@approval");
    CHECK(resumed(in_time).outcome == "failed APPROVAL_SELF_APPROVAL@approval");
    const Ended mismatch = resumed(with(bad_hash, gone));
    CHECK(mismatch.asked == "hash");
    CHECK(mismatch.outcome == "failed APPROVAL_INPUT_MISMATCH@approval");
    CHECK(mismatch.events == Texts{failed_data("APPROVAL_INPUT_MISMATCH")});
    const Ended unknown = resumed(gone);
    CHECK(unknown.asked == "hash");
    CHECK(unknown.events == Texts{R"(denied {"reason":"unknown","publicCode":"CAPABILITY_NOT_FOUND"})"});
}

TEST_CASE("an approval is good until its deadline, and a clock that ran backwards makes it good again", "[domain]") {
    Plane plane(one(kGate));
    plane.now = 5000;
    CHECK(plane.resume({record()}).outcome == "completed");
    plane.now = 5001;
    CHECK(plane.resume({record()}).outcome == "failed APPROVAL_EXPIRED@approval");
    plane.now = -5;
    CHECK(plane.resume({record()}).outcome == "completed");
}

TEST_CASE("whoever may not resume learns nothing, and the evidence names him, not the owner", "[domain]") {
    const Texts strangers = {R"({"actor":{"id":"u2","kind":"user"}})",
                             R"({"actor":{"id":"u1","kind":"service"}})",
                             R"({"surface":"mcp"})",
                             R"({"actor":{"id":"u1","kind":"user"},"surface":"aiSdk"})",
                             R"({"actor":null})",
                             R"({"actor":{"id":"u1"}})",
                             R"({"surface":7})",
                             R"({"surface":""})",
                             R"({"surface":"?"})",
                             R"({"surface":null})",
                             R"({"$is":"function"})",
                             "7",
                             "[]"};
    for (const std::string& guards : strangers)
        for (const char* status : {"pending", "approved", "consumed"}) {
            INFO(guards);
            const Ended ended = resumed({{"status", "\"" + std::string(status) + "\""}}, guards);
            CHECK(ended.asked.empty());
            CHECK(ended.outcome == "failed APPROVAL_RESUME_MISMATCH@approval");
            CHECK(ended.events == Texts{failed_data("APPROVAL_RESUME_MISMATCH")});
        }
    const Ended named = resumed({}, R"({"actor":{"id":"u2","kind":"service"},"surface":"mcp"})");
    CHECK(named.whole[0].find(R"("surface":"mcp","actor":{"id":"u2","kind":"service"})") != std::string::npos);
    CHECK(resumed({}, R"({"surface":"nowhere"})").whole[0].find(R"("surface":"direct")") != std::string::npos);

    // Same message and stage as an unknown one.
    const auto unknown = json(resumed({{"id", ""}}).error), refused = json(named.error);
    for (const char* key : {"stage", "publicMessage", "retryable", "exposeToModel"})
        CHECK(unknown.root().find(key).raw() == refused.root().find(key).raw());
}

TEST_CASE("the owner may resume on his surface; without guards anybody may", "[domain]") {
    for (const char* guards : {"null", "{}", R"({"actor":{"id":"u1","kind":"user"}})", R"({"surface":"direct"})",
                               R"({"actor":{"id":"u1","kind":"user","displayName":"other"},"surface":"direct"})"})
        CHECK(resumed({}, guards).outcome == "completed");
}

TEST_CASE("an approval by the requester himself does not count, unless the guard is off", "[domain]") {
    const Resume own{record({{"decision", R"({"approver":{"id":"u1","kind":"service"}})"}})};
    CHECK(Plane(one(kGate)).resume(own).outcome == "failed APPROVAL_SELF_APPROVAL@approval");
    CHECK(Plane(one(kGate), R"({"approvals":{"rejectSelfApproval":false}})").resume(own).outcome == "completed");
}

TEST_CASE("a withdrawn exposure conceals and burns nothing", "[domain]") {
    // Decision 3.
    const Ended ended = resumed({{"surface", R"("mcp")"}});
    CHECK(ended.asked == "hash");
    CHECK(ended.outcome == "failed CAPABILITY_NOT_FOUND@discovery");
    CHECK(ended.events == Texts{R"(denied {"reason":"not-exposed","publicCode":"CAPABILITY_NOT_FOUND"})"});
    CHECK(resumed({{"surface", R"("nowhere")"}}).outcome == "failed CAPABILITY_NOT_FOUND@discovery");
}

TEST_CASE("a schema that became stricter refuses before the approval is consumed, and hidden conceals that too",
          "[domain]") {
    const Ended ended =
        Plane(one(kGate, "read", "schema")).on(Ask::validate_input, Told::invalid, "[]").resume({record()});
    CHECK(ended.asked == "hash validate-input");
    CHECK(ended.outcome == "failed INPUT_INVALID@input-validation");
    CHECK(ended.events == Texts{failed_data("INPUT_INVALID", "input-validation")});

    const Ended hidden = Plane(one(kGate + policies_of({{"d", "discovery"}}), "read", "schema"))
                             .on(Ask::validate_input, Told::invalid, "[]")
                             .on(Ask::run_policies, Told::batch, decision("hide"))
                             .resume({record()});
    CHECK(hidden.asked == "hash validate-input policies:discovery");
    CHECK(hidden.outcome == "failed CAPABILITY_NOT_FOUND@discovery");
}

TEST_CASE("what validation makes of the stored input must be what was approved", "[domain]") {
    // Decision 1. Key order does not matter, a changed value does.
    const auto second = [](Told told, const std::string& text) {
        return Plane(one(kGate, "read", "schema"))
            .on(Ask::hash_input, Told::hashed, kInput)
            .on(Ask::hash_input, told, text)
            .resume({record()});
    };
    CHECK(second(Told::hashed, R"({"a":[2],"b":1})").outcome == "completed");
    for (const auto& [told, text] : {std::pair<Told, std::string>{Told::hashed, R"({"a":[2],"b":1,"c":0})"},
                                     {Told::hashed, "{"},
                                     {Told::unhashable, ""}}) {
        const Ended ended = second(told, text);
        CHECK(ended.asked == "hash validate-input hash");
        CHECK(ended.outcome == "failed APPROVAL_INPUT_MISMATCH@approval");
        CHECK(ended.error.find(R"("exposeToModel":false)") != std::string::npos);
    }
    for (const Told told : {Told::unhashable, Told::hashed}) {
        const Ended ended = Plane(one(kGate)).on(Ask::hash_input, told, "[1").resume({record()});
        CHECK(ended.asked == "hash");
        CHECK(ended.outcome == "failed APPROVAL_INPUT_MISMATCH@approval");
    }
}

TEST_CASE("an approval that was spent meanwhile is not spent twice", "[domain]") {
    const Ended ended = Plane(one(kGate)).on(Ask::consume_approval, Told::refused).resume({record()});
    CHECK(ended.asked == "hash consume");
    CHECK(ended.outcome == "failed APPROVAL_CONSUMED@approval");
    CHECK(ended.events == Texts{failed_data("APPROVAL_CONSUMED")});
}

TEST_CASE("an execution policy that denies after consumption burns the approval", "[domain]") {
    // Decision 9.
    const Ended ended = Plane(one(kGate + policies_of({{"e", "execution"}})))
                            .on(Ask::run_policies, Told::batch, decision("deny"))
                            .resume({record()});
    CHECK(ended.asked == "hash consume policies:execution");
    CHECK(ended.events ==
          Texts{failed_data("POLICY_DENIED", "policy", R"(,"policyDecisions":[{"policy":"e","type":"deny"}])")});
}

TEST_CASE("a resume has its approval: no demand of an execution policy asks for another", "[domain]") {
    const Ended ended = Plane(one(kGate + policies_of({{"e", "execution"}})), kInline)
                            .on(Ask::run_policies, Told::batch, decision("require-approval", R"(,"reason":"r")"))
                            .resume({record()});
    CHECK(ended.asked == "hash consume policies:execution execute");
    CHECK(ended.outcome == "completed");
}

}  // namespace
