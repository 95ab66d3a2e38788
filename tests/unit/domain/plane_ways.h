// The longest ways through an execution, on which everything is asked that can be.
#pragma once

#include <optional>

#include "plane_driver.h"

namespace domain_test {

// Everything that can be asked on one way: with schemas, policies of every phase, a gate, strict audit, a retry.
inline const Nodes kEverything = one(kGate + kRedacted + R"(,"retry":{"maxAttempts":1,"retryOn":)" + kFunction + "}" +
                                         policies_of({{"d", "discovery"}, {"i", "invocation"}, {"e", "execution"}}),
                                     "read", "schema", "schema");
inline const std::string kAll = R"({"audit":{"sinks":1,"strict":true},"approvals":{"handler":true}})";
inline const std::string kApproved = R"({"status":"approved","approver":{"id":"boss","kind":"user"}})";
inline const std::string kAgain = R"({"kind":"capability","code":"EXECUTION_FAILED","retryable":true})";

/// Asks in order on the longest way of a call that completes.
inline const std::vector<Ask> kWay = {Ask::validate_input, Ask::hash_input,    Ask::run_policies,    Ask::decide_inline,
                                      Ask::run_policies,   Ask::audit_started, Ask::execute,         Ask::may_retry,
                                      Ask::back_off,       Ask::execute,       Ask::validate_output, Ask::redact};
inline const std::vector<Ask> kResumeWay = {Ask::hash_input,       Ask::validate_input,  Ask::hash_input,
                                            Ask::consume_approval, Ask::run_policies,    Ask::audit_started,
                                            Ask::execute,          Ask::may_retry,       Ask::back_off,
                                            Ask::execute,          Ask::validate_output, Ask::redact};

struct Answer {
    Told told;
    std::string text;
};
inline Answer usual_answer(Ask asked, bool first_attempt) {
    if (asked == Ask::decide_inline) return {Told::decided, kApproved};
    if (asked == Ask::execute && first_attempt) return {Told::threw, kAgain};
    const auto [told, text] = smooth(asked, kInput);
    return {told, text};
}

}  // namespace domain_test
