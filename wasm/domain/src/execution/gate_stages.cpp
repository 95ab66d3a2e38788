// Stage 8: a call that needs an approval asks for one, inline or stored (spec: domain.md §8.2).
#include "domain/value_facts.h"
#include "execution/execution.h"
#include "host_protocol/json_out.h"

namespace domain {
namespace {

using host_protocol::JsonDocument;
using host_protocol::JsonValue;

std::string text_list(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (const std::string& text : texts) {
        if (out.size() > 1) out += ',';
        host_protocol::append_json_string(out, text);
    }
    return out + ']';
}

}  // namespace

Step Execution::open_gate(const std::vector<ApprovalDemand>& demands, double now) {
    merged_ = merge_approvals(capability(), demands, around_.options);
    return hash_tried_ ? request_approval(now) : hash(HashFor::gate);
}

ApprovalNote Execution::note() const {
    return {approval_id_, text_list(merged_->reasons), text_list(merged_->types), requested_at_ + merged_->lifetime_ms};
}

Step Execution::request_approval(double now) {
    if (aborted_) return cancel(codes::kCancelled, now);
    if (input_hash_.empty()) return fail(failure_of(codes::kApprovalUnserializableInput), now);
    // At most one approval belongs to an execution, so that it can share the random part of its id.
    const std::size_t mark = execution_id_.find('_');
    approval_id_ = "apr_" + execution_id_.substr(mark == std::string::npos ? 0 : mark + 1);
    requested_at_ = now;
    const ApprovalNote asked_for = note();
    std::string facts = "{";
    host_protocol::append_text_member(facts, "id", asked_for.id);
    host_protocol::append_text_member(facts, "inputHash", input_hash_);
    host_protocol::append_json_member(facts, "reasons", asked_for.reasons);
    host_protocol::append_json_member(facts, "types", asked_for.types);
    host_protocol::append_number_member(facts, "requestedAt", requested_at_);
    host_protocol::append_number_member(facts, "expiresAt", asked_for.expires_at);
    facts += '}';
    if (!around_.options.has_handler) return ask(Ask::store_approval, 0, std::move(facts));
    // Decision 7: whoever asks inline is told before.
    around_.audit.approval_requested(envelope(), asked_for, now);
    return ask(Ask::decide_inline, 0, std::move(facts));
}

Step Execution::decided_inline(Told told, std::string_view text, double now) {
    // For a caller that has gone meanwhile nothing is stored (decision 4).
    if (told == Told::undecided) return aborted_ ? cancel(codes::kCancelled, now) : ask(Ask::store_approval);
    const auto document = JsonDocument::read(std::string(text), kToldLimits);
    if (told == Told::refused || !document || !check_inline_decision(document->root()))
        return fail(failure_of(codes::kInternalError, stages::kApproval), now);

    const JsonValue decision = document->root();
    const ActorFacts approver = read_actor(decision.find("approver"));
    const bool approved = decision.find("status").string() == approval_statuses::kApproved;
    Envelope decided = envelope();
    decided.actor = &approver;
    around_.audit.decided(approved, decided, approval_id_, host_protocol::text_or(decision.find("comment"), ""), now);
    if (!approved) return fail(failure_of(codes::kApprovalRejected), now);
    if (around_.options.reject_self_approval && approver.id == actor_.id)
        return fail(failure_of(codes::kApprovalSelfApproval), now);
    return after_gate(now);
}

Step Execution::stored(Told told, double now) {
    if (told != Told::done) return fail(failure_of(codes::kInternalError, stages::kApproval), now);
    // Inline it was told already, before asking.
    if (!around_.options.has_handler) around_.audit.approval_requested(envelope(), note(), now);
    return finish(R"({"status":"approval-required"})");
}

Step Execution::after_gate(double now) { return gate_is_second_ ? start(now) : run_policies(Purpose::execution, now); }

}  // namespace domain
