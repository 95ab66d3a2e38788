// Generated from host_protocol/vocabulary/protocol.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace host_protocol {

/// The versions that are served; the last is what a browser of this package speaks.
inline constexpr std::array<std::uint32_t, 2> kProtocolVersions = {{1, 2}};
inline constexpr std::uint32_t kProtocolVersion = 2;

namespace host_codes {
// Codes of the host protocol; kHostErrorRows says what belongs to each.
inline constexpr std::string_view kProtocolVersionMismatch = "PROTOCOL_VERSION_MISMATCH";
inline constexpr std::string_view kProtocolDecodeError = "PROTOCOL_DECODE_ERROR";
inline constexpr std::string_view kCatalogTooLarge = "CATALOG_TOO_LARGE";
inline constexpr std::string_view kCatalogCollision = "CATALOG_COLLISION";
inline constexpr std::string_view kModelNotConfigured = "MODEL_NOT_CONFIGURED";
inline constexpr std::string_view kNotAuthenticated = "NOT_AUTHENTICATED";
inline constexpr std::string_view kNotAuthorized = "NOT_AUTHORIZED";
inline constexpr std::string_view kOriginRefused = "ORIGIN_REFUSED";
inline constexpr std::string_view kRateLimited = "RATE_LIMITED";
inline constexpr std::string_view kStepInProgress = "STEP_IN_PROGRESS";
inline constexpr std::string_view kHostError = "HOST_ERROR";
inline constexpr std::string_view kModelTimeout = "MODEL_TIMEOUT";
inline constexpr std::string_view kModelError = "MODEL_ERROR";
inline constexpr std::string_view kRunLimitExceeded = "RUN_LIMIT_EXCEEDED";
inline constexpr std::string_view kTransportFailed = "TRANSPORT_FAILED";
inline constexpr std::string_view kNoSuchTool = "NO_SUCH_TOOL";
}  // namespace host_codes

/// Codes of the host protocol: the HTTP status that a response with such an error has; 0 where the code only occurs inside a stream.
struct HostErrorRow {
    std::string_view code;
    int status;
};

inline constexpr std::array<HostErrorRow, 16> kHostErrorRows = {{
    {host_codes::kProtocolVersionMismatch, 409},
    {host_codes::kProtocolDecodeError, 400},
    {host_codes::kCatalogTooLarge, 413},
    {host_codes::kCatalogCollision, 409},
    {host_codes::kModelNotConfigured, 503},
    {host_codes::kNotAuthenticated, 401},
    {host_codes::kNotAuthorized, 403},
    {host_codes::kOriginRefused, 403},
    {host_codes::kRateLimited, 429},
    {host_codes::kStepInProgress, 409},
    {host_codes::kHostError, 500},
    {host_codes::kModelTimeout, 0},
    {host_codes::kModelError, 0},
    {host_codes::kRunLimitExceeded, 0},
    {host_codes::kTransportFailed, 0},
    {host_codes::kNoSuchTool, 0},
}};

/// Limits that a host may set; the browser checks the defaults before it posts.
struct ProtocolLimits {
    std::uint32_t max_frontend_tools = 128;  // tools that a page declares
    std::uint32_t max_domain_tools = 128;  // tools of the server
    std::uint32_t max_total_tools = 192;  // tools that the model is offered
    std::uint32_t max_messages = 400;  // messages of a history
    std::uint32_t max_body_bytes = 8388608;  // bytes of a request's body
    std::uint32_t max_frame_bytes = 1048576;  // bytes of a frame, without its newline
};

/// Names as the JavaScript side spells them.
struct ProtocolLimitRow {
    std::string_view name;
    std::uint32_t ProtocolLimits::*member;
};

inline constexpr std::array<ProtocolLimitRow, 6> kProtocolLimitRows = {{
    {"maxFrontendTools", &ProtocolLimits::max_frontend_tools},
    {"maxDomainTools", &ProtocolLimits::max_domain_tools},
    {"maxTotalTools", &ProtocolLimits::max_total_tools},
    {"maxMessages", &ProtocolLimits::max_messages},
    {"maxBodyBytes", &ProtocolLimits::max_body_bytes},
    {"maxFrameBytes", &ProtocolLimits::max_frame_bytes},
}};

namespace bounds {
// Bounds that are part of the protocol. Lengths are UTF-16 units.
inline constexpr std::uint32_t kMaxIdUnits = 64;  // conversationId and turnId, at least 1
inline constexpr std::uint32_t kMaxStepIndex = 64;  // stepIndex, from 0
inline constexpr std::uint32_t kMaxPathnameUnits = 512;  // pathname, at least 1
inline constexpr std::uint32_t kMaxModelIdUnits = 128;  // modelId
inline constexpr std::uint32_t kMaxScopeTokens = 32;  // catalog.scope
inline constexpr std::uint32_t kMaxScopeTokenUnits = 64;  // a token of catalog.scope
inline constexpr std::uint32_t kMaxStateEntries = 128;  // catalog.frontendState
inline constexpr std::uint32_t kMaxWireNameUnits = 64;  // a wire name, at least 1
inline constexpr std::uint32_t kMaxCanonicalIdUnits = 128;  // a capability id, at least 1
inline constexpr std::uint32_t kMaxDescriptionUnits = 1000;  // a descriptor's description
inline constexpr std::uint32_t kMaxEffectUnits = 64;  // a descriptor's effect
inline constexpr std::uint32_t kMaxReasonUnits = 300;  // unavailableReason
inline constexpr std::uint32_t kMaxNoteUnits = 300;  // a note of the volatile half
inline constexpr std::uint32_t kMaxV1FrontendTools = 64;  // frontendTools of version 1
inline constexpr std::uint32_t kMaxV1Messages = 200;  // messages of version 1
inline constexpr std::uint32_t kMaxJsonDepth = 128;  // nested arrays and objects in a body or a frame
inline constexpr std::uint32_t kMaxToolResultBytes = 32768;  // a server tool's result as JSON
inline constexpr std::uint32_t kMaxIdenticalFailures = 3;  // identical failures that stop a turn
inline constexpr std::uint32_t kMaxFailureRun = 4;  // failures in a row that stop a turn
}  // namespace bounds

namespace tool_codes {
// Codes that stand where a tool's result would.
inline constexpr std::string_view kToolOutcomeUnknown = "TOOL_OUTCOME_UNKNOWN";
inline constexpr std::string_view kToolNotExecuted = "TOOL_NOT_EXECUTED";
inline constexpr std::string_view kOutputTooLarge = "OUTPUT_TOO_LARGE";
}  // namespace tool_codes

namespace frame_types {
// What a line of the response carries.
inline constexpr std::string_view kStepStart = "step-start";
inline constexpr std::string_view kTextDelta = "text-delta";
inline constexpr std::string_view kReasoningDelta = "reasoning-delta";
inline constexpr std::string_view kToolCall = "tool-call";
inline constexpr std::string_view kToolResult = "tool-result";
inline constexpr std::string_view kInspector = "inspector";
inline constexpr std::string_view kStepFinish = "step-finish";
inline constexpr std::string_view kError = "error";
}  // namespace frame_types

namespace executors {
// Who runs a tool call.
inline constexpr std::string_view kServer = "server";
inline constexpr std::string_view kBrowser = "browser";
}  // namespace executors

namespace lanes {
// Where an inspector frame's news comes from.
inline constexpr std::string_view kRuntime = "runtime";
inline constexpr std::string_view kDomain = "domain";
inline constexpr std::string_view kHost = "host";
}  // namespace lanes

namespace catalog_modes {
// One tool a capability, or three that never change.
inline constexpr std::string_view kDirect = "direct";
inline constexpr std::string_view kMeta = "meta";
}  // namespace catalog_modes

namespace truncation_reasons {
// Why the browser left capabilities out.
inline constexpr std::string_view kBudget = "budget";
inline constexpr std::string_view kLimit = "limit";
inline constexpr std::string_view kUndecodable = "undecodable";
}  // namespace truncation_reasons

namespace catalog_events {
// Why a declaration is not offered, in the order of the rules; then the server's own, then the browser's.
inline constexpr std::string_view kCatalogNameConflict = "catalog.name-conflict";
inline constexpr std::string_view kCatalogCollision = "catalog.collision";
inline constexpr std::string_view kCatalogNotAdmitted = "catalog.not-admitted";
inline constexpr std::string_view kCatalogOutOfScope = "catalog.out-of-scope";
inline constexpr std::string_view kCatalogUndecodable = "catalog.undecodable";
inline constexpr std::string_view kCatalogTruncated = "catalog.truncated";
}  // namespace catalog_events

namespace roles {
// Roles of messages; system is the server's own and never in a body.
inline constexpr std::string_view kUser = "user";
inline constexpr std::string_view kAssistant = "assistant";
inline constexpr std::string_view kTool = "tool";
}  // namespace roles

namespace part_types {
// Parts of a message that the protocol looks into; others pass through.
inline constexpr std::string_view kText = "text";
inline constexpr std::string_view kReasoning = "reasoning";
inline constexpr std::string_view kToolCall = "tool-call";
inline constexpr std::string_view kToolResult = "tool-result";
}  // namespace part_types

inline constexpr std::array<std::string_view, 3> kToolCodes = {{tool_codes::kToolOutcomeUnknown, tool_codes::kToolNotExecuted, tool_codes::kOutputTooLarge}};

inline constexpr std::array<std::string_view, 8> kFrameTypes = {{frame_types::kStepStart, frame_types::kTextDelta, frame_types::kReasoningDelta, frame_types::kToolCall, frame_types::kToolResult, frame_types::kInspector, frame_types::kStepFinish, frame_types::kError}};

inline constexpr std::array<std::string_view, 2> kExecutors = {{executors::kServer, executors::kBrowser}};

inline constexpr std::array<std::string_view, 3> kLanes = {{lanes::kRuntime, lanes::kDomain, lanes::kHost}};

inline constexpr std::array<std::string_view, 2> kCatalogModes = {{catalog_modes::kDirect, catalog_modes::kMeta}};

inline constexpr std::array<std::string_view, 3> kTruncationReasons = {{truncation_reasons::kBudget, truncation_reasons::kLimit, truncation_reasons::kUndecodable}};

inline constexpr std::array<std::string_view, 6> kCatalogEvents = {{catalog_events::kCatalogNameConflict, catalog_events::kCatalogCollision, catalog_events::kCatalogNotAdmitted, catalog_events::kCatalogOutOfScope, catalog_events::kCatalogUndecodable, catalog_events::kCatalogTruncated}};

inline constexpr std::array<std::string_view, 3> kRoles = {{roles::kUser, roles::kAssistant, roles::kTool}};

inline constexpr std::array<std::string_view, 4> kPartTypes = {{part_types::kText, part_types::kReasoning, part_types::kToolCall, part_types::kToolResult}};

/// The tools that the model is offered in meta mode.
struct MetaTool {
    std::string_view wire_name;
    std::string_view description;
    std::string_view input_schema;
};

inline constexpr std::array<MetaTool, 3> kMetaTools = {{
    {"surface_discover", "List what the page offers now: its components, their observations and actions, and operations.",
     R"json({"type":"object","properties":{"scope":{"type":"array","items":{"type":"string"}}},"required":[],"additionalProperties":false})json"},
    {"surface_read", "Read one observation of a component.",
     R"json({"type":"object","properties":{"capabilityId":{"type":"string"},"instanceId":{"type":"string"}},"required":["capabilityId"],"additionalProperties":false})json"},
    {"surface_act", "Carry out one action or operation, with the input that its schema asks for.",
     R"json({"type":"object","properties":{"capabilityId":{"type":"string"},"instanceId":{"type":"string"},"input":{"type":"object","description":"What the capability's own schema asks for."},"invocationId":{"type":"string"},"confirmationId":{"type":"string"},"surfaceVersion":{"type":"string"}},"required":["capabilityId","input"],"additionalProperties":false})json"},
}};

}  // namespace host_protocol
