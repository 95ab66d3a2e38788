#include "invocation/failure.h"

#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

namespace codes = host_protocol::codes;
namespace reasons = host_protocol::reasons;
namespace retry = host_protocol::retry;
using host_protocol::JsonType;
using host_protocol::JsonValue;

constexpr std::size_t kMaxMessageUnits = 300;
constexpr std::uint32_t kQueueRetryMs = 250;
constexpr std::uint32_t kTransientRetryMs = 1000;

}  // namespace

namespace failures {

Failure not_found() {
    return {
        codes::kCapabilityNotFound, retry::kAfterRefresh, "No such capability here. Look at the current catalog.", {}};
}

Failure not_available(std::string_view reason) {
    const std::string_view clipped =
        host_protocol::clip_utf16(reason.empty() ? reasons::kUnavailable : reason, kMaxMessageUnits);
    return {codes::kCapabilityNotAvailable, retry::kAfterRefresh,
            concat({"This capability is not available now: ", clipped}), one_member("reason", clipped)};
}

Failure ambiguous(std::string_view instances, std::size_t count) {
    std::string details = "{";
    append_json_member(details, "instances", instances);
    return {codes::kAmbiguousInstance, retry::kWithChanges,
            concat({std::to_string(count),
                    " or more instances have this capability. Name one with instanceId or registrationId."}),
            details + "}"};
}

Failure unmounted(std::string_view phase) {
    return {codes::kComponentUnmounted, retry::kAfterRefresh,
            "The component that offered this capability is gone. Look at the current catalog.",
            one_member("phase", phase)};
}

Failure stale(std::string_view reason, std::string_view live_registration_id) {
    std::string details = "{";
    append_text_member(details, "reason", reason);
    append_text_member(details, "liveRegistrationId", live_registration_id);
    return {codes::kStaleCapability, retry::kAfterRefresh,
            "This descriptor is of a component that was replaced since. Take the descriptor from the current catalog.",
            details + "}"};
}

Failure conflict() {
    return {codes::kInvocationConflict, retry::kWithChanges,
            "This invocation id was used for another request. Use a new one.",
            one_member("reason", reasons::kIdReusedWithDifferentRequest)};
}

Failure invalid_input_json(std::string_view issues) {
    std::string details = "{";
    append_json_member(details, "issues", issues);
    return {codes::kInvalidInput, retry::kWithChanges, "The input does not fit the schema; details.issues says where.",
            details + "}"};
}

Failure invalid_input(const std::vector<host_protocol::Issue>& issues) {
    return invalid_input_json(host_protocol::issues_json(issues));
}

Failure precondition(JsonValue payload) {
    const JsonValue details = payload.find("details");
    const bool kept = details.is(JsonType::object) && details.raw().size() <= kMaxDetailsBytes;
    return {codes::kPreconditionFailed, retry::kWithChanges,
            std::string(text_or(payload.find("message"), "A condition of this action does not hold now.")),
            std::string(kept ? details.raw() : std::string_view())};
}

Failure own_queue() {
    return {codes::kPreconditionFailed, retry::kWithChanges,
            "A running action asked for another action of its own component, which would wait for it forever.",
            one_member("reason", "own-queue")};
}

Failure queue_full() {
    std::string details = "{";
    append_text_member(details, "reason", reasons::kQueueFull);
    append_number_member(details, "retryAfterMs", kQueueRetryMs);
    return {codes::kRateLimited, retry::kAfterDelay, "Too many calls wait for this component. Retry later.",
            details + "}"};
}

Failure timeout(std::uint32_t timeout_ms, bool idempotent) {
    std::string details = "{";
    append_number_member(details, "timeoutMs", timeout_ms);
    append_bool_member(details, "idempotent", idempotent);
    return {codes::kTimeout, idempotent ? retry::kYes : retry::kNo,
            concat({"No result within ", std::to_string(timeout_ms),
                    idempotent ? " ms. Retry with a new invocation id."
                               : " ms. It may still have happened: look before trying again."}),
            details + "}"};
}

Failure cancelled(bool may_retry) {
    return {codes::kCancelled,
            may_retry ? retry::kYes : retry::kNo,
            may_retry ? "The call was cancelled. Retry with a new invocation id."
                      : "The call was cancelled: the surface is closed.",
            {}};
}

Failure output_invalid() {
    return {codes::kExecutionFailed, retry::kNo, "The result does not fit what this capability promises.",
            one_member("reason", reasons::kOutputInvalid)};
}

Failure output_too_large(std::size_t found, std::size_t allowed) {
    return {codes::kExecutionFailed, retry::kNo,
            concat({"The result has ", std::to_string(found), " bytes, allowed are ", std::to_string(allowed), "."}),
            one_member("reason", reasons::kOutputTooLarge)};
}

Failure handler_error(bool transient, bool on_server) {
    const std::string_view reason = on_server ? reasons::kTransport : reasons::kHandlerError;
    if (!transient)
        return {codes::kExecutionFailed, retry::kNo, on_server ? "The server could not do it." : "The action failed.",
                one_member("reason", reason)};
    std::string details = "{";
    append_text_member(details, "reason", reason);
    append_bool_member(details, "transient", true);
    append_number_member(details, "retryAfterMs", kTransientRetryMs);
    return {codes::kExecutionFailed, retry::kAfterDelay,
            concat({on_server ? "The server" : "The action", " failed for now. Retry later with a new invocation id."}),
            details + "}"};
}

Failure policy_error() {
    return {codes::kExecutionFailed, retry::kNo, "A rule of this page could not be evaluated.",
            one_member("reason", reasons::kPolicyError)};
}

Failure not_authorized() {
    return {codes::kNotAuthorized, retry::kNo, "This page does not allow it.", one_member("origin", "client")};
}

Failure locked_fields(std::string_view keys) {
    std::string details = "{";
    append_json_member(details, "lockedFields", keys);
    return {codes::kInvalidInput, retry::kWithChanges,
            "The page fixes the fields that details.lockedFields names. Leave them out.", details + "}"};
}

Failure binding_failed() {
    return {codes::kPreconditionFailed, retry::kAfterRefresh,
            "What the page shows now does not give this operation what it needs.",
            one_member("reason", reasons::kBindingFailed)};
}

Failure binding_changed() {
    return {codes::kPreconditionFailed, retry::kAfterRefresh,
            "What the page shows has changed since the call began. Look again before you repeat it.",
            one_member("reason", reasons::kBindingChanged)};
}

Failure confirmation_required(std::string_view id, std::string_view summary, double expires_at,
                              std::string_view effect) {
    std::string details = "{";
    append_text_member(details, "confirmationId", id);
    append_text_member(details, "summary", summary);
    append_number_member(details, "expiresAt", expires_at);
    append_text_member(details, "effect", effect);
    append_text_member(details, "origin", host_protocol::error_origins::kClient);
    return {codes::kConfirmationRequired, retry::kWithConfirmation,
            "A person has to approve this call. Once approved, send it again unchanged, with this confirmationId.",
            details + "}"};
}

Failure confirmation_invalid(std::string_view reason) {
    std::string_view message = "This confirmation is not of this call: what was approved is not what was sent.";
    if (reason == reasons::kDenied) message = "A person refused this call. Do not ask again for the same.";
    if (reason == reasons::kConsumed) message = "This confirmation was used already; one approval is for one call.";
    const bool expired = reason == reasons::kExpired;
    if (expired) message = "This confirmation is over its time. Send the call without it to ask again.";
    return {codes::kConfirmationInvalid, expired ? retry::kWithConfirmation : retry::kNo, std::string(message),
            one_member("reason", reason)};
}

Failure too_many_confirmations() {
    return {codes::kRateLimited, retry::kAfterDelay,
            "Too many calls wait for a person's approval. Retry when some of them are decided.",
            one_member("reason", reasons::kQueueFull)};
}

Failure internal() {
    return {codes::kExecutionFailed, retry::kNo, "The runtime failed.", one_member("reason", reasons::kInternal)};
}

}  // namespace failures

bool is_cacheable(const Failure& failure) {
    const host_protocol::ErrorRow* row = host_protocol::find_error_row(failure.code);
    if (row == nullptr || !row->cacheable) return false;
    // A transient EXECUTION_FAILED invites a retry; its id stays free.
    return failure.code != codes::kExecutionFailed || failure.retry != retry::kAfterDelay;
}

}  // namespace viewcap
