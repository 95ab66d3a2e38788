// The buffer is `{"messages":[` and the kept messages; a step's other members follow. A dropped turn's bytes make room
// for the opening once more, so that trimming moves nothing either.
#include "host_protocol/step_encoder.h"

#include "history_walk.h"
#include "host_protocol/json_out.h"
#include "step_shapes.h"

namespace host_protocol {
namespace {

using shape::Place;

constexpr std::string_view kOpening = "{\"messages\":[";
// A message list stands one level deeper in a body than by itself.
constexpr std::uint32_t kListDepth = bounds::kMaxJsonDepth - 1;

using OpenCalls = std::map<std::string, std::uint32_t, std::less<>>;

void open_call(OpenCalls& open, std::string_view id) {
    const auto known = open.find(id);
    if (known != open.end())
        ++known->second;
    else
        open.emplace(id, 1);
}

bool close_call(OpenCalls& open, std::string_view id) {
    const auto known = open.find(id);
    if (known == open.end()) return false;
    if (--known->second == 0) open.erase(known);
    return true;
}

/// Whether every result of the list has its call; `open` follows.
Status follow_calls(JsonValue messages, std::uint32_t first, OpenCalls& open) {
    std::optional<CallPlace> orphan;
    std::uint32_t index = first;
    for (const JsonValue message : messages.elements()) {
        for_each_tie(message, index++, [&](Tie tie, const CallPlace& place) {
            if (tie == Tie::call)
                open_call(open, place.call_id);
            else if (!close_call(open, place.call_id) && !orphan)
                orphan = place;
        });
    }
    if (!orphan) return ok();
    const Place top;
    const Place list = top.member("messages");
    const Place message = list.element(orphan->message);
    const Place content = message.member("content");
    return shape::fault(content.element(orphan->part), "a tool result without an earlier call",
                        "a result that answers an earlier tool-call");
}

void append_scope(std::string& out, const std::vector<std::string_view>& scope) {
    append_key(out, "scope");
    out += '[';
    for (std::size_t i = 0; i < scope.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, scope[i]);
    }
    out += ']';
}

}  // namespace

void StepEncoder::reset() {
    buffer_ = kOpening;
    begin_ = end_ = kOpening.size();
    count_ = trimmed_ = dropped_ = withheld_ = 0;
    turns_.clear();
    open_calls_.clear();
    kept_names_.clear();
    tools_ = state_ = "[]";
}

Status StepEncoder::append(std::string_view messages) {
    Result<JsonValue> list = reader_.read(messages, {limits_.max_body_bytes, kListDepth});
    if (!list) return shape::unreadable(list.error());
    const Place top;
    const Place place = top.member("messages");
    if (!list->is(JsonType::array)) return shape::fault(place, shape::describe(*list), "an array of messages");
    Status status = shape::check_messages(*list, place, count_);
    if (!status) return status;
    OpenCalls open = open_calls_;
    status = follow_calls(*list, count_, open);
    if (status) keep(*list);
    return status;
}

void StepEncoder::keep(JsonValue messages) {
    buffer_.resize(end_);
    for (const JsonValue message : messages.elements()) {
        if (end_ > kOpening.size()) buffer_ += ',';
        // Between turns nothing is open: only there a history can be cut and stay legal.
        if (open_calls_.empty() && message.find("role").string() == roles::kUser)
            turns_.push_back({buffer_.size(), count_});
        buffer_ += message.raw();
        end_ = buffer_.size();
        for_each_tie(message, count_++, [this](Tie tie, const CallPlace& at) {
            if (tie == Tie::call)
                open_call(open_calls_, at.call_id);
            else
                close_call(open_calls_, at.call_id);
        });
    }
}

Status StepEncoder::check_head(const StepHead& head) const {
    namespace at = shape::request;
    const Place top;
    const Place catalog = top.member("catalog");
    Status status =
        shape::check_text(head.conversation_id, shape::kRequest[at::conversation_id], top.member("conversationId"));
    if (status) status = shape::check_text(head.turn_id, shape::kRequest[at::turn_id], top.member("turnId"));
    if (status) status = shape::check_text(head.pathname, shape::kRequest[at::pathname], top.member("pathname"));
    if (status && head.model_id)
        status = shape::check_text(*head.model_id, shape::kRequest[at::model_id], top.member("modelId"));
    if (status) status = shape::check_text(head.mode, shape::kCatalog[shape::catalog::mode], catalog.member("mode"));
    if (status && head.step_index > bounds::kMaxStepIndex)
        return shape::fault(top.member("stepIndex"), shape::decimal(head.step_index), "an integer of 0 to 64");
    if (!status || !head.scope) return status;
    const Place scope = catalog.member("scope");
    if (head.scope->size() > bounds::kMaxScopeTokens)
        return shape::fault(scope, shape::decimal(static_cast<double>(head.scope->size())), "an array of 0 to 32");
    for (std::size_t i = 0; i < head.scope->size() && status; ++i)
        status = shape::check_text((*head.scope)[i], shape::kScopeToken, scope.element(i));
    return status;
}

Status StepEncoder::check_history() const {
    const Place top;
    const Place messages = top.member("messages");
    if (count_ == trimmed_) return shape::fault(messages, "no message", "an array of at least 1");
    if (open_calls_.empty()) return ok();
    return shape::fault(messages, "a tool call without a result", "calls that a later tool-result answers");
}

void StepEncoder::write_tail(const StepHead& head) {
    buffer_.resize(end_);
    buffer_ += ']';
    append_number_member(buffer_, "protocolVersion", kProtocolVersion);
    append_text_member(buffer_, "conversationId", head.conversation_id);
    append_text_member(buffer_, "turnId", head.turn_id);
    append_number_member(buffer_, "stepIndex", head.step_index);
    append_text_member(buffer_, "pathname", head.pathname);
    if (head.model_id) append_text_member(buffer_, "modelId", *head.model_id);
    append_key(buffer_, "catalog");
    buffer_ += '{';
    append_text_member(buffer_, "mode", head.mode);
    if (head.scope) append_scope(buffer_, *head.scope);
    append_json_member(buffer_, "frontendTools", tools_);
    append_json_member(buffer_, "frontendState", state_);
    if (dropped_ + withheld_ > 0) {
        append_key(buffer_, "truncated");
        buffer_ += '{';
        append_number_member(buffer_, "dropped", dropped_ + withheld_);
        append_text_member(buffer_, "reason",
                           dropped_ > 0 ? truncation_reasons::kLimit : truncation_reasons::kUndecodable);
        buffer_ += '}';
    }
    buffer_ += "}}";
}

/// The tail is written: what the whole comes to is known.
Status StepEncoder::trim() {
    std::size_t begin = begin_;
    std::uint32_t trimmed = trimmed_;
    std::size_t turn = 0;
    const auto bytes = [&] { return buffer_.size() - begin + kOpening.size(); };
    while (count_ - trimmed > limits_.max_messages || bytes() > limits_.max_body_bytes) {
        while (turn < turns_.size() && turns_[turn].begin <= begin) ++turn;
        if (turn == turns_.size()) {
            const bool many = count_ - trimmed > limits_.max_messages;
            return make_error(
                many ? host_codes::kCatalogTooLarge : host_codes::kProtocolDecodeError,
                many ? concat({"Found ", shape::decimal(count_ - trimmed), " messages in one turn; at most ",
                               shape::decimal(limits_.max_messages), " are allowed."})
                     : concat({"Found a body of ", shape::decimal(static_cast<double>(bytes())),
                               " bytes with one turn; at most ", shape::decimal(limits_.max_body_bytes),
                               " are allowed."}),
                "/messages");
        }
        begin = turns_[turn].begin;
        trimmed = turns_[turn].index;
    }
    if (begin == begin_) return ok();
    buffer_.replace(begin - kOpening.size(), kOpening.size(), kOpening);
    begin_ = begin;
    trimmed_ = trimmed;
    turns_.erase(turns_.begin(), turns_.begin() + static_cast<std::ptrdiff_t>(turn));
    // Most often nothing moves; the room of what was trimmed is taken back when it is the larger half.
    if (2 * begin_ > buffer_.size()) forget_trimmed();
    return ok();
}

void StepEncoder::forget_trimmed() {
    const std::size_t gone = begin_ - kOpening.size();
    buffer_.erase(0, gone);
    begin_ -= gone;
    end_ -= gone;
    for (Turn& turn : turns_) turn.begin -= gone;
}

Result<EncodedStep> StepEncoder::encode(const StepHead& head) {
    Status status = check_head(head);
    if (status) status = check_history();
    if (!status) return status.error();
    write_tail(head);
    status = trim();
    if (!status) return status.error();
    const std::string_view body = std::string_view(buffer_).substr(begin_ - kOpening.size());
    return EncodedStep{body, dropped_, trimmed_};
}

Result<EncodedStep> StepEncoder::encode_text(std::string_view head) {
    Result<JsonValue> object = reader_.read(head, {limits_.max_body_bytes, kListDepth});
    if (!object) return shape::unreadable(object.error());
    StepHead read;
    read.conversation_id = text_or(object->find("conversationId"), {});
    read.turn_id = text_or(object->find("turnId"), {});
    const JsonValue index = object->find("stepIndex");
    read.step_index = index.is(JsonType::number) ? handle_of(index.number()) : shape::kUnbounded;
    read.pathname = text_or(object->find("pathname"), {});
    read.mode = text_or(object->find("mode"), catalog_modes::kDirect);
    const JsonValue model = object->find("modelId");
    if (model.is(JsonType::string)) read.model_id = model.string();
    const JsonValue scope = object->find("scope");
    if (scope.is(JsonType::array)) {
        read.scope.emplace();
        for (const JsonValue token : scope.elements()) read.scope->push_back(text_or(token, {}));
    }
    return encode(read);
}

}  // namespace host_protocol
