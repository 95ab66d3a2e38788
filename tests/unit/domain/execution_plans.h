// Random plans: how a capability is made, and everything that will be said of one execution of it.
#pragma once

#include <algorithm>
#include <random>

#include "plane_driver.h"

namespace domain_test {

struct Options {
    bool asks_inline, strict, listens;
};
struct Shape {
    bool has_input, has_output, redacts, discovery, invocation, execution, gated, asks, writes, idempotent;
    int retries;
};
enum class Said { allow, deny, hide, demand, threw };
enum class Decided { nothing, approved, rejected, own, nonsense, threw };
enum class Attempt { output, again, final, timeout, stopped };
struct Plan {
    bool resumes, is_nobody, is_valid, hashes, stores, audits, consumes, may_retry, waits, output_is_valid, redacts;
    Said discovery, invocation, execution;
    Decided decided;
    Attempt attempts[4];
    std::size_t gone_after;  // answers, after which the caller's token is aborted; 0: from the start
};

inline const std::string kBossApproves = R"({"status":"approved","approver":{"id":"boss","kind":"user"}})";

inline Shape random_shape(std::mt19937& random) {
    const auto maybe = [&](unsigned one_in) { return random() % one_in == 0; };
    Shape shape{maybe(2), maybe(2), maybe(3), maybe(3), maybe(2), maybe(2), maybe(3), maybe(2), maybe(2), maybe(2), 0};
    // The registry refuses retries of a write that is not idempotent (SI-11).
    if (!shape.writes || shape.idempotent) shape.retries = static_cast<int>(random() % 4);
    return shape;
}

inline Plan random_plan(std::mt19937& random) {
    const auto mostly = [&] { return random() % 6 != 0; };
    const auto said = [&] {
        return mostly() ? (mostly() ? Said::allow : Said::demand) : static_cast<Said>(random() % 5);
    };
    Plan plan{};
    plan.resumes = random() % 4 == 0;
    plan.is_nobody = random() % 12 == 0;
    for (bool* flag : {&plan.is_valid, &plan.hashes, &plan.stores, &plan.audits, &plan.consumes, &plan.may_retry,
                       &plan.waits, &plan.output_is_valid, &plan.redacts})
        *flag = mostly();
    plan.discovery = static_cast<Said>(random() % 5);
    plan.invocation = said();
    plan.execution = said();
    plan.decided = static_cast<Decided>(random() % 6);
    for (Attempt& attempt : plan.attempts)
        attempt = random() % 2 == 0 ? Attempt::again : static_cast<Attempt>(random() % 5);
    plan.gone_after = random() % 3 == 0 ? random() % 14 : 1000;
    return plan;
}

inline std::string procedure_of(const std::string& id, const Shape& shape) {
    std::vector<std::pair<std::string, std::string>> policies;
    if (shape.discovery) policies.emplace_back("d", "discovery");
    if (shape.invocation) policies.emplace_back("i", "invocation");
    if (shape.execution) policies.emplace_back("e", "execution");
    std::string more = policies_of(policies) + (shape.gated ? kGate : "") + (shape.redacts ? kRedacted : "");
    if (shape.idempotent) more += R"(,"idempotent":true)";
    if (shape.retries > 0)
        more += R"(,"retry":{"maxAttempts":)" + std::to_string(shape.retries) +
                (shape.asks ? R"(,"retryOn":)" + kFunction + "}" : "}");
    return procedure(id, exposed(R"({"direct":true})", more, shape.writes ? "write" : "read"),
                     shape.has_input ? "schema" : "none", shape.has_output ? "schema" : "none");
}
inline std::string text_of(const Options& options) {
    return std::string(R"({"audit":{"sinks":)") + (options.listens ? "1" : "0") + R"(,"strict":)" +
           (options.strict ? "true" : "false") + R"(},"approvals":{"handler":)" +
           (options.asks_inline ? "true}}" : "false}}");
}
inline std::string text_of(Said said) {
    if (said == Said::allow) return "";
    if (said == Said::threw) return R"(["threw"])";
    if (said == Said::demand) return decision("require-approval", R"(,"reason":"r")");
    return decision(said == Said::deny ? "deny" : "hide");
}

inline std::pair<Told, std::string> answer_of(Decided decided) {
    switch (decided) {
        case Decided::nothing: return {Told::undecided, ""};
        case Decided::approved: return {Told::decided, kBossApproves};
        case Decided::rejected:
            return {Told::decided, R"({"status":"rejected","approver":{"id":"boss","kind":"user"}})"};
        case Decided::own: return {Told::decided, R"({"status":"approved","approver":{"id":"u1","kind":"user"}})"};
        case Decided::nonsense: return {Told::decided, R"({"status":"approved"})"};
        case Decided::threw: break;
    }
    return {Told::refused, ""};
}
inline std::pair<Told, std::string> answer_of(Attempt attempt) {
    switch (attempt) {
        case Attempt::output: return {Told::output, ""};
        case Attempt::again:
            return {Told::threw, R"({"kind":"capability","code":"EXECUTION_FAILED","retryable":true})"};
        case Attempt::final: return {Told::threw, R"({"kind":"other"})"};
        case Attempt::timeout: return {Told::timed_out, ""};
        case Attempt::stopped: break;
    }
    return {Told::stopped, ""};
}

/// What the plan says to what is asked; `executed` counts the attempts, this one too.
inline std::pair<Told, std::string> answer_of(const Plan& plan, const Step& step, std::size_t executed) {
    const auto done = [](bool well) { return std::pair<Told, std::string>(well ? Told::done : Told::refused, ""); };
    switch (step.ask) {
        case Ask::validate_input: return {plan.is_valid ? Told::valid : Told::invalid, "[]"};
        case Ask::hash_input: return {plan.hashes ? Told::hashed : Told::unhashable, kInput};
        case Ask::run_policies:
            return {Told::batch, text_of(step.number == 0   ? plan.discovery
                                         : step.number == 1 ? plan.invocation
                                                            : plan.execution)};
        case Ask::decide_inline: return answer_of(plan.decided);
        case Ask::store_approval: return done(plan.stores);
        case Ask::audit_started: return done(plan.audits);
        case Ask::execute: return answer_of(plan.attempts[std::min<std::size_t>(executed, 4) - 1]);
        case Ask::back_off: return {plan.waits ? Told::done : Told::stopped, ""};
        case Ask::validate_output: return {plan.output_is_valid ? Told::valid : Told::invalid, "[]"};
        case Ask::redact: return done(plan.redacts);
        case Ask::consume_approval: return done(plan.consumes);
        case Ask::may_retry: return {plan.may_retry ? Told::yes : Told::no, ""};
        case Ask::finished:
        case Ask::ignored: break;
    }
    return {Told::broke, ""};
}

}  // namespace domain_test
