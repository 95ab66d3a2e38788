#include "boundary.h"

namespace viewcap::boundary {

Module& module() {
    static Module instance;
    return instance;
}

Registry* registry_of(int handle) {
    const auto found = module().registries.find(handle);
    return found == module().registries.end() ? nullptr : found->second.get();
}

int deliver(const Answer& answer, bool pending) {
    double* numbers = crossing().area.numbers;
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
