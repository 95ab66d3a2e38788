// Reading of a runtime's options: the first fault is the error (spec: domain.md §5, decision 11).
#include "domain/runtime_options.h"

#include <optional>

#include "domain/value_facts.h"
#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"
#include "metadata/field.h"
#include "metadata/policy_facts.h"

namespace domain {

using host_protocol::concat;
using host_protocol::Error;
using host_protocol::JsonValue;

namespace {

class OptionsReader {
  public:
    explicit OptionsReader(JsonValue facts) : facts_(facts) {}

    host_protocol::Result<RuntimeOptions> read() {
        if (!is_record(facts_)) refuse("options", kObject, facts_);
        read_defaults();
        read_approvals();
        read_audit();
        read_policies();
        if (error_) return std::move(*error_);
        return std::move(options_);
    }

  private:
    void fail(std::string_view place, std::string message) {
        if (!error_)
            error_ = host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition, std::move(message),
                                               std::string(place));
    }
    void refuse(std::string_view place, std::string_view allowed, JsonValue value) {
        fail(place, must_be(place, allowed, value));
    }
    JsonValue section(std::string_view place) {
        const Field field = field_of(facts_, place);
        if (field && !is_record(field.value)) refuse(place, kObject, field.value);
        return field.value;
    }
    void read_number(JsonValue owner, std::string_view place, double& into) {
        const Field field = field_of(owner, place);
        if (!field) return;
        if (!is_positive(field.value)) return refuse(place, kPositive, field.value);
        into = field.value.number();
    }
    void read_flag(JsonValue owner, std::string_view place, bool& into) {
        const Field field = field_of(owner, place);
        if (!field) return;
        if (!is_boolean(field.value)) return refuse(place, kFlag, field.value);
        into = field.value.boolean();
    }
    void read_defaults();
    void read_approvals();
    void read_audit();
    void read_policies();

    JsonValue facts_;
    RuntimeOptions options_;
    std::optional<Error> error_;
};

void OptionsReader::read_defaults() {
    const JsonValue defaults = section("defaults");
    read_number(defaults, "defaults.timeoutMs", options_.timeout_ms);
    read_number(defaults, "defaults.policyTimeoutMs", options_.policy_timeout_ms);
    constexpr std::string_view kConcurrency = "defaults.policyConcurrency";
    if (const Field field = field_of(defaults, kConcurrency)) {
        if (is_whole(field.value) && is_positive(field.value))
            options_.policy_concurrency = field.value.number();
        else
            refuse(kConcurrency, "a whole number of at least 1", field.value);
    }
    read_number(defaults, "defaults.discoveryBudgetMs", options_.discovery_budget_ms);
    read_number(defaults, "defaults.approvalExpiresInMs", options_.approval_expires_in_ms);
}

void OptionsReader::read_approvals() {
    const JsonValue approvals = section("approvals");
    read_flag(approvals, "approvals.coordinator", options_.has_coordinator);
    read_flag(approvals, "approvals.handler", options_.has_handler);
    read_flag(approvals, "approvals.rejectSelfApproval", options_.reject_self_approval);
}

void OptionsReader::read_audit() {
    const JsonValue audit = section("audit");
    if (const Field sinks = field_of(audit, "audit.sinks")) {
        if (is_whole(sinks.value) && sinks.value.number() >= 0)
            options_.has_sinks = sinks.value.number() > 0;
        else
            refuse(sinks.place, "the number of sinks", sinks.value);
    }
    read_flag(audit, "audit.strict", options_.strict_audit);
    read_flag(audit, "audit.verbose", options_.verbose_audit);
    if (options_.strict_audit && !options_.has_sinks)
        fail("audit.strict",
             "audit.strict must be false without a sink, or audit.sinks must name one; found true and none");
}

void OptionsReader::read_policies() {
    const Field policies = field_of(facts_, "policies");
    if (!policies) return;
    if (!is_list(policies.value)) return refuse("policies", "an array of policies", policies.value);
    std::size_t at = 0;
    for (JsonValue item : policies.value.elements()) {
        const std::string place = concat({"policies[", std::to_string(at++), "]"});
        Policy policy;
        std::string fault = read_policy(item, place, PolicyOwner::runtime, policy);
        if (!fault.empty()) return fail(place, std::move(fault));
        options_.policies.push_back(std::move(policy));
    }
}

}  // namespace

host_protocol::Result<RuntimeOptions> read_runtime_options(JsonValue facts) { return OptionsReader(facts).read(); }

}  // namespace domain
