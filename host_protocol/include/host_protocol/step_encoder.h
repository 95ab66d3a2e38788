// Writes step requests whose history only grows (spec: host-protocol.md, "The turn loop": a step serializes only what
// is new).
//
//     StepEncoder encoder;
//     encoder.append(R"([{"role":"user","content":"Hello"}])");      // each message once, as JSON text
//     encoder.set_tools(projection_bytes, ranks, withheld);           // when the projection has changed
//     encoder.set_state(state_bytes);
//     Result<EncodedStep> step = encoder.encode(head);                // step->body: valid until the next call
//
// The kept messages are never copied: they stand at the front of the buffer, and a step writes what follows them.
// What is encoded is a request that decode_step_request takes: every bound is checked here, before anything is sent.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/protocol_vocabulary.h"
#include "host_protocol/result.h"

namespace host_protocol {

struct StepHead {
    std::string_view conversation_id;
    std::string_view turn_id;
    std::uint32_t step_index = 0;
    std::string_view pathname;
    std::string_view mode = catalog_modes::kDirect;
    std::optional<std::string_view> model_id;
    std::optional<std::vector<std::string_view>> scope;
};

/// What decides which tools go when there are too many; beside each descriptor.
struct ToolRank {
    double priority = 0;
    std::string_view instance_id;
};

struct EncodedStep {
    std::string_view body;
    std::uint32_t dropped_tools;     // said in `catalog.truncated`
    std::uint32_t trimmed_messages;  // messages of oldest turns that are no longer sent
};

class StepEncoder {
  public:
    explicit StepEncoder(ProtocolLimits limits = {}) : limits_(limits) { reset(); }

    /// A JSON array of messages, new ones at the end of what is kept. PROTOCOL_DECODE_ERROR for one that no request may
    /// hold (and a result without a call); then nothing is kept of it.
    Status append(std::string_view messages);
    /// How many were appended since the last reset.
    std::uint32_t count() const { return count_; }

    /// The descriptor array of a projection. More than maxFrontendTools: the first by priority (descending), canonical
    /// id, instance are kept, in the projection's order. `ranks` is empty or as long as the array. `withheld` counts
    /// what the projection could give no name to.
    Status set_tools(std::string_view descriptors, std::span<const ToolRank> ranks = {}, std::uint32_t withheld = 0);
    /// The state array; entries of tools that are not kept go.
    Status set_state(std::string_view state);

    /// A history over the limits loses its oldest whole turns. Fails with PROTOCOL_DECODE_ERROR for a field out of its
    /// bounds, an open tool call, a body that is too long with one turn left; CATALOG_TOO_LARGE for too many messages
    /// in one turn.
    Result<EncodedStep> encode(const StepHead& head);
    /// `head` as JSON text: { conversationId, turnId, stepIndex, pathname, mode?, scope?, modelId? }.
    Result<EncodedStep> encode_text(std::string_view head);

    /// Forgets messages, tools and state.
    void reset();

  private:
    struct Turn {
        std::size_t begin;  // of its first message in the buffer
        std::uint32_t index;
    };

    void keep(JsonValue messages);
    Status check_head(const StepHead& head) const;
    Status check_history() const;
    void write_tail(const StepHead& head);
    Status trim();
    void forget_trimmed();
    void choose_tools(JsonValue tools, std::span<const ToolRank> ranks);

    ProtocolLimits limits_;
    JsonReader reader_;
    std::string buffer_;  // the messages, and behind `end_` the last step's tail
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint32_t count_ = 0;
    std::uint32_t trimmed_ = 0;
    std::vector<Turn> turns_;  // where a history may be cut
    std::map<std::string, std::uint32_t, std::less<>> open_calls_;
    std::string tools_;
    std::string state_;
    std::vector<std::string> kept_names_;  // sorted; empty: all
    std::uint32_t dropped_ = 0;
    std::uint32_t withheld_ = 0;
};

}  // namespace host_protocol
