#include "json_out.h"
#include "viewcap/effects.h"

namespace viewcap {

std::string& Outbox::open_item() {
    items_ += items_.empty() ? '[' : ',';
    return items_;
}

void Outbox::settle(InvocationHandle invocation, std::string_view result) {
    open_item() += "{\"settle\":";
    items_ += std::to_string(invocation);
    items_ += ",\"result\":";
    items_ += result;
    items_ += '}';
}

void Outbox::abort(InvocationHandle invocation) {
    open_item() += "{\"abort\":";
    items_ += std::to_string(invocation);
    items_ += '}';
}

void Outbox::dispatch(InvocationHandle invocation) {
    open_item() += "{\"dispatch\":";
    items_ += std::to_string(invocation);
    items_ += '}';
}

void Outbox::confirmation(std::string_view id, std::string_view outcome) {
    open_item() += '{';
    append_text_member(items_, "confirmation", id);
    append_text_member(items_, "outcome", outcome);
    items_ += '}';
}

void Outbox::gone(RegistrationHandle registration) {
    open_item() += "{\"gone\":";
    items_ += std::to_string(registration);
    items_ += '}';
}

void Outbox::event(std::string_view event) {
    open_item() += "{\"event\":";
    items_ += event;
    items_ += '}';
}

void Outbox::changed(std::uint64_t version) {
    open_item() += "{\"changed\":\"";
    items_ += std::to_string(version);
    items_ += "\"}";
}

void Outbox::audit(std::string_view record) {
    open_item() += "{\"audit\":";
    items_ += record;
    items_ += '}';
}

std::string Outbox::take() {
    if (items_.empty()) return "[]";
    std::string text = std::move(items_);
    items_.clear();
    text += ']';
    return text;
}

}  // namespace viewcap
