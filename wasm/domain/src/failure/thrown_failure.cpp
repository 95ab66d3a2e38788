// What a procedure threw becomes one of four codes, so that no handler can forge a not-found, a timeout or a refusal of
// the runtime (spec: domain.md §6.3, decision 12). Rows of §6.3 in their order.
#include "domain/failure.h"
#include "domain/value_facts.h"
#include "failure/issues.h"
#include "host_protocol/json_out.h"

namespace domain {
namespace {

using host_protocol::JsonValue;
using host_protocol::text_or;

bool flag_or(JsonValue value, bool fallback) { return is_boolean(value) ? value.boolean() : fallback; }

bool may_be_thrown(std::string_view code) {
    return code == codes::kExecutionFailed || code == codes::kForbidden || code == codes::kUnauthenticated;
}

/// Only this one brings a retry hint and an expose flag of its own.
Failure own_failure(JsonValue facts) {
    const std::string_view code = text_or(facts.find("code"), "");
    if (!may_be_thrown(code)) return failure_of(codes::kExecutionFailed);
    Failure failure = failure_of(code);
    const std::string_view stage = text_or(facts.find("stage"), "");
    for (std::string_view known : kStages)
        if (known == stage) failure.stage = known;
    failure.message = text_or(facts.find("publicMessage"), failure.message);
    failure.retryable = flag_or(facts.find("retryable"), failure.retryable);
    failure.exposed = flag_or(facts.find("exposeToModel"), failure.exposed);
    const JsonValue details = facts.find("details");
    if (is_record(details)) failure.details = details.raw();
    failure.is_own = true;
    return failure;
}

Failure rpc_failure(JsonValue facts) {
    const std::string_view code = text_or(facts.find("code"), "");
    const bool is_refusal = code == "UNAUTHORIZED" || code == "FORBIDDEN";
    Failure failure = failure_of(code == "UNAUTHORIZED" ? codes::kUnauthenticated
                                 : is_refusal           ? codes::kForbidden
                                                        : codes::kExecutionFailed);
    const std::string_view message = text_or(facts.find("message"), "");
    if (!message.empty()) failure.message = message;
    failure.exposed = true;
    return failure;
}

}  // namespace

Failure invalid_input(JsonValue issues) {
    Failure failure = failure_of(codes::kInputInvalid);
    failure.details = issues_text(issues);
    if (failure.details.empty()) failure.details = R"({"issues":[]})";
    return failure;
}

Failure thrown_failure(JsonValue facts) {
    const std::string_view kind = text_or(facts.find("kind"), "");
    if (kind == "capability") return own_failure(facts);
    if (kind == "input") return invalid_input(facts.find("issues"));
    if (kind == "output") return failure_of(codes::kOutputInvalid);
    if (kind == "rpc") return rpc_failure(facts);
    return failure_of(codes::kExecutionFailed);
}

}  // namespace domain
