// What an author's code threw, cut down to what its place may say (spec: invocation.md §1, phases 4 and 6).
#include <algorithm>

#include "host_protocol/vocabulary.h"
#include "invocation/failure.h"
#include "json_out.h"

namespace viewcap::failures {
namespace {

namespace codes = host_protocol::codes;
namespace retry = host_protocol::retry;
using host_protocol::JsonType;
using host_protocol::JsonValue;

bool may_carry(Thrower thrower, std::string_view code) {
    for (std::string_view one : {codes::kNotAuthenticated, codes::kNotAuthorized, codes::kRateLimited,
                                 codes::kCapabilityNotAvailable, codes::kPreconditionFailed})
        if (code == one) return true;
    if (thrower == Thrower::policy) return code == codes::kCapabilityNotFound;
    if (code == codes::kExecutionFailed) return true;
    return thrower == Thrower::executor && (code == codes::kInvalidInput || code == codes::kConfirmationRequired);
}

/// The author's details, cut to the keys that the code's row has. An executor speaks for the server, and for nobody
/// else.
std::string kept_details(JsonValue details, std::string_view keys, Thrower thrower) {
    const bool readable = details.is(JsonType::object) && details.raw().size() <= kMaxDetailsBytes;
    if (keys == "*") return readable ? std::string(details.raw()) : std::string();
    const std::string padded = concat({" ", keys, " "});
    const bool speaks_for_server = thrower == Thrower::executor && padded.find(" origin ") != std::string::npos;
    std::string out = "{";
    if (speaks_for_server) append_text_member(out, "origin", "server");
    if (readable)
        for (const auto& [key, value] : details.members()) {
            if (speaks_for_server && key == "origin") continue;
            if (key.find(' ') == std::string_view::npos && padded.find(concat({" ", key, " "})) != std::string::npos)
                append_json_member(out, key, value.raw());
        }
    return out == "{" ? std::string() : out + "}";
}

std::string_view kept_retry(JsonValue wanted, const host_protocol::ErrorRow& row) {
    if (wanted.is(JsonType::string))
        for (std::string_view hint : host_protocol::kRetryHints)
            if (hint == wanted.string() && host_protocol::allows_retry(row, hint)) return hint;
    for (std::string_view hint : host_protocol::kRetryHints)
        if (host_protocol::allows_retry(row, hint)) return hint;
    return retry::kNo;
}

}  // namespace

Failure thrown(JsonValue payload, Thrower thrower) {
    const std::string_view code = text_or(payload.find("code"), "");
    const host_protocol::ErrorRow* row = host_protocol::find_error_row(code);
    const bool on_server = thrower == Thrower::executor;
    if (row == nullptr || !may_carry(thrower, code))
        return thrower == Thrower::policy ? policy_error() : handler_error(false, on_server);
    if (row->code == codes::kExecutionFailed) {
        const bool passes = is_true(payload.find("details").find("transient")) ||
                            text_or(payload.find("retry"), "") == retry::kAfterDelay;
        Failure failure = handler_error(passes, on_server);
        failure.message = text_or(payload.find("message"), failure.message);
        return failure;
    }
    Failure failure{row->code, kept_retry(payload.find("retry"), *row),
                    std::string(text_or(payload.find("message"), "The action refused.")),
                    kept_details(payload.find("details"), row->details, thrower)};
    if (row->code == codes::kNotAuthorized && failure.details.empty()) failure.details = one_member("origin", "client");
    return failure;
}

}  // namespace viewcap::failures
