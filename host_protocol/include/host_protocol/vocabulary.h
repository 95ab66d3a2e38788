// Generated from host_protocol/vocabulary/*.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace host_protocol {

namespace codes {
// Codes of an invocation's errors; kErrorRows says what belongs to each.
inline constexpr std::string_view kCapabilityNotFound = "CAPABILITY_NOT_FOUND";
inline constexpr std::string_view kCapabilityNotAvailable = "CAPABILITY_NOT_AVAILABLE";
inline constexpr std::string_view kAmbiguousInstance = "AMBIGUOUS_INSTANCE";
inline constexpr std::string_view kComponentUnmounted = "COMPONENT_UNMOUNTED";
inline constexpr std::string_view kStaleCapability = "STALE_CAPABILITY";
inline constexpr std::string_view kInvocationConflict = "INVOCATION_CONFLICT";
inline constexpr std::string_view kInvalidInput = "INVALID_INPUT";
inline constexpr std::string_view kNotAuthenticated = "NOT_AUTHENTICATED";
inline constexpr std::string_view kNotAuthorized = "NOT_AUTHORIZED";
inline constexpr std::string_view kPreconditionFailed = "PRECONDITION_FAILED";
inline constexpr std::string_view kConfirmationRequired = "CONFIRMATION_REQUIRED";
inline constexpr std::string_view kConfirmationInvalid = "CONFIRMATION_INVALID";
inline constexpr std::string_view kRateLimited = "RATE_LIMITED";
inline constexpr std::string_view kTimeout = "TIMEOUT";
inline constexpr std::string_view kCancelled = "CANCELLED";
inline constexpr std::string_view kExecutionFailed = "EXECUTION_FAILED";
}  // namespace codes

namespace definition_codes {
// Codes of an author's mistakes; thrown at registration in every environment.
inline constexpr std::string_view kInvalidDefinition = "INVALID_DEFINITION";
inline constexpr std::string_view kInvalidId = "INVALID_ID";
inline constexpr std::string_view kDuplicateCapability = "DUPLICATE_CAPABILITY";
inline constexpr std::string_view kUnsupportedSchema = "UNSUPPORTED_SCHEMA";
inline constexpr std::string_view kLimitExceeded = "LIMIT_EXCEEDED";
inline constexpr std::string_view kPlaneViolation = "PLANE_VIOLATION";
}  // namespace definition_codes

namespace planes {
// Who runs a capability: the mounted component, or the server.
inline constexpr std::string_view kView = "view";
inline constexpr std::string_view kDomain = "domain";
}  // namespace planes

namespace effects {
// What a capability does: observations read; actions have the next two; procedures the rest.
inline constexpr std::string_view kRead = "read";
inline constexpr std::string_view kLocalState = "local-state";
inline constexpr std::string_view kNavigation = "navigation";
inline constexpr std::string_view kServerQuery = "server-query";
inline constexpr std::string_view kServerMutation = "server-mutation";
inline constexpr std::string_view kExternalSideEffect = "external-side-effect";
inline constexpr std::string_view kDestructive = "destructive";
}  // namespace effects

namespace confirmation {
// Whether a person has to approve a call.
inline constexpr std::string_view kNever = "never";
inline constexpr std::string_view kOptional = "optional";
inline constexpr std::string_view kRequired = "required";
}  // namespace confirmation

namespace audit_levels {
// How much of a call the audit records.
inline constexpr std::string_view kNone = "none";
inline constexpr std::string_view kMetadata = "metadata";
inline constexpr std::string_view kFull = "full";
}  // namespace audit_levels

namespace origins {
// A claim by the registering code; the default is the first.
inline constexpr std::string_view kFirstParty = "first-party";
}  // namespace origins

namespace concurrency_modes {
// Which calls of an action wait for each other.
inline constexpr std::string_view kInstance = "instance";
inline constexpr std::string_view kCapability = "capability";
inline constexpr std::string_view kKey = "key";
inline constexpr std::string_view kParallel = "parallel";
}  // namespace concurrency_modes

namespace schema_profiles {
// Which JSON Schema keywords are accepted.
inline constexpr std::string_view kPortable = "portable";
inline constexpr std::string_view kFull = "full";
}  // namespace schema_profiles

namespace environments {
// Where a registry runs; production needs an authority.
inline constexpr std::string_view kProduction = "production";
inline constexpr std::string_view kDevelopment = "development";
inline constexpr std::string_view kTest = "test";
}  // namespace environments

namespace on_duplicate {
// What happens to a second instance of one type and instance id.
inline constexpr std::string_view kReject = "reject";
inline constexpr std::string_view kReplace = "replace";
}  // namespace on_duplicate

namespace suffix_policies {
// What a view capability named like a known procedure path causes.
inline constexpr std::string_view kOff = "off";
inline constexpr std::string_view kWarn = "warn";
inline constexpr std::string_view kError = "error";
}  // namespace suffix_policies

namespace consumer_kinds {
// Who invokes; the default is the first.
inline constexpr std::string_view kEmbedded = "embedded";
inline constexpr std::string_view kWebmcp = "webmcp";
inline constexpr std::string_view kMcpBridge = "mcp-bridge";
inline constexpr std::string_view kTest = "test";
inline constexpr std::string_view kOther = "other";
}  // namespace consumer_kinds

namespace events {
// What subscribe() delivers.
inline constexpr std::string_view kSurfaceChanged = "surface-changed";
inline constexpr std::string_view kComponentRegistered = "component-registered";
inline constexpr std::string_view kComponentUnregistered = "component-unregistered";
inline constexpr std::string_view kComponentRejected = "component-rejected";
inline constexpr std::string_view kAvailabilityChanged = "availability-changed";
inline constexpr std::string_view kCollisionSuspected = "collision-suspected";
inline constexpr std::string_view kInvocationStarted = "invocation-started";
inline constexpr std::string_view kInvocationSettled = "invocation-settled";
inline constexpr std::string_view kConfirmationRequested = "confirmation-requested";
inline constexpr std::string_view kConfirmationResolved = "confirmation-resolved";
}  // namespace events

namespace audit_events {
// What an audit sink records.
inline constexpr std::string_view kComponentRegistered = "component-registered";
inline constexpr std::string_view kComponentUnregistered = "component-unregistered";
inline constexpr std::string_view kComponentRejected = "component-rejected";
inline constexpr std::string_view kInvocationStarted = "invocation-started";
inline constexpr std::string_view kInvocationSettled = "invocation-settled";
inline constexpr std::string_view kConfirmationRequested = "confirmation-requested";
inline constexpr std::string_view kConfirmationApproved = "confirmation-approved";
inline constexpr std::string_view kConfirmationDenied = "confirmation-denied";
inline constexpr std::string_view kConfirmationExpired = "confirmation-expired";
inline constexpr std::string_view kConfirmationConsumed = "confirmation-consumed";
inline constexpr std::string_view kLateSettlement = "late-settlement";
inline constexpr std::string_view kCollisionSuspected = "collision-suspected";
}  // namespace audit_events

namespace rejections {
// Why a registration was rejected.
inline constexpr std::string_view kDuplicate = "duplicate";
inline constexpr std::string_view kGuard = "guard";
}  // namespace rejections

namespace retry {
// What a caller may do about an error.
inline constexpr std::string_view kNo = "no";
inline constexpr std::string_view kYes = "yes";
inline constexpr std::string_view kAfterRefresh = "after-refresh";
inline constexpr std::string_view kAfterDelay = "after-delay";
inline constexpr std::string_view kWithConfirmation = "with-confirmation";
inline constexpr std::string_view kWithChanges = "with-changes";
}  // namespace retry

namespace statuses {
// How a call ended.
inline constexpr std::string_view kOk = "ok";
inline constexpr std::string_view kError = "error";
}  // namespace statuses

namespace unmount_phases {
// COMPONENT_UNMOUNTED: where the call was.
inline constexpr std::string_view kResolve = "resolve";
inline constexpr std::string_view kQueued = "queued";
inline constexpr std::string_view kMidFlight = "mid-flight";
}  // namespace unmount_phases

namespace error_origins {
// Who refused or asks for approval.
inline constexpr std::string_view kClient = "client";
inline constexpr std::string_view kServer = "server";
}  // namespace error_origins

namespace outcomes {
// How a confirmation was decided.
inline constexpr std::string_view kApproved = "approved";
inline constexpr std::string_view kDenied = "denied";
inline constexpr std::string_view kExpired = "expired";
}  // namespace outcomes

namespace reasons {
// STALE_CAPABILITY.
inline constexpr std::string_view kRegistrationReplaced = "registration-replaced";
inline constexpr std::string_view kSurfaceReloaded = "surface-reloaded";
inline constexpr std::string_view kSurfaceVersionMismatch = "surface-version-mismatch";
// CAPABILITY_NOT_AVAILABLE and descriptors, where the author gave no reason.
inline constexpr std::string_view kComponentDisabled = "component-disabled";
inline constexpr std::string_view kWhenError = "when-error";
inline constexpr std::string_view kUnavailable = "unavailable";
inline constexpr std::string_view kBindingError = "binding-error";
// INVOCATION_CONFLICT.
inline constexpr std::string_view kIdReusedWithDifferentRequest = "id-reused-with-different-request";
// PRECONDITION_FAILED of a binding.
inline constexpr std::string_view kBindingChanged = "binding-changed";
inline constexpr std::string_view kBindingFailed = "binding-failed";
// CONFIRMATION_INVALID.
inline constexpr std::string_view kDenied = "denied";
inline constexpr std::string_view kConsumed = "consumed";
inline constexpr std::string_view kMismatch = "mismatch";
inline constexpr std::string_view kExpired = "expired";
// RATE_LIMITED.
inline constexpr std::string_view kRate = "rate";
inline constexpr std::string_view kQueueFull = "queue-full";
// EXECUTION_FAILED.
inline constexpr std::string_view kHandlerError = "handler-error";
inline constexpr std::string_view kPolicyError = "policy-error";
inline constexpr std::string_view kTransport = "transport";
inline constexpr std::string_view kOutputInvalid = "output-invalid";
inline constexpr std::string_view kOutputTooLarge = "output-too-large";
inline constexpr std::string_view kInternal = "internal";
}  // namespace reasons

/// One error code of an invocation.
struct ErrorRow {
    std::string_view code;
    std::uint16_t phases;      // bit n: pipeline phase n may produce it
    std::uint8_t retry;        // bit n: the n-th retry hint in the order of namespace retry is allowed
    bool cacheable;            // whether the result is kept for the same invocation id
    std::string_view details;  // keys an agent may see, separated by spaces; "*": the author's own JSON
};

inline constexpr std::array<ErrorRow, 16> kErrorRows = {{
    {codes::kCapabilityNotFound, 0x154, 4, true, ""},
    {codes::kCapabilityNotAvailable, 0x3dc, 4, true, "reason"},
    {codes::kAmbiguousInstance, 0x4, 32, true, "instances"},
    {codes::kComponentUnmounted, 0x3f4, 4, true, "phase"},
    {codes::kStaleCapability, 0x4, 4, true, "reason liveRegistrationId"},
    {codes::kInvocationConflict, 0x2, 32, false, "reason"},
    {codes::kInvalidInput, 0x222, 32, true, "issues lockedFields"},
    {codes::kNotAuthenticated, 0x2d0, 1, true, ""},
    {codes::kNotAuthorized, 0x2d0, 1, true, "origin"},
    {codes::kPreconditionFailed, 0x3f0, 36, true, "*"},
    {codes::kConfirmationRequired, 0x240, 16, false, "confirmationId summary expiresAt effect origin"},
    {codes::kConfirmationInvalid, 0x40, 17, true, "reason"},
    {codes::kRateLimited, 0x3d0, 8, false, "reason retryAfterMs"},
    {codes::kTimeout, 0x200, 3, true, "timeoutMs idempotent"},
    {codes::kCancelled, 0x3fe, 3, true, ""},
    {codes::kExecutionFailed, 0x6f0, 9, true, "reason transient retryAfterMs"},
}};

/// The retry hints in the order of ErrorRow::retry's bits.
inline constexpr std::array<std::string_view, 6> kRetryHints = {{
    retry::kNo,
    retry::kYes,
    retry::kAfterRefresh,
    retry::kAfterDelay,
    retry::kWithConfirmation,
    retry::kWithChanges,
}};

/// The row of `code`, or null when it is none of codes.
constexpr const ErrorRow* find_error_row(std::string_view code) {
    for (const ErrorRow& row : kErrorRows)
        if (row.code == code) return &row;
    return nullptr;
}

constexpr bool allows_retry(const ErrorRow& row, std::string_view hint) {
    for (std::size_t i = 0; i < kRetryHints.size(); ++i)
        if (kRetryHints[i] == hint) return ((row.retry >> i) & 1) != 0;
    return false;
}

/// Limits of one registry; each can be set when it is created.
struct Limits {
    std::uint32_t policy_timeout_ms = 5000;  // ms: time a policy has to call next()
    std::uint32_t max_component_description = 500;  // UTF-16 units: length of a component's description
    std::uint32_t max_capability_description = 300;  // UTF-16 units: length of a capability's description
    std::uint32_t max_meta_bytes = 2048;  // bytes: size of a meta record
    std::uint32_t max_input_bytes = 65536;  // bytes: size of a call's input
    std::uint32_t max_input_depth = 32;  // levels: nesting of a call's input
    std::uint32_t max_pattern_input = 1024;  // UTF-16 units: length of a string that a pattern is run on
    std::uint32_t max_output_bytes = 32768;  // bytes: size of a handler's output
    std::uint32_t max_schema_bytes = 16384;  // bytes: size of one schema
    std::uint32_t max_schema_depth = 8;  // levels: nesting of schemas in one schema
    std::uint32_t observation_timeout_ms = 5000;  // ms: time an observation may take
    std::uint32_t action_timeout_ms = 10000;  // ms: time an action may take
    std::uint32_t procedure_timeout_ms = 30000;  // ms: time a procedure may take
    std::uint32_t action_queue_depth = 2;  // calls: calls that wait behind a running action
    std::uint32_t max_concurrent_observations_per_consumer = 8;  // calls: observations running for one consumer
    std::uint32_t max_concurrent_observations_total = 32;  // calls: observations running for all consumers
    std::uint32_t max_queued_observations_per_consumer = 8;  // calls: observations waiting for one consumer
    std::uint32_t dedupe_cache_size = 200;  // entries: settled results kept for one consumer
    std::uint32_t dedupe_cache_ttl_ms = 600000;  // ms: time a settled result is kept
    std::uint32_t tombstone_size = 100;  // entries: unmounted registrations remembered
    std::uint32_t tombstone_ttl_ms = 300000;  // ms: time an unmounted registration is remembered
    std::uint32_t confirmation_ttl_ms = 120000;  // ms: time a confirmation can be decided and used
    std::uint32_t max_pending_confirmations = 32;  // entries: confirmations that wait for a person
    bool allow_unsafe_patterns = false;  // boolean: turns off the check of patterns for catastrophic backtracking
};

/// Names as the JavaScript side spells them, for the limits that are numbers.
struct LimitRow {
    std::string_view name;
    std::uint32_t Limits::*member;
    std::uint32_t minimum;
};

inline constexpr std::array<LimitRow, 23> kLimitRows = {{
    {"policyTimeoutMs", &Limits::policy_timeout_ms, 1},
    {"maxComponentDescription", &Limits::max_component_description, 1},
    {"maxCapabilityDescription", &Limits::max_capability_description, 1},
    {"maxMetaBytes", &Limits::max_meta_bytes, 1},
    {"maxInputBytes", &Limits::max_input_bytes, 1},
    {"maxInputDepth", &Limits::max_input_depth, 1},
    {"maxPatternInput", &Limits::max_pattern_input, 1},
    {"maxOutputBytes", &Limits::max_output_bytes, 1},
    {"maxSchemaBytes", &Limits::max_schema_bytes, 1},
    {"maxSchemaDepth", &Limits::max_schema_depth, 1},
    {"observationTimeoutMs", &Limits::observation_timeout_ms, 1},
    {"actionTimeoutMs", &Limits::action_timeout_ms, 1},
    {"procedureTimeoutMs", &Limits::procedure_timeout_ms, 1},
    {"actionQueueDepth", &Limits::action_queue_depth, 0},
    {"maxConcurrentObservationsPerConsumer", &Limits::max_concurrent_observations_per_consumer, 1},
    {"maxConcurrentObservationsTotal", &Limits::max_concurrent_observations_total, 1},
    {"maxQueuedObservationsPerConsumer", &Limits::max_queued_observations_per_consumer, 0},
    {"dedupeCacheSize", &Limits::dedupe_cache_size, 1},
    {"dedupeCacheTtlMs", &Limits::dedupe_cache_ttl_ms, 1},
    {"tombstoneSize", &Limits::tombstone_size, 1},
    {"tombstoneTtlMs", &Limits::tombstone_ttl_ms, 1},
    {"confirmationTtlMs", &Limits::confirmation_ttl_ms, 1},
    {"maxPendingConfirmations", &Limits::max_pending_confirmations, 1},
}};

struct FlagRow {
    std::string_view name;
    bool Limits::*member;
};

inline constexpr std::array<FlagRow, 1> kFlagRows = {{
    {"allowUnsafePatterns", &Limits::allow_unsafe_patterns},
}};

}  // namespace host_protocol
