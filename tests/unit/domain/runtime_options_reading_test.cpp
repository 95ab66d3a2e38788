// Options of a runtime: defaults, what is refused and how it is said (spec: domain.md §5, decision 11).
#include "domain/runtime_options.h"
#include "walk_text.h"

namespace {

using namespace domain_test;

domain::RuntimeOptions read(const std::string& facts) {
    auto options = domain::read_runtime_options(json(facts).root());
    if (!options) INFO(options.error().message);
    REQUIRE(options);
    return *options;
}
/// Place and sentence of the refusal.
std::string refused(const std::string& facts) {
    const auto options = domain::read_runtime_options(json(facts).root());
    if (options) return "accepted";
    CHECK(options.error().code == "INVALID_DEFINITION");
    return options.error().path + ": " + options.error().message;
}
std::string said(const std::string& place, const std::string& allowed, const std::string& found) {
    return place + ": " + place + " must be " + allowed + "; found " + found;
}

TEST_CASE("options that say nothing have the defaults of the specification", "[domain]") {
    for (const char* facts : {"{}", R"({"policies":[],"defaults":{},"approvals":{},"audit":{}})"}) {
        const domain::RuntimeOptions options = read(facts);
        CHECK(options.timeout_ms == 30000);
        CHECK(options.policy_timeout_ms == 5000);
        CHECK(options.policy_concurrency == 16);
        CHECK(options.discovery_budget_ms == 30000);
        CHECK(options.approval_expires_in_ms == 900000);
        CHECK(options.reject_self_approval);
        CHECK_FALSE(options.strict_audit);
        CHECK_FALSE(options.verbose_audit);
        CHECK_FALSE(options.has_sinks);
        CHECK_FALSE(options.has_coordinator);
        CHECK_FALSE(options.has_handler);
        CHECK(options.policies.empty());
    }
}

TEST_CASE("options are kept as they were given", "[domain]") {
    const domain::RuntimeOptions options = read(
        R"({"policies":[{"name":"p","phases":["invocation"]},{"name":"q","phases":[]}],"defaults":{"timeoutMs":0.5,)"
        R"("policyTimeoutMs":2,"policyConcurrency":1,"discoveryBudgetMs":4,"approvalExpiresInMs":1e300},"approvals":)"
        R"({"coordinator":true,"handler":true,"rejectSelfApproval":false},"audit":{"sinks":2,"strict":true,"verbose":true}})");
    CHECK(options.timeout_ms == 0.5);
    CHECK(options.policy_timeout_ms == 2);
    CHECK(options.policy_concurrency == 1);
    CHECK(options.discovery_budget_ms == 4);
    CHECK(options.approval_expires_in_ms == 1e300);
    CHECK_FALSE(options.reject_self_approval);
    CHECK(options.strict_audit);
    CHECK(options.verbose_audit);
    CHECK(options.has_sinks);
    CHECK(options.has_coordinator);
    CHECK(options.has_handler);
    REQUIRE(options.policies.size() == 2);
    CHECK(options.policies[0].name == "p");
    CHECK(options.policies[0].applies_to(domain::Phase::invocation));
    CHECK_FALSE(options.policies[0].applies_to(domain::Phase::discovery));
    CHECK(options.policies[1].phases == 0);
}

TEST_CASE("every numeric default is finite and positive, the concurrency a whole number too", "[domain]") {
    const std::pair<const char*, const char*> never[] = {
        {"0", "the number 0"},       {"-0", "the number 0"}, {"-1", "the number -1"},
        {"-0.5", "the number -0.5"}, {"null", "null"},       {"true", "true"},
        {"[]", "an array"},          {"{}", "an object"},    {R"("5")", R"(the string "5")"}};
    const char* facts[] = {"NaN", "Infinity", "-Infinity"};
    for (const std::string name :
         {"timeoutMs", "policyTimeoutMs", "policyConcurrency", "discoveryBudgetMs", "approvalExpiresInMs"}) {
        const bool is_count = name == "policyConcurrency";
        const std::string allowed = is_count ? "a whole number of at least 1" : "a finite number above 0";
        const auto with = [&](const std::string& value) { return R"({"defaults":{")" + name + "\":" + value + "}}"; };
        for (const auto& [value, found] : never)
            CHECK(refused(with(value)) == said("defaults." + name, allowed, found));
        for (const char* word : facts) CHECK(refused(with(fact(word))) == said("defaults." + name, allowed, word));
        CHECK(refused(with(fact("bigint"))) == said("defaults." + name, allowed, "a bigint"));
        CHECK(refused(with(fact("undefined"))) == "accepted");
        CHECK(refused(with("1.5")) == (is_count ? said("defaults." + name, allowed, "the number 1.5") : "accepted"));
        CHECK(refused(with("3")) == "accepted");
    }
}

TEST_CASE("strict audit without a sink is refused", "[domain]") {
    const std::string says =
        "audit.strict: audit.strict must be false without a sink, or audit.sinks must name one; found true and none";
    CHECK(refused(R"({"audit":{"strict":true}})") == says);
    CHECK(refused(R"({"audit":{"strict":true,"sinks":0}})") == says);
    CHECK(refused(R"({"audit":{"strict":true,"sinks":1}})") == "accepted");
    CHECK(refused(R"({"audit":{"strict":false,"sinks":0}})") == "accepted");
}

TEST_CASE("switches are booleans and sinks are a count", "[domain]") {
    for (const std::string place : {"approvals.coordinator", "approvals.handler", "approvals.rejectSelfApproval",
                                    "audit.strict", "audit.verbose"}) {
        const std::string section = place.substr(0, place.find('.')), name = place.substr(place.find('.') + 1);
        for (const auto& [value, found] : {std::pair<std::string, std::string>{"0", "the number 0"},
                                           {"null", "null"},
                                           {R"("false")", R"(the string "false")"},
                                           {kFunction, "a function"}})
            CHECK(refused("{\"" + section + "\":{\"" + name + "\":" + value + "}}") ==
                  said(place, "true or false", found));
    }
    CHECK(refused(R"({"audit":{"sinks":-1}})") == said("audit.sinks", "the number of sinks", "the number -1"));
    CHECK(refused(R"({"audit":{"sinks":1.5}})") == said("audit.sinks", "the number of sinks", "the number 1.5"));
    CHECK(refused(R"({"audit":{"sinks":true}})") == said("audit.sinks", "the number of sinks", "true"));
}

TEST_CASE("options and their sections are objects", "[domain]") {
    CHECK(refused("null") == said("options", "an object", "null"));
    CHECK(refused("[]") == said("options", "an object", "an array"));
    for (const std::string name : {"defaults", "approvals", "audit"}) {
        CHECK(refused("{\"" + name + "\":7}") == said(name, "an object", "the number 7"));
        CHECK(refused("{\"" + name + "\":null}") == said(name, "an object", "null"));
        CHECK(refused("{\"" + name + "\":[]}") == said(name, "an object", "an array"));
    }
    CHECK_FALSE(domain::read_runtime_options({}));
}

TEST_CASE("a policy needs a name and phases of the vocabulary", "[domain]") {
    const std::string allowed = "an array of phases (discovery, invocation, execution)";
    const auto one = [](const std::string& policy) {
        return refused(R"({"policies":[{"name":"p","phases":["execution"]},)" + policy + "]}");
    };
    CHECK(refused(R"({"policies":{}})") == said("policies", "an array of policies", "an object"));
    const std::string at = "policies[1]: policies[1]";
    CHECK(one(kFunction) == at + " must be a policy, which is an object; found a function");
    CHECK(one("null") == at + " must be a policy, which is an object; found null");
    CHECK(one(R"({"phases":[]})") == at + ".name must be a non-empty string; found nothing");
    CHECK(one(R"({"name":"","phases":[]})") == at + R"(.name must be a non-empty string; found the string "")");
    CHECK(one(R"({"name":"q"})") == at + ".phases must be " + allowed + "; found nothing");
    CHECK(one(R"({"name":"q","phases":"invocation"})") ==
          at + ".phases must be " + allowed + R"(; found the string "invocation")");
    CHECK(one(R"({"name":"q","phases":["invocation","Execution"]})") ==
          at + ".phases must be " + allowed + R"(; found in it the string "Execution")");
    CHECK(one(R"({"name":"q","phases":[null]})") == at + ".phases must be " + allowed + "; found in it null");
    CHECK(one(R"({"name":"q","phases":["discovery","discovery"]})") == "accepted");
}

TEST_CASE("of several faults the first is told", "[domain]") {
    CHECK(refused(R"({"policies":1,"audit":1,"approvals":1,"defaults":{"policyTimeoutMs":0,"timeoutMs":0}})") ==
          said("defaults.timeoutMs", "a finite number above 0", "the number 0"));
}

}  // namespace
