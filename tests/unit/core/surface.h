// A registry with a small invoices component, driven as the glue drives it: texts in, answers out.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "host_protocol/json_text.h"
#include "support/pattern_match.h"
#include "viewcap/registry.h"

namespace viewcap_test {

inline constexpr const char* kInvoices = R"({"type":"invoices.pending","description":"The table of pending invoices.",
"observations":{"readState":{"description":"What the table shows.","output":{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],"additionalProperties":false}}},
"actions":{"setFilters":{"description":"Narrow this table.","effect":"local-state","input":{"type":"object","properties":{"status":{"type":"string","enum":["open","paid"]}},"additionalProperties":false}},
"open":{"description":"Open one invoice.","effect":"navigation","idempotent":true,"timeoutMs":500}}})";
constexpr std::uint32_t kReadState = 0;
constexpr std::uint32_t kSetFilters = 1;
constexpr std::uint32_t kOpen = 2;

inline host_protocol::JsonDocument document(const std::string& text) {
    auto read = host_protocol::JsonDocument::read(text, {std::size_t{1} << 26, 128});
    INFO(text);
    REQUIRE(read);
    return std::move(*read);
}

/// The text at a path of member names in a JSON text, raw; empty when absent.
inline std::string at(const std::string& json, std::initializer_list<const char*> path) {
    const auto read = document(json);
    host_protocol::JsonValue value = read.root();
    for (const char* name : path) value = value.find(name);
    if (!value) return {};
    return value.is(host_protocol::JsonType::string) ? std::string(value.string()) : std::string(value.raw());
}

class TestSurface {
  public:
    explicit TestSurface(const std::string& options = "") {
        const auto given =
            document(R"({"surfaceId":"srf_test","environment":"test")" + (options.empty() ? "" : "," + options) + "}");
        auto made = viewcap::Registry::create(given.root(), pattern_match);
        if (!made) INFO(made.error().message);
        REQUIRE(made);
        registry = std::move(*made);
    }

    viewcap::ContractHandle intern(const std::string& contract = kInvoices) {
        const auto read = document(contract);
        auto interned = registry->intern_contract(read.root(), {});
        if (!interned) INFO(interned.error().message);
        REQUIRE(interned);
        return interned->id;
    }

    /// 0 when refused.
    viewcap::RegistrationHandle mount(const std::string& id, const std::string& instance = "default",
                                      viewcap::ContractHandle contract = 0) {
        auto outcome = registry->mount(contract != 0 ? contract : intern(),
                                       R"({"registrationId":")" + id + R"(","instanceId":")" + instance + "\"}", now);
        REQUIRE(outcome);
        return outcome->registration;
    }

    /// `fields` are members of the envelope besides the capability id.
    viewcap::Answer begin(const std::string& capability, const std::string& fields = "") {
        return registry->begin(R"({"freshId":"inv_fresh)" + std::to_string(++fresh) +
                                   R"(","capabilityId":"view:invoices.pending.)" + capability + "\"" +
                                   (fields.empty() ? "" : "," + fields) + "}",
                               now);
    }
    viewcap::Answer settle(const viewcap::Answer& plan,
                           viewcap::SettleOutcome outcome = viewcap::SettleOutcome::no_output,
                           const std::string& text = "") {
        return registry->settle(plan.invocation, outcome, text, now);
    }
    viewcap::Answer advance(const viewcap::Answer& plan, viewcap::AdvanceStep step, const std::string& text = "") {
        return registry->advance(plan.invocation, step, text, now);
    }
    std::string outbox() { return registry->outbox().take(); }

    std::unique_ptr<viewcap::Registry> registry;
    double now = 1000;
    int fresh = 0;
};

inline std::string code_of(const viewcap::Answer& answer) {
    REQUIRE(answer.kind == viewcap::AnswerKind::result);
    return at(answer.result, {"error", "code"});
}
inline std::string detail_of(const viewcap::Answer& answer, const char* name) {
    return at(answer.result, {"error", "details", name});
}

inline void require_plan(const viewcap::Answer& answer) {
    if (answer.kind == viewcap::AnswerKind::result) INFO(answer.result);
    REQUIRE(answer.kind == viewcap::AnswerKind::plan);
}

}  // namespace viewcap_test
