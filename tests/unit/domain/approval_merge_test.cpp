// One request for everything: reasons, types, the shortest lifetime.
#include "domain/approval.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::ApprovalDemand;

const std::string kStatic = "This operation needs an approval";

domain::MergedApproval merged(const domain::Capability& capability, const std::vector<ApprovalDemand>& demands) {
    domain::RuntimeOptions options;
    options.approval_expires_in_ms = 1000;
    return domain::merge_approvals(capability, demands, options);
}
domain::Capability gated() {
    domain::Capability capability;
    capability.approval_required = true;
    return capability;
}
ApprovalDemand demand(std::string reason, std::optional<std::string> type = {}, std::optional<double> lifetime = {}) {
    return {std::move(reason), std::move(type), lifetime};
}

TEST_CASE("the static reason comes first, then every reason of the policies, duplicates too", "[domain]") {
    CHECK(merged(gated(), {}).reasons == Texts{kStatic});
    CHECK(merged(gated(), {demand("b"), demand("a"), demand("b")}).reasons == Texts{kStatic, "b", "a", "b"});
    CHECK(merged({}, {demand("b"), demand("a")}).reasons == Texts{"b", "a"});
}

TEST_CASE("the static type comes first, then those of the policies, each once", "[domain]") {
    domain::Capability capability = gated();
    CHECK(merged(capability, {}).types == Texts{});
    const std::vector<ApprovalDemand> demands = {demand("r", "legal"), demand("r"), demand("r", "finance"),
                                                 demand("r", "legal"), demand("r", "")};
    CHECK(merged(capability, demands).types == Texts{"legal", "finance", ""});
    capability.approval_type = "finance";
    CHECK(merged(capability, {}).types == Texts{"finance"});
    CHECK(merged(capability, demands).types == Texts{"finance", "legal", ""});
}

TEST_CASE("the lifetime is the shortest of all that were given, the default only where none was", "[domain]") {
    const std::optional<double> none, lifetimes[] = {none, 10.0, 20.0, 5000.0};
    for (const auto& fixed : lifetimes)
        for (const auto& first : lifetimes)
            for (const auto& second : lifetimes) {
                domain::Capability capability = gated();
                capability.approval_expires_in_ms = fixed;
                std::optional<double> expected;
                for (const auto& given : {fixed, first, second})
                    if (given && (!expected || *given < *expected)) expected = given;
                CHECK(merged(capability, {demand("a", {}, first), demand("b", {}, second)}).lifetime_ms ==
                      expected.value_or(1000));
            }
}

TEST_CASE("two demands of 60 and 30 seconds are one request of both reasons and types for 30 seconds", "[domain]") {
    const auto both = merged({}, {demand("one", "legal", 60000), demand("two", "finance", 30000)});
    CHECK(both.reasons == Texts{"one", "two"});
    CHECK(both.types == Texts{"legal", "finance"});
    CHECK(both.lifetime_ms == 30000);
}

TEST_CASE("type and lifetime of the metadata hold also where only a policy wants the approval", "[domain]") {
    domain::Capability capability;
    capability.approval_type = "finance";
    capability.approval_expires_in_ms = 10;
    const auto asked = merged(capability, {demand("r", "legal", 20)});
    CHECK(asked.reasons == Texts{"r"});
    CHECK(asked.types == Texts{"finance", "legal"});
    CHECK(asked.lifetime_ms == 10);
}

}  // namespace
