#include "boundary.h"

#include "host_protocol/json_text.h"

namespace viewcap::boundary {

Module& module() {
    static Module instance;
    return instance;
}

std::string_view take_text() {
    drop_long_answer();
    Module& state = module();
    if (state.has_staged) {
        state.has_staged = false;
        return state.staged;
    }
    const std::size_t bytes = state.area.text_bytes;
    state.area.text_bytes = 0;
    return {state.area.text, bytes <= Area::kTextBytes ? bytes : 0};
}

Registry* registry_of(int handle) {
    const auto found = module().registries.find(handle);
    return found == module().registries.end() ? nullptr : found->second.get();
}

std::string error_text(const host_protocol::Error& error) {
    std::string out = "{\"error\":{\"code\":";
    host_protocol::append_json_string(out, error.code);
    out += ",\"message\":";
    host_protocol::append_json_string(out, error.message);
    if (!error.path.empty()) {
        out += ",\"path\":";
        host_protocol::append_json_string(out, error.path);
    }
    return out + "}}";
}

int fail(const host_protocol::Error& error) {
    module().fault = error_text(error);
    return -1;
}

void drop_long_answer() {
    constexpr std::size_t kLong = 4096;
    std::string& answer = module().answer;
    if (answer.capacity() > kLong) std::string().swap(answer);
}

int leave_text(std::string text) {
    Module& state = module();
    state.answer = std::move(text);
    state.area.numbers[kTextAddress] = static_cast<double>(reinterpret_cast<std::uintptr_t>(state.answer.data()));
    return static_cast<int>(state.answer.size());
}

int deliver(const Answer& answer, bool pending) {
    double* numbers = module().area.numbers;
    switch (answer.kind) {
        case AnswerKind::result: numbers[kTextBytes] = leave_text(answer.result); break;
        case AnswerKind::join: numbers[0] = answer.invocation; break;
        case AnswerKind::plan:
            numbers[0] = answer.invocation;
            numbers[1] = answer.registration;
            numbers[2] = answer.capability;
            numbers[3] = answer.admit_later ? 1 : 0;
            numbers[4] = answer.input_refused ? 1 : 0;
            numbers[5] = answer.timeout_ms;
            numbers[6] = answer.needs_confirmation ? 1 : 0;
            break;
        case AnswerKind::ask:
            numbers[0] = answer.invocation;
            numbers[kTextBytes] = leave_text(answer.text);
            break;
        case AnswerKind::pass:
            numbers[0] = answer.approved_at;
            numbers[kTextBytes] = leave_text(answer.text);
            break;
        case AnswerKind::done:
            numbers[0] = static_cast<double>(answer.surface_version);
            numbers[1] = answer.surface_changed ? 1 : 0;
            break;
        case AnswerKind::go:
        case AnswerKind::wait:
        case AnswerKind::ignored: break;
    }
    return static_cast<int>(answer.kind) + (pending ? 16 : 0);
}

}  // namespace viewcap::boundary
