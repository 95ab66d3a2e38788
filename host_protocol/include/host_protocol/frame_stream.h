// Reads frames out of bytes as they come (spec: host-protocol.md, "Frames").
//
//     FrameStream stream;
//     std::string frames;
//     stream.push(chunk, frames);       // any split of the bytes, also inside a UTF-8 sequence, gives the same frames
//     stream.finish(frames);            // a last line without a newline
//
// Frames are appended as JSON texts, each followed by a newline; none holds one itself. A malformed line, and one over
// maxFrameBytes, gives an error frame PROTOCOL_DECODE_ERROR that repeats nothing of it, and reading goes on. Never
// keeps more than maxFrameBytes of a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"
#include "host_protocol/protocol_vocabulary.h"

namespace host_protocol {

class FrameStream {
  public:
    explicit FrameStream(ProtocolLimits limits = {}) : limits_(limits) {}

    void push(std::string_view bytes, std::string& frames);
    /// Afterwards the stream is as new; the counts stay.
    void finish(std::string& frames);

    /// Frames of types that are not known here.
    std::uint32_t skipped() const { return skipped_; }
    std::uint32_t malformed() const { return malformed_; }

  private:
    void take_line(std::string_view line, std::string& frames);
    void report(std::string_view sentence, std::string& frames);

    ProtocolLimits limits_;
    JsonReader reader_;
    std::string pending_;  // the beginning of a line whose end has not come
    bool overlong_ = false;
    std::uint32_t skipped_ = 0;
    std::uint32_t malformed_ = 0;
    std::uint32_t line_ = 0;
};

}  // namespace host_protocol
