// A stored record as resume reads it, and the order of a resume's checks.
#include <set>

#include "domain/approval.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::ActorFacts;
using domain::ApprovalStatus;
using domain::ResumeGuards;
using domain::StoredApproval;

const Texts kMembers = {R"("id":"apr_1")",       R"("capabilityId":"ledger.close")",
                        R"("surface":"mcp")",    R"("actor":{"id":"u1","kind":"user","displayName":"secret"})",
                        R"("inputHash":"ab12")", R"("status":"approved")",
                        R"("expiresAt":100)"};

/// The record, with the member at `at` replaced by `member`, or dropped where that is empty; more after them.
std::string record_text(std::size_t at = 99, const std::string& member = "", const std::string& more = "") {
    std::string out;
    for (std::size_t i = 0; i < kMembers.size(); ++i) {
        const std::string& text = i == at ? member : kMembers[i];
        if (!text.empty()) out += (out.empty() ? "" : ",") + text;
    }
    return "{" + out + more + "}";
}
bool is_readable(const std::string& text) {
    const auto document = json(text);
    return domain::read_stored_approval(document.root()).has_value();
}

TEST_CASE("a stored record is read with its actor, and with its decision where there is one", "[domain]") {
    const auto document = json(record_text(
        99, "",
        R"(,"correlationId":"corr","decision":{"status":"approved","approver":{"id":"boss","kind":"service"}})"));
    const auto record = domain::read_stored_approval(document.root());
    REQUIRE(record);
    CHECK(record->id == "apr_1");
    CHECK(record->capability_id == "ledger.close");
    CHECK(record->surface == "mcp");
    CHECK(record->correlation_id == "corr");
    CHECK(record->input_hash == "ab12");
    CHECK(record->actor.id == "u1");
    CHECK(record->actor.kind == "user");
    CHECK(record->actor.is_well_formed);
    CHECK(record->status == ApprovalStatus::approved);
    CHECK(record->expires_at == 100);
    CHECK(record->has_decision);
    CHECK(record->approver_id == "boss");
    CHECK(record->approver_kind == "service");

    const auto bare = json(record_text());
    const auto undecided = domain::read_stored_approval(bare.root());
    REQUIRE(undecided);
    CHECK(undecided->correlation_id.empty());
    CHECK_FALSE(undecided->has_decision);
}

TEST_CASE("a record that lacks a member, or has another kind of value there, is none", "[domain]") {
    CHECK(is_readable(record_text()));
    const Texts keys = {"id", "capabilityId", "surface", "actor", "inputHash", "status", "expiresAt"};
    for (std::size_t at = 0; at < keys.size(); ++at) {
        INFO(keys[at]);
        CHECK_FALSE(is_readable(record_text(at, "")));
        for (const std::string odd : {"null", "true", "[]", "{}", R"("")", R"({"$is":"NaN"})", R"({"$is":"undefined"})",
                                      R"({"id":"u1","kind":"root"})"})
            CHECK_FALSE(is_readable(record_text(at, "\"" + keys[at] + "\":" + odd)));
        if (keys[at] != "expiresAt") CHECK_FALSE(is_readable(record_text(at, "\"" + keys[at] + "\":7")));
    }
    for (const std::string status : {"Approved", "done", "approve"})
        CHECK_FALSE(is_readable(record_text(5, R"("status":")" + status + "\"")));
    CHECK_FALSE(is_readable(record_text(6, R"("expiresAt":"100")")));
    for (const char* none : {"null", "7", R"("apr_1")", "[]", R"({"$is":"function"})", "{}"})
        CHECK_FALSE(is_readable(none));
    CHECK_FALSE(domain::read_stored_approval({}));
}

TEST_CASE("a decision by nobody is no decision", "[domain]") {
    for (const std::string decision :
         {"null", "[]", "7", "{}", R"({"approver":null})", R"({"approver":{"id":"","kind":"user"}})",
          R"({"approver":{"id":"boss"}})", R"({"approver":{"id":"boss","kind":"root"}})",
          R"({"approver":{"id":7,"kind":"user"}})", R"({"$is":"unreadable"})"}) {
        const auto document = json(record_text(99, "", R"(,"decision":)" + decision));
        const auto record = domain::read_stored_approval(document.root());
        REQUIRE(record);
        INFO(decision);
        CHECK_FALSE(record->has_decision);
        CHECK(domain::check_resume(*record, {}, true, 0) == "INTERNAL_ERROR");
    }
}

const ActorFacts kOwner{"u1", domain::actor_kinds::kUser, true};

/// Approved by somebody else, good until 100.
StoredApproval good() {
    StoredApproval record;
    record.id = "apr_1";
    record.capability_id = "ledger.close";
    record.surface = "mcp";
    record.input_hash = "ab12";
    record.actor = kOwner;
    record.status = ApprovalStatus::approved;
    record.expires_at = 100;
    record.has_decision = true;
    record.approver_id = "boss";
    record.approver_kind = "user";
    return record;
}

/// Every combination of what a resume looks at.
struct Case {
    int guard;  // 0 none, 1 owner, 2 owner and surface, 3 other id, 4 other kind, 5 malformed, 6 other surface
    int status;
    bool late, decided, self, rejects_self;
};
ResumeGuards guards_of(int guard) {
    ResumeGuards guards;
    guards.wants_actor = guard >= 1 && guard <= 5;
    guards.actor = kOwner;
    if (guard == 3) guards.actor.id = "u2";
    if (guard == 4) guards.actor.kind = domain::actor_kinds::kService;
    if (guard == 5) guards.actor.is_well_formed = false;
    if (guard == 2) guards.surface = "mcp";
    if (guard == 6) guards.surface = "direct";
    return guards;
}

/// The checks in the order of the specification: what fails, with the code that it gives.
std::vector<std::pair<bool, std::string>> checks_of(const Case& it) {
    const std::string_view status = domain::kApprovalStatuses[static_cast<std::size_t>(it.status)];
    return {{it.guard >= 3, "APPROVAL_RESUME_MISMATCH"},
            {status == "pending", "APPROVAL_PENDING"},
            {status == "rejected", "APPROVAL_REJECTED"},
            {status == "consumed", "APPROVAL_CONSUMED"},
            {status == "expired" || it.late, "APPROVAL_EXPIRED"},
            {status == "cancelled" || !it.decided, "INTERNAL_ERROR"},
            {it.decided && it.self && it.rejects_self, "APPROVAL_SELF_APPROVAL"}};
}

template <class Each>
void for_each_case(Each each) {
    for (int guard = 0; guard <= 6; ++guard)
        for (int status = 0; status < domain::kApprovalStatusCount; ++status)
            for (int flags = 0; flags < 16; ++flags)
                each(Case{guard, status, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, (flags & 8) != 0});
}

TEST_CASE("of all checks of a resume that fail at once the earliest gives the code", "[domain]") {
    std::set<std::pair<std::size_t, std::size_t>> together;
    for_each_case([&together](const Case& it) {
        StoredApproval record = good();
        record.status = static_cast<ApprovalStatus>(it.status);
        record.has_decision = it.decided;
        if (!it.decided) record.approver_id = record.approver_kind = {};
        if (it.decided && it.self) record.approver_id = "u1";
        const auto checks = checks_of(it);
        std::string expected = "none";
        for (std::size_t at = checks.size(); at-- > 0;) {
            if (!checks[at].first) continue;
            expected = checks[at].second;
            for (std::size_t later = at + 1; later < checks.size(); ++later)
                if (checks[later].first) together.insert({at, later});
        }
        const auto code = domain::check_resume(record, guards_of(it.guard), it.rejects_self, it.late ? 100.001 : 100.0);
        INFO("guard " << it.guard << " status " << it.status << " late " << it.late << " decided " << it.decided
                      << " self " << it.self << " rejects " << it.rejects_self);
        CHECK(std::string(code.value_or("none")) == expected);
    });
    // Every pair but the three of two statuses, which no record has at once.
    CHECK(together.size() == 21 - 3);
}

TEST_CASE("an approved record in time, of somebody else, may be resumed by its owner and by whoever is not asked",
          "[domain]") {
    for (const int guard : {0, 1, 2}) CHECK_FALSE(domain::check_resume(good(), guards_of(guard), true, 50));
}

TEST_CASE("an approval holds until its very deadline and not a moment longer", "[domain]") {
    CHECK_FALSE(domain::check_resume(good(), {}, true, 100));
    CHECK(domain::check_resume(good(), {}, true, 100.0000001) == "APPROVAL_EXPIRED");
}

TEST_CASE("the guard looks at id and kind, self-approval at the id alone", "[domain]") {
    CHECK(domain::check_resume(good(), guards_of(4), true, 0) == "APPROVAL_RESUME_MISMATCH");
    StoredApproval record = good();
    record.approver_id = "u1";
    record.approver_kind = "service";
    CHECK(domain::check_resume(record, {}, true, 0) == "APPROVAL_SELF_APPROVAL");
    CHECK_FALSE(domain::check_resume(record, {}, false, 0));
}

TEST_CASE("a guard that is malformed matches nobody, not even a record that reads the same", "[domain]") {
    StoredApproval record = good();
    record.actor = {"unknown", domain::actor_kinds::kAnonymous, true};
    ResumeGuards guards;
    guards.wants_actor = true;
    guards.actor = domain::read_actor(json("7").root());
    CHECK(domain::check_resume(record, guards, true, 0) == "APPROVAL_RESUME_MISMATCH");
}

}  // namespace
