// The life of a record over the full product of states and inputs, and what a decision needs.
#include "domain/approval.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::ApprovalInput;
using domain::ApprovalStatus;

const Texts kNames = {"pending", "approved", "rejected", "expired", "cancelled", "consumed"};

TEST_CASE("a status has one name, and no other text is one", "[domain]") {
    for (std::size_t at = 0; at < kNames.size(); ++at)
        CHECK(domain::approval_status_named(kNames[at]) == static_cast<ApprovalStatus>(at));
    for (const char* other : {"", "Pending", "approve", "withdrawn", " consumed"})
        CHECK_FALSE(domain::approval_status_named(other));
}

TEST_CASE("pending takes approve, reject, lapse and withdraw, approved only consume, the others nothing", "[domain]") {
    // Columns: approve, reject, lapse, withdraw, consume.
    const std::string table[domain::kApprovalStatusCount][domain::kApprovalInputCount] = {
        {"approved", "rejected", "expired", "cancelled", "-"},
        {"-", "-", "-", "-", "consumed"},
        {"-", "-", "-", "-", "-"},
        {"-", "-", "-", "-", "-"},
        {"-", "-", "-", "-", "-"},
        {"-", "-", "-", "-", "-"}};
    for (int status = 0; status < domain::kApprovalStatusCount; ++status)
        for (int input = 0; input < domain::kApprovalInputCount; ++input) {
            const auto next =
                domain::next_approval_status(static_cast<ApprovalStatus>(status), static_cast<ApprovalInput>(input));
            INFO(kNames[static_cast<std::size_t>(status)] << " takes " << input);
            CHECK((next ? kNames[static_cast<std::size_t>(*next)] : "-") == table[status][input]);
        }
}

TEST_CASE("only a pending record that is strictly past its deadline reads as expired", "[domain]") {
    for (std::size_t at = 0; at < kNames.size(); ++at)
        for (const double now : {-1.0, 99.0, 100.0, 100.5, 1e300}) {
            const auto status = static_cast<ApprovalStatus>(at);
            const auto expected = at == 0 && now > 100 ? ApprovalStatus::expired : status;
            INFO(kNames[at] << " at " << now);
            CHECK(domain::status_at(status, 100, now) == expected);
        }
}

const std::string kApprover = R"({"id":"boss","kind":"user"})";

std::string stored(const std::string& decision, const std::string& status = R"("pending")",
                   const std::string& expires_at = "100") {
    return R"({"status":)" + status + R"(,"expiresAt":)" + expires_at + R"(,"decision":)" + decision + "}";
}
std::string decision(const std::string& status, const std::string& approver = kApprover, const std::string& more = "") {
    return R"({"status":)" + status + R"(,"approver":)" + approver + more + "}";
}
const std::string kApprove = decision(R"("approved")");

/// The place of the refusal; empty when it may be decided.
std::string refused_at(const host_protocol::Status& status) {
    if (status) return {};
    CHECK(status.error().code == "INVALID_DEFINITION");
    CHECK(status.error().message.substr(0, status.error().path.size() + 4) == status.error().path + " is ");
    return status.error().path;
}
std::string refused(const std::string& facts, double now = 50) {
    return refused_at(domain::check_decision(json(facts).root(), now));
}
std::string refused_inline(const std::string& facts) {
    return refused_at(domain::check_inline_decision(json(facts).root()));
}

TEST_CASE("a pending record takes approved and rejected from a well-formed approver, until its deadline", "[domain]") {
    for (const std::string status : {R"("approved")", R"("rejected")"})
        for (const std::string comment : {"", R"(,"comment":"")", R"(,"comment":"fine")", R"(,"other":7)"}) {
            CHECK(refused(stored(decision(status, kApprover, comment)), 50).empty());
            CHECK(refused(stored(decision(status, kApprover, comment)), 100).empty());
            CHECK(refused(stored(decision(status, kApprover, comment)), 100.5) == "status");
            CHECK(refused_inline(decision(status, kApprover, comment)).empty());
        }
}

TEST_CASE("a decision of another status, of nobody or with a comment that is no text is refused, inline too",
          "[domain]") {
    const auto both = [](const std::string& facts, const std::string& place) {
        INFO(facts);
        CHECK(refused(stored(facts)) == place);
        CHECK(refused_inline(facts) == place);
    };
    for (const std::string none : {"null", "7", "true", R"("approved")", "[]", R"({"$is":"function"})"})
        both(none, "decision");
    for (const std::string status : {"null", "7", "true", R"("pending")", R"("expired")", R"("cancelled")",
                                     R"("consumed")", R"("approve")", R"("Approved")", R"("")", R"(["approved"])"})
        both(decision(status), "decision.status");
    both(R"({"approver":)" + kApprover + "}", "decision.status");
    for (const std::string approver :
         {"null", R"("boss")", "[]", "{}", R"({"id":"boss"})", R"({"id":"","kind":"user"})",
          R"({"id":7,"kind":"user"})", R"({"id":"boss","kind":"root"})", R"({"$is":"undefined"})"})
        both(decision(R"("approved")", approver), "decision.approver");
    both(R"({"status":"approved"})", "decision.approver");
    for (const std::string comment : {"null", "7", "[]", R"({"$is":"symbol"})"})
        both(decision(R"("rejected")", kApprover, R"(,"comment":)" + comment), "decision.comment");
}

TEST_CASE("a record that is not pending any more, or is malformed, takes no decision", "[domain]") {
    for (const std::string& name : kNames)
        CHECK(refused(stored(kApprove, "\"" + name + "\"")) == (name == "pending" ? "" : "status"));
    for (const std::string status : {"null", "0", R"("open")", R"(["pending"])"})
        CHECK(refused(stored(kApprove, status)) == "status");
    for (const std::string time : {"null", R"("100")", R"({"$is":"NaN"})", R"({"$is":"Infinity"})"})
        CHECK(refused(stored(kApprove, R"("pending")", time)) == "expiresAt");
    for (const std::string none : {"null", "7", "[]", R"({"$is":"function"})"}) CHECK(refused(none) == "approval");
    CHECK(refused(R"({"status":"pending","expiresAt":100})") == "decision");
    CHECK(refused_at(domain::check_decision({}, 0)) == "approval");
    CHECK(refused_at(domain::check_inline_decision({})) == "decision");
}

TEST_CASE("a refusal names what was found and what is allowed", "[domain]") {
    const auto sentence = [](const std::string& facts, double now) {
        return domain::check_decision(json(facts).root(), now).error().message;
    };
    CHECK(sentence(stored(decision(R"("maybe")")), 0) ==
          R"(decision.status is the string "maybe"; approved or rejected is allowed)");
    CHECK(sentence(stored(kApprove, R"("consumed")"), 0) ==
          R"(status is the string "consumed"; only a pending approval can be decided)");
    CHECK(sentence(stored(kApprove), 101) ==
          R"(status is "expired": the deadline has passed; only a pending approval can be decided)");
}

TEST_CASE("whoever approves himself is not stopped here", "[domain]") {
    CHECK(refused(R"({"status":"pending","expiresAt":100,"actor":)" + kApprover + R"(,"decision":)" + kApprove + "}")
              .empty());
}

}  // namespace
