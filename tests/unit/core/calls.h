// What the tests of calls share: plans that go on, the items of an outbox, and the contracts they call.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "host_protocol/vocabulary.h"
#include "surface.h"

namespace viewcap_test {

using Step = viewcap::AdvanceStep;
using Outcome = viewcap::SettleOutcome;
using Kind = viewcap::AnswerKind;

/// The raw items of an outbox text, in order.
inline std::vector<std::string> items_of(const std::string& outbox) {
    const auto read = document(outbox);
    std::vector<std::string> items;
    for (const auto item : read.root().elements()) items.emplace_back(item.raw());
    return items;
}

/// The items that carry out something for a call: settle, abort, dispatch; events and audit records left out.
inline std::vector<std::string> effects_of(const std::string& outbox) {
    std::vector<std::string> effects;
    for (const std::string& item : items_of(outbox))
        if (item.rfind("{\"event\"", 0) != 0 && item.rfind("{\"audit\"", 0) != 0 && item.rfind("{\"changed\"", 0) != 0)
            effects.push_back(item);
    return effects;
}

/// What the items of `kind` ("event", "audit") carry, those of `type` only when it is given.
inline std::vector<std::string> told(const std::string& outbox, const char* kind, const std::string& type = "") {
    std::vector<std::string> list;
    for (const std::string& item : items_of(outbox)) {
        const std::string body = at(item, {kind});
        if (!body.empty() && (type.empty() || at(body, {"type"}) == type)) list.push_back(body);
    }
    return list;
}

inline std::string dispatch_item(viewcap::InvocationHandle invocation) {
    return "{\"dispatch\":" + std::to_string(invocation) + "}";
}
inline std::string abort_item(viewcap::InvocationHandle invocation) {
    return "{\"abort\":" + std::to_string(invocation) + "}";
}

/// The code of a settle item, after checking whose it is.
inline std::string settled_code(const std::string& item, viewcap::InvocationHandle invocation) {
    INFO(item);
    REQUIRE(at(item, {"settle"}) == std::to_string(invocation));
    return at(item, {"result", "error", "code"});
}
inline std::string settled_detail(const std::string& item, const char* name) {
    return at(item, {"result", "error", "details", name});
}

/// Checks an error result against the vocabulary: code, retry hint, message length, and no detail key of another code.
inline void require_in_vocabulary(const std::string& result) {
    INFO(result);
    const auto read = document(result);
    const auto error = read.root().find("error");
    REQUIRE(error);
    const auto* row = host_protocol::find_error_row(error.find("code").string());
    REQUIRE(row != nullptr);
    CHECK(host_protocol::allows_retry(*row, error.find("retry").string()));
    CHECK_FALSE(error.find("message").string().empty());
    CHECK(error.find("message").string().size() <= 300);
    const auto details = error.find("details");
    if (!details || row->details == "*") return;
    for (const auto& [key, value] : details.members())
        CHECK((" " + std::string(row->details) + " ").find(" " + std::string(key) + " ") != std::string::npos);
}

/// A plan that holds its place and runs from begin on.
inline viewcap::Answer run(TestSurface& surface, const std::string& capability, const std::string& fields = "") {
    const auto plan = surface.begin(capability, fields);
    require_plan(plan);
    REQUIRE_FALSE(plan.admit_later);
    return plan;
}

/// A plan that waits behind a running call of the same queue.
inline viewcap::Answer line_up(TestSurface& surface, const std::string& capability, const std::string& fields = "") {
    const auto plan = surface.begin(capability, fields);
    require_plan(plan);
    REQUIRE(plan.admit_later);
    REQUIRE(surface.advance(plan, Step::admit).kind == Kind::wait);
    return plan;
}

}  // namespace viewcap_test
