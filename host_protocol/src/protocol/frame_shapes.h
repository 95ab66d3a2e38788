// The fields of each frame as rows (spec: host-protocol.md, "Frames").
#pragma once

#include "host_protocol/frame.h"
#include "shape.h"

namespace host_protocol::shape {

inline constexpr std::array<Field, 6> kStepStart{{
    {"stepId", Kind::text, kRequired},
    {"turnId", Kind::text, kRequired},
    {"conversationId", Kind::text, kRequired},
    {"domainTools", Kind::array, kRequired},
    {"catalogMode", Kind::word, kRequired, 0, kUnbounded, kCatalogModes},
    {"scope", Kind::array, kRequired},
}};
inline constexpr std::array<Field, 1> kDelta{{{"text", Kind::text, kRequired}}};
inline constexpr std::array<Field, 5> kCall{{
    {"toolCallId", Kind::text, kRequired, 1},
    {"wireName", Kind::text, kRequired, 1},
    {"canonicalId", Kind::text, kRequired},
    {"executor", Kind::word, kRequired, 0, kUnbounded, kExecutors},
    {"input", Kind::any, kRequired},
}};
inline constexpr std::array<Field, 5> kResult{{
    kCall[0],
    kCall[1],
    kCall[2],
    {"ok", Kind::boolean, kRequired},
    {"result", Kind::any, kRequired},
}};
inline constexpr std::array<Field, 3> kInspector{{
    {"lane", Kind::word, kRequired, 0, kUnbounded, kLanes},
    {"eventType", Kind::text, kRequired},
    {"summary", Kind::text, kRequired},
}};
inline constexpr std::array<Field, 5> kStepFinish{{
    {"stepId", Kind::text, kRequired},
    {"finishReason", Kind::text, kRequired},
    {"responseMessages", Kind::array, kRequired},
    {"pendingToolCalls", Kind::array, kRequired},
    {"usage", Kind::object, kOptional},
}};
inline constexpr std::array<Field, 4> kPending{{kCall[0], kCall[1], kCall[2], kCall[4]}};
inline constexpr std::array<Field, 6> kUsage{{
    {"inputTokens", Kind::number, kRequired},
    {"outputTokens", Kind::number, kRequired},
    {"totalTokens", Kind::number, kRequired},
    {"reportedSteps", Kind::number, kRequired},
    {"cachedInputTokens", Kind::number, kOptional},
    {"reasoningTokens", Kind::number, kOptional},
}};
inline constexpr std::array<Field, 1> kErrorFrame{{{"error", Kind::object, kRequired}}};
inline constexpr std::array<Field, 2> kErrorBody{{
    {"code", Kind::text, kRequired, 1},
    {"message", Kind::text, kRequired},
}};
inline constexpr std::array<Field, 2> kDomainEntry{{kCall[1], kCall[2]}};
inline constexpr Field kScopeEntry{"", Kind::text, kRequired};
inline constexpr Field kMessageEntry{"", Kind::object, kRequired};

inline constexpr std::size_t kMostFrameFields = 6;

/// The rows of a frame's own members.
constexpr std::span<const Field> rows_of(FrameType type) {
    switch (type) {
        case FrameType::step_start: return kStepStart;
        case FrameType::text_delta:
        case FrameType::reasoning_delta: return kDelta;
        case FrameType::tool_call: return kCall;
        case FrameType::tool_result: return kResult;
        case FrameType::inspector: return kInspector;
        case FrameType::step_finish: return kStepFinish;
        case FrameType::error: break;
    }
    return kErrorFrame;
}

}  // namespace host_protocol::shape
