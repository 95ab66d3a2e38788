#include "boundary.h"

#include "host_protocol/json_text.h"

namespace viewcap::boundary {

Module& module() {
    static Module instance;
    return instance;
}

std::string_view text_of(const std::string& argument) {
    Module& state = module();
    if (!argument.empty() || !state.has_staged) return argument;
    state.has_staged = false;
    return state.staged;
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

std::string answer_text(const Answer& answer, bool pending) {
    std::string out;
    out.reserve(96);
    out += '[';
    out += std::to_string(static_cast<int>(answer.kind));
    out += pending ? ",1" : ",0";
    switch (answer.kind) {
        case AnswerKind::result:
            out += ',';
            out += answer.result;
            break;
        case AnswerKind::join:
            out += ',';
            out += std::to_string(answer.invocation);
            break;
        case AnswerKind::plan:
            for (std::uint32_t number : {answer.invocation, answer.registration, answer.capability, std::uint32_t{answer.admit_later},
                                         std::uint32_t{answer.input_refused}, answer.timeout_ms}) {
                out += ',';
                out += std::to_string(number);
            }
            out += ',';
            host_protocol::append_json_string(out, answer.invocation_id);
            out += ',';
            host_protocol::append_json_string(out, answer.registration_id);
            break;
        case AnswerKind::done:
            out += ",\"";
            out += std::to_string(answer.surface_version);
            out += answer.surface_changed ? "\",1" : "\",0";
            break;
        case AnswerKind::go:
        case AnswerKind::wait:
        case AnswerKind::ignored: break;
    }
    return out + "]";
}

}  // namespace viewcap::boundary
