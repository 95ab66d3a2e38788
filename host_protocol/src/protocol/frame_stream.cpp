#include "host_protocol/frame_stream.h"

#include "host_protocol/frame.h"
#include "host_protocol/json_out.h"
#include "one_line.h"
#include "shape.h"

namespace host_protocol {

void FrameStream::push(std::string_view bytes, std::string& frames) {
    while (true) {
        const std::size_t newline = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, newline);
        if (!overlong_ && pending_.size() + piece.size() > limits_.max_frame_bytes) {
            overlong_ = true;
            pending_.clear();
            report(concat({"longer than ", shape::decimal(limits_.max_frame_bytes), " bytes"}), frames);
        }
        if (newline == std::string_view::npos) {
            if (!overlong_) pending_ += piece;
            return;
        }
        if (!overlong_) {
            // A line that lies in one piece is read where it lies.
            if (!pending_.empty()) pending_ += piece;
            take_line(pending_.empty() ? piece : std::string_view(pending_), frames);
            pending_.clear();
        }
        overlong_ = false;
        ++line_;
        bytes.remove_prefix(newline + 1);
    }
}

void FrameStream::finish(std::string& frames) {
    if (!overlong_ && !pending_.empty()) take_line(pending_, frames);
    pending_ = std::string();
    overlong_ = false;
    line_ = 0;
}

void FrameStream::take_line(std::string_view line, std::string& frames) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    const Result<JsonValue> value = reader_.read(line, {limits_.max_frame_bytes, bounds::kMaxJsonDepth});
    if (!value) return report("no JSON that can be read", frames);
    const Result<std::optional<Frame>> frame = read_frame(*value);
    if (!frame) return report(concat({"no frame (", frame.error().path, ")"}), frames);
    if (!*frame) {
        ++skipped_;
        return;
    }
    append_line(frames, value->raw());
}

void FrameStream::report(std::string_view sentence, std::string& frames) {
    ++malformed_;
    frames += error_frame(host_codes::kProtocolDecodeError,
                          concat({"Line ", shape::decimal(line_ + 1.0), " of the response is ", sentence, "."}));
}

}  // namespace host_protocol
