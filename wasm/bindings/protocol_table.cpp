#include "protocol_table.h"

#include <map>
#include <memory>
#include <variant>

#include "crossing.h"
#include "host_protocol/accumulator.h"
#include "host_protocol/frame_stream.h"
#include "host_protocol/json_text.h"
#include "host_protocol/loop_guard.h"
#include "host_protocol/refusal.h"
#include "host_protocol/step_encoder.h"
#include "host_protocol/vocabulary.h"

namespace viewcap::table {
namespace {

using boundary::guarded;
using boundary::take_text;
using host_protocol::JsonDocument;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Status;

constexpr int kFault = -1;
constexpr host_protocol::JsonLimits kDocument{std::size_t{64} << 20, 128};

/// An encoder, and what it was last given: a projection that has not changed is not read again.
struct Encoder {
    explicit Encoder(host_protocol::ProtocolLimits limits) : encoder(limits) {}

    host_protocol::StepEncoder encoder;
    std::string tools;
    std::string ranks_text;  // {"withheld":n,"ranks"?:[…]}
    bool has_tools = false;
};

using Object =
    std::variant<Encoder, host_protocol::FrameStream, host_protocol::ResponseAccumulator, host_protocol::LoopGuard>;

struct Objects {
    std::map<int, std::unique_ptr<Object>> by_handle;
    int next = 1;
};

Objects& objects() {
    static Objects instance;
    return instance;
}

int done(const Status& status, int answer = 0) { return status ? answer : boundary::fail(status.error()); }

std::unique_ptr<Object> made(ProtocolKind kind, const host_protocol::ProtocolLimits& limits) {
    switch (kind) {
        case ProtocolKind::encoder: return std::make_unique<Object>(std::in_place_type<Encoder>, limits);
        case ProtocolKind::frames:
            return std::make_unique<Object>(std::in_place_type<host_protocol::FrameStream>, limits);
        case ProtocolKind::accumulator:
            return std::make_unique<Object>(std::in_place_type<host_protocol::ResponseAccumulator>);
        case ProtocolKind::guard: return std::make_unique<Object>(std::in_place_type<host_protocol::LoopGuard>);
    }
    return nullptr;
}

std::string opened(JsonValue options, int kind) {
    auto limits = host_protocol::read_protocol_limits(options.find("limits"));
    if (!limits) return boundary::error_text(limits.error());
    std::unique_ptr<Object> object = made(static_cast<ProtocolKind>(kind), *limits);
    const int handle = objects().next++;
    objects().by_handle.emplace(handle, std::move(object));
    return "{\"ok\":" + std::to_string(handle) + "}";
}

/// `[[priority, instance or null], …]`, of the glue's own making.
std::vector<host_protocol::ToolRank> read_ranks(JsonValue list) {
    std::vector<host_protocol::ToolRank> ranks;
    if (!list.is(JsonType::array)) return ranks;
    for (const JsonValue pair : list.elements()) {
        host_protocol::ToolRank rank;
        for (const JsonValue part : pair.elements()) {
            if (part.is(JsonType::number)) rank.priority = part.number();
            if (part.is(JsonType::string)) rank.instance_id = part.string();
        }
        ranks.push_back(rank);
    }
    return ranks;
}

int set_tools(Encoder& self, std::string_view descriptors) {
    if (self.has_tools && self.tools == descriptors) return 0;
    auto document = JsonDocument::read(self.ranks_text, kDocument);
    if (!document) return boundary::fail(document.error());
    const JsonValue ranks = document->root();
    self.tools = descriptors;
    const Status status = self.encoder.set_tools(self.tools, read_ranks(ranks.find("ranks")),
                                                 static_cast<std::uint32_t>(ranks.find("withheld").number()));
    self.has_tools = static_cast<bool>(status);
    return done(status);
}

int set_ranks(Encoder& self, std::string_view text) {
    if (self.ranks_text != text) self.has_tools = false;
    self.ranks_text = text;
    return 0;
}

int encode(Encoder& self, std::string_view head) {
    auto step = self.encoder.encode_text(head);
    if (!step) return boundary::fail(step.error());
    double* numbers = boundary::crossing().area.numbers;
    numbers[0] = step->dropped_tools;
    numbers[1] = step->trimmed_messages;
    // Not copied: valid until the next call, as every text of the module's.
    numbers[boundary::kTextAddress] = static_cast<double>(reinterpret_cast<std::uintptr_t>(step->body.data()));
    return static_cast<int>(step->body.size());
}

int step_of(Encoder& self, ProtocolStep step, std::string_view text) {
    switch (step) {
        case ProtocolStep::messages: {
            const Status status = self.encoder.append(text);
            return done(status, static_cast<int>(self.encoder.count()));
        }
        case ProtocolStep::tools: return set_tools(self, text);
        case ProtocolStep::ranks: return set_ranks(self, text);
        case ProtocolStep::state: return done(self.encoder.set_state(text));
        case ProtocolStep::encode: return encode(self, text);
        case ProtocolStep::reset:
            self.encoder.reset();
            self.has_tools = false;
            return 0;
        default: return kFault;
    }
}

int step_of(host_protocol::FrameStream& self, ProtocolStep step, std::string_view bytes) {
    std::string frames;
    if (step == ProtocolStep::push)
        self.push(bytes, frames);
    else
        self.finish(frames);
    if (!frames.empty()) frames.pop_back();  // each ends with a newline, and none holds one itself
    for (char& unit : frames)
        if (unit == '\n') unit = ',';
    return boundary::leave_counted("[" + frames + "]");
}

int step_of(host_protocol::ResponseAccumulator& self, ProtocolStep step, std::string_view frame) {
    return step == ProtocolStep::push ? done(self.push(frame)) : boundary::leave_counted(self.finish_text());
}

int step_of(host_protocol::LoopGuard& self, ProtocolStep, std::string_view call) {
    auto verdict = self.record_text(call);
    return verdict ? boundary::leave_counted(std::move(*verdict)) : boundary::fail(verdict.error());
}

}  // namespace

int open_protocol(int kind) {
    return boundary::leave_text(guarded(std::string(boundary::kInternalFault), [&] {
        auto document = JsonDocument::read(std::string(take_text()), kDocument);
        return document ? opened(document->root(), kind) : boundary::error_text(document.error());
    }));
}

int exchange(int handle, int step) {
    return guarded(kFault, [&] {
        const auto found = objects().by_handle.find(handle);
        const std::string_view text = take_text();
        if (found == objects().by_handle.end()) return boundary::leave_counted("");
        return std::visit([&](auto& self) { return step_of(self, static_cast<ProtocolStep>(step), text); },
                          *found->second);
    });
}

void close_protocol(int handle) { objects().by_handle.erase(handle); }

}  // namespace viewcap::table
