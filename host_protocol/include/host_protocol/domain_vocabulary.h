// Generated from host_protocol/vocabulary/domain.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <string_view>

namespace domain {

namespace codes {
// Codes of the domain plane's errors; kErrorRows says what belongs to each.
inline constexpr std::string_view kCapabilityNotFound = "CAPABILITY_NOT_FOUND";
inline constexpr std::string_view kInputInvalid = "INPUT_INVALID";
inline constexpr std::string_view kUnauthenticated = "UNAUTHENTICATED";
inline constexpr std::string_view kForbidden = "FORBIDDEN";
inline constexpr std::string_view kPolicyDenied = "POLICY_DENIED";
inline constexpr std::string_view kPolicyFailed = "POLICY_FAILED";
inline constexpr std::string_view kApprovalRequired = "APPROVAL_REQUIRED";
inline constexpr std::string_view kApprovalPending = "APPROVAL_PENDING";
inline constexpr std::string_view kApprovalRejected = "APPROVAL_REJECTED";
inline constexpr std::string_view kApprovalExpired = "APPROVAL_EXPIRED";
inline constexpr std::string_view kApprovalConsumed = "APPROVAL_CONSUMED";
inline constexpr std::string_view kApprovalInputMismatch = "APPROVAL_INPUT_MISMATCH";
inline constexpr std::string_view kApprovalSelfApproval = "APPROVAL_SELF_APPROVAL";
inline constexpr std::string_view kApprovalUnserializableInput = "APPROVAL_UNSERIALIZABLE_INPUT";
inline constexpr std::string_view kApprovalResumeMismatch = "APPROVAL_RESUME_MISMATCH";
inline constexpr std::string_view kExecutionFailed = "EXECUTION_FAILED";
inline constexpr std::string_view kOutputInvalid = "OUTPUT_INVALID";
inline constexpr std::string_view kTimeout = "TIMEOUT";
inline constexpr std::string_view kCancelled = "CANCELLED";
inline constexpr std::string_view kAuditUnavailable = "AUDIT_UNAVAILABLE";
inline constexpr std::string_view kAdapterError = "ADAPTER_ERROR";
inline constexpr std::string_view kInternalError = "INTERNAL_ERROR";
}  // namespace codes

namespace surfaces {
// Where a capability can be reached; an order that listings keep.
inline constexpr std::string_view kDirect = "direct";
inline constexpr std::string_view kAiSdk = "aiSdk";
inline constexpr std::string_view kMcp = "mcp";
inline constexpr std::string_view kWorkflow = "workflow";
inline constexpr std::string_view kTest = "test";
}  // namespace surfaces

namespace side_effects {
// What a capability does to the world; the last three are write-like.
inline constexpr std::string_view kNone = "none";
inline constexpr std::string_view kRead = "read";
inline constexpr std::string_view kWrite = "write";
inline constexpr std::string_view kDestructive = "destructive";
inline constexpr std::string_view kExternal = "external";
}  // namespace side_effects

namespace risks {
// How sensitive a capability is; drives nothing by itself.
inline constexpr std::string_view kLow = "low";
inline constexpr std::string_view kMedium = "medium";
inline constexpr std::string_view kHigh = "high";
inline constexpr std::string_view kCritical = "critical";
}  // namespace risks

namespace actor_kinds {
// Who asks.
inline constexpr std::string_view kUser = "user";
inline constexpr std::string_view kService = "service";
inline constexpr std::string_view kAutomation = "automation";
inline constexpr std::string_view kAnonymous = "anonymous";
}  // namespace actor_kinds

namespace phases {
// When a policy is asked.
inline constexpr std::string_view kDiscovery = "discovery";
inline constexpr std::string_view kInvocation = "invocation";
inline constexpr std::string_view kExecution = "execution";
}  // namespace phases

namespace decisions {
// What a policy says.
inline constexpr std::string_view kAllow = "allow";
inline constexpr std::string_view kDeny = "deny";
inline constexpr std::string_view kHide = "hide";
inline constexpr std::string_view kRequireApproval = "require-approval";
}  // namespace decisions

namespace stances {
// What the audit says of a policy.
inline constexpr std::string_view kAllow = "allow";
inline constexpr std::string_view kDeny = "deny";
inline constexpr std::string_view kHide = "hide";
inline constexpr std::string_view kRequireApproval = "require-approval";
inline constexpr std::string_view kError = "error";
}  // namespace stances

namespace stages {
// Where in the pipeline an error arose.
inline constexpr std::string_view kDiscovery = "discovery";
inline constexpr std::string_view kInputValidation = "input-validation";
inline constexpr std::string_view kAuthentication = "authentication";
inline constexpr std::string_view kAuthorization = "authorization";
inline constexpr std::string_view kPolicy = "policy";
inline constexpr std::string_view kApproval = "approval";
inline constexpr std::string_view kExecution = "execution";
inline constexpr std::string_view kOutputValidation = "output-validation";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kCancellation = "cancellation";
inline constexpr std::string_view kAdapter = "adapter";
}  // namespace stages

namespace approval_statuses {
// The life of an approval; cancelled is an application's own withdrawal.
inline constexpr std::string_view kPending = "pending";
inline constexpr std::string_view kApproved = "approved";
inline constexpr std::string_view kRejected = "rejected";
inline constexpr std::string_view kExpired = "expired";
inline constexpr std::string_view kCancelled = "cancelled";
inline constexpr std::string_view kConsumed = "consumed";
}  // namespace approval_statuses

namespace audit_types {
// Types of audit events.
inline constexpr std::string_view kCapabilitiesDiscovered = "capabilities.discovered";
inline constexpr std::string_view kCapabilityRequested = "capability.requested";
inline constexpr std::string_view kCapabilityDenied = "capability.denied";
inline constexpr std::string_view kCapabilityApprovalRequested = "capability.approval_requested";
inline constexpr std::string_view kCapabilityApproved = "capability.approved";
inline constexpr std::string_view kCapabilityRejected = "capability.rejected";
inline constexpr std::string_view kCapabilityStarted = "capability.started";
inline constexpr std::string_view kCapabilityRetried = "capability.retried";
inline constexpr std::string_view kCapabilityCompleted = "capability.completed";
inline constexpr std::string_view kCapabilityFailed = "capability.failed";
inline constexpr std::string_view kCapabilityCancelled = "capability.cancelled";
}  // namespace audit_types

namespace denied_reasons {
// Why a call was denied; for the audit only.
inline constexpr std::string_view kUnknown = "unknown";
inline constexpr std::string_view kNotExposed = "not-exposed";
inline constexpr std::string_view kHidden = "hidden";
inline constexpr std::string_view kPolicyDenied = "policy-denied";
inline constexpr std::string_view kPolicyFailed = "policy-failed";
}  // namespace denied_reasons

/// What an error says that may not leave the server.
inline constexpr std::string_view kGenericMessage = "The operation failed.";

/// One code, with what its errors have by default.
struct ErrorRow {
    std::string_view code;
    std::string_view stage;
    bool retryable;
    bool expose;
    std::string_view message;
};

inline constexpr std::array<ErrorRow, 22> kErrorRows = {{
    {codes::kCapabilityNotFound, stages::kDiscovery, false, true, "No such capability."},
    {codes::kInputInvalid, stages::kInputValidation, false, true, "The input did not pass validation."},
    {codes::kUnauthenticated, stages::kAuthentication, false, true, "A valid identity is needed."},
    {codes::kForbidden, stages::kAuthorization, false, true, "This operation is not allowed."},
    {codes::kPolicyDenied, stages::kPolicy, false, true, "A policy refused this operation."},
    {codes::kPolicyFailed, stages::kPolicy, false, false, kGenericMessage},
    {codes::kApprovalRequired, stages::kApproval, false, true, "This operation needs an approval."},
    {codes::kApprovalPending, stages::kApproval, true, true, "No approval decision yet."},
    {codes::kApprovalRejected, stages::kApproval, false, true, "The approval request was turned down."},
    {codes::kApprovalExpired, stages::kApproval, false, true, "The approval lapsed; ask again."},
    {codes::kApprovalConsumed, stages::kApproval, false, true, "That approval was already spent."},
    {codes::kApprovalInputMismatch, stages::kApproval, false, false, kGenericMessage},
    {codes::kApprovalSelfApproval, stages::kApproval, false, true, "Requester and approver must be different."},
    {codes::kApprovalUnserializableInput, stages::kApproval, false, false, kGenericMessage},
    {codes::kApprovalResumeMismatch, stages::kApproval, false, false, kGenericMessage},
    {codes::kExecutionFailed, stages::kExecution, false, false, kGenericMessage},
    {codes::kOutputInvalid, stages::kOutputValidation, false, false, kGenericMessage},
    {codes::kTimeout, stages::kTimeout, true, true, "The time limit was reached."},
    {codes::kCancelled, stages::kCancellation, false, true, "The caller stopped the operation."},
    {codes::kAuditUnavailable, stages::kExecution, true, false, kGenericMessage},
    {codes::kAdapterError, stages::kAdapter, false, false, kGenericMessage},
    {codes::kInternalError, stages::kExecution, false, false, kGenericMessage},
}};

inline constexpr std::array<std::string_view, 5> kSurfaces = {{surfaces::kDirect, surfaces::kAiSdk, surfaces::kMcp, surfaces::kWorkflow, surfaces::kTest}};

inline constexpr std::array<std::string_view, 5> kSideEffects = {{side_effects::kNone, side_effects::kRead, side_effects::kWrite, side_effects::kDestructive, side_effects::kExternal}};

inline constexpr std::array<std::string_view, 4> kRisks = {{risks::kLow, risks::kMedium, risks::kHigh, risks::kCritical}};

inline constexpr std::array<std::string_view, 4> kActorKinds = {{actor_kinds::kUser, actor_kinds::kService, actor_kinds::kAutomation, actor_kinds::kAnonymous}};

inline constexpr std::array<std::string_view, 3> kPhases = {{phases::kDiscovery, phases::kInvocation, phases::kExecution}};

inline constexpr std::array<std::string_view, 4> kDecisions = {{decisions::kAllow, decisions::kDeny, decisions::kHide, decisions::kRequireApproval}};

inline constexpr std::array<std::string_view, 5> kStances = {{stances::kAllow, stances::kDeny, stances::kHide, stances::kRequireApproval, stances::kError}};

inline constexpr std::array<std::string_view, 11> kStages = {{stages::kDiscovery, stages::kInputValidation, stages::kAuthentication, stages::kAuthorization, stages::kPolicy, stages::kApproval, stages::kExecution, stages::kOutputValidation, stages::kTimeout, stages::kCancellation, stages::kAdapter}};

inline constexpr std::array<std::string_view, 6> kApprovalStatuses = {{approval_statuses::kPending, approval_statuses::kApproved, approval_statuses::kRejected, approval_statuses::kExpired, approval_statuses::kCancelled, approval_statuses::kConsumed}};

inline constexpr std::array<std::string_view, 11> kAuditTypes = {{audit_types::kCapabilitiesDiscovered, audit_types::kCapabilityRequested, audit_types::kCapabilityDenied, audit_types::kCapabilityApprovalRequested, audit_types::kCapabilityApproved, audit_types::kCapabilityRejected, audit_types::kCapabilityStarted, audit_types::kCapabilityRetried, audit_types::kCapabilityCompleted, audit_types::kCapabilityFailed, audit_types::kCapabilityCancelled}};

inline constexpr std::array<std::string_view, 5> kDeniedReasons = {{denied_reasons::kUnknown, denied_reasons::kNotExposed, denied_reasons::kHidden, denied_reasons::kPolicyDenied, denied_reasons::kPolicyFailed}};

}  // namespace domain
