// The step request's fields as rows: the bounds of spec host-protocol.md, "Step request", each once.
#pragma once

#include "host_protocol/protocol_vocabulary.h"
#include "host_protocol/vocabulary.h"
#include "shape.h"

namespace host_protocol::shape {

inline constexpr std::array<std::string_view, 2> kPlaneWords{planes::kView, planes::kDomain};
inline constexpr std::array<std::string_view, 3> kConfirmationWords{confirmation::kNever, confirmation::kOptional,
                                                                    confirmation::kRequired};

namespace request {
enum : std::size_t { conversation_id, turn_id, step_index, model_id, messages, pathname, catalog, kCount };
/// Version 1: the tools at the top, where version 2 has its pathname.
enum : std::size_t { frontend_tools = pathname, kV1Count };
}  // namespace request

inline constexpr std::array<Field, request::kCount> kRequest{{
    {"conversationId", Kind::text, kRequired, 1, bounds::kMaxIdUnits},
    {"turnId", Kind::text, kRequired, 1, bounds::kMaxIdUnits},
    {"stepIndex", Kind::integer, kRequired, 0, bounds::kMaxStepIndex},
    {"modelId", Kind::text, kOptional, 0, bounds::kMaxModelIdUnits},
    {"messages", Kind::array, kRequired, 1},
    {"pathname", Kind::text, kRequired, 1, bounds::kMaxPathnameUnits},
    {"catalog", Kind::object, kRequired},
}};

inline constexpr std::array<Field, request::kV1Count> kRequestV1{{
    kRequest[request::conversation_id],
    kRequest[request::turn_id],
    kRequest[request::step_index],
    kRequest[request::model_id],
    kRequest[request::messages],
    {"frontendTools", Kind::array, kRequired},
}};

namespace catalog {
enum : std::size_t { mode, scope, frontend_tools, frontend_state, truncated, kCount };
}

inline constexpr std::array<Field, catalog::kCount> kCatalog{{
    {"mode", Kind::word, kOptional, 0, kUnbounded, kCatalogModes},
    {"scope", Kind::array, kOptional, 0, bounds::kMaxScopeTokens},
    {"frontendTools", Kind::array, kRequired},
    {"frontendState", Kind::array, kOptional, 0, bounds::kMaxStateEntries},
    {"truncated", Kind::object, kOptional},
}};

inline constexpr Field kScopeToken{"", Kind::text, kRequired, 0, bounds::kMaxScopeTokenUnits};

namespace truncation {
enum : std::size_t { dropped, reason, kCount };
}

inline constexpr std::array<Field, truncation::kCount> kTruncation{{
    {"dropped", Kind::integer, kRequired},
    {"reason", Kind::word, kRequired, 0, kUnbounded, kTruncationReasons},
}};

namespace tool {
enum : std::size_t {
    wire_name,
    canonical_id,
    plane,
    description,
    input_schema,
    effect,
    confirmation_level,
    available,
    unavailable_reason,
    kCount
};
}

inline constexpr std::array<Field, tool::kCount> kTool{{
    {"wireName", Kind::text, kRequired, 1, bounds::kMaxWireNameUnits},
    {"canonicalId", Kind::text, kRequired, 1, bounds::kMaxCanonicalIdUnits},
    {"plane", Kind::word, kRequired, 0, kUnbounded, kPlaneWords},
    {"description", Kind::text, kRequired, 0, bounds::kMaxDescriptionUnits},
    {"inputSchema", Kind::object, kRequired},
    {"effect", Kind::text, kRequired, 0, bounds::kMaxEffectUnits},
    {"confirmation", Kind::word, kRequired, 0, kUnbounded, kConfirmationWords},
    {"available", Kind::boolean, kOptional},
    {"unavailableReason", Kind::text, kOptional, 0, bounds::kMaxReasonUnits},
}};

namespace state {
enum : std::size_t { wire_name, available, unavailable_reason, note, kCount };
}

inline constexpr std::array<Field, state::kCount> kState{{
    kTool[tool::wire_name],
    {"available", Kind::boolean, kRequired},
    kTool[tool::unavailable_reason],
    {"note", Kind::text, kOptional, 0, bounds::kMaxNoteUnits},
}};

/// Messages of a request, each by itself: roles, parts, and which part may stand in which role. The first is named
/// `first` in an error.
Status check_messages(JsonValue messages, const Place& place, std::uint32_t first = 0);
/// And together: calls and results.
Status check_history(JsonValue messages, const Place& place);

}  // namespace host_protocol::shape
