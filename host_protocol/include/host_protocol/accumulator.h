// What a response leaves in the history (spec: host-protocol.md, "Frames"): every server call exactly one result.
//
//     ResponseAccumulator response;
//     response.push(frame_text);                        // each frame, as FrameStream gives it
//     ResponseOutcome outcome = response.finish();      // messages to append, calls for the browser to carry out
//
// With a step-finish its messages are what counts; a server call that they leave open gets the result that was seen in
// the stream, else TOOL_OUTCOME_UNKNOWN. Without one the stream broke: the messages are put together from the frames,
// nothing is left to carry out, and TRANSPORT_FAILED is among the errors unless the server said why. A second result of
// a call is dropped, and so is a result without a call.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/frame.h"
#include "host_protocol/json_text.h"
#include "host_protocol/result.h"

namespace host_protocol {

struct ResponseOutcome {
    std::string messages;  // JSON array
    std::string pending;   // JSON array of { toolCallId, wireName, canonicalId, input }, open in the messages
    std::string usage;     // JSON object; empty when the provider reported nothing
    std::string errors;    // JSON array of { code, message }
    bool finished;         // a step-finish came
};

class ResponseAccumulator {
  public:
    /// PROTOCOL_DECODE_ERROR for what is no frame; a frame of an unknown type is passed over.
    Status push(std::string_view frame);
    ResponseOutcome finish();
    /// The outcome as `{"messages":[…],"pending":[…],"usage"?:{…},"errors":[…]}`.
    std::string finish_text();

  private:
    struct Call {
        std::string id, wire_name, input;
        bool server;
        std::string result;  // JSON text; empty: none was seen
    };
    /// One message of the assistant and the results that answer it.
    struct Round {
        std::string parts;  // without the brackets
        std::vector<std::size_t> calls;
    };

    void take_text(std::string_view type, std::string_view text);
    void take_call(JsonValue frame);
    void take_result(JsonValue frame);
    void take_finish(JsonValue frame);
    void take_error(JsonValue error);
    void close_text();
    Round& open_round();
    std::string from_frames() const;
    bool from_finish(ResponseOutcome& outcome);
    std::string answer_for(std::string_view call_id) const;

    JsonReader reader_;
    std::vector<Call> calls_;
    std::map<std::string, std::size_t, std::less<>> by_id_;
    std::vector<Round> rounds_;
    std::string text_;  // of the part that is being written
    std::string_view text_type_;
    bool finished_ = false;
    std::string response_messages_;
    std::string pending_;
    std::string usage_;
    std::string errors_;
};

/// For the server, before its step-finish: calls of `messages` (JSON array) that have no result are answered from
/// `results` (JSON array of { toolCallId, result }), or TOOL_NOT_EXECUTED, but for those whose ids are in `pending`
/// (JSON array of strings). PROTOCOL_DECODE_ERROR for what is none of these.
Result<std::string> close_server_calls(std::string_view messages, std::string_view results, std::string_view pending);

}  // namespace host_protocol
