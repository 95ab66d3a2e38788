// Who was unmounted a short while ago.
#include "registration/tombstones.h"

#include <string>

#include "contract/contract.h"
#include "surface.h"

namespace {

using namespace viewcap_test;
using viewcap::Tombstones;

std::shared_ptr<const viewcap::Contract> contract_of(const std::string& type, const std::string& action) {
    const auto read = document(R"({"type":")" + type + R"(","description":"d","actions":{")" + action +
                               R"(":{"description":"d","effect":"navigation"}}})");
    auto contract = viewcap::read_contract(read.root(), {}, viewcap::RegistryOptions());
    REQUIRE(contract);
    return std::shared_ptr<const viewcap::Contract>(std::move(*contract));
}

TEST_CASE("a tombstone is found by registration id, by type and capability, and by instance", "[core]") {
    Tombstones tombstones(100, 1000);
    tombstones.add("reg_1", "left", contract_of("a.b", "run"), 0);
    REQUIRE(tombstones.find("reg_1", 0) != nullptr);
    CHECK(tombstones.find("reg_1", 0)->instance_id == "left");
    CHECK(tombstones.find("reg_2", 0) == nullptr);
    CHECK(tombstones.had("a.b", "run", "", 0));
    CHECK(tombstones.had("a.b", "run", "left", 0));
    CHECK_FALSE(tombstones.had("a.b", "run", "right", 0));
    CHECK_FALSE(tombstones.had("a.b", "walk", "", 0));
    CHECK_FALSE(tombstones.had("a", "run", "", 0));
    CHECK_FALSE(tombstones.had("", "", "", 0));
}

TEST_CASE("a tombstone is remembered for its time and no longer", "[core]") {
    Tombstones tombstones(100, 1000);
    tombstones.add("reg_1", "default", contract_of("a.b", "run"), 50);
    CHECK(tombstones.find("reg_1", 1049) != nullptr);
    CHECK(tombstones.had("a.b", "run", "default", 1049));
    CHECK(tombstones.find("reg_1", 1050) == nullptr);
    CHECK_FALSE(tombstones.had("a.b", "run", "", 1050));
    CHECK_FALSE(tombstones.had("a.b", "run", "default", 1050));
}

TEST_CASE("no more tombstones are kept than the limit and the oldest leaves first", "[core]") {
    Tombstones tombstones(3, 1000);
    for (int i = 0; i < 5; ++i)
        tombstones.add("reg_" + std::to_string(i), "i" + std::to_string(i), contract_of("a.b", "run"), i);
    CHECK(tombstones.find("reg_1", 5) == nullptr);
    CHECK_FALSE(tombstones.had("a.b", "run", "i1", 5));
    CHECK(tombstones.find("reg_2", 5) != nullptr);
    CHECK(tombstones.had("a.b", "run", "i4", 5));
}

TEST_CASE("a type counts as gone as long as one of its tombstones is left", "[core]") {
    Tombstones tombstones(100, 1000);
    const auto contract = contract_of("a.b", "run");
    tombstones.add("reg_1", "default", contract, 0);
    tombstones.add("reg_2", "default", contract, 500);
    CHECK(tombstones.had("a.b", "run", "default", 1499));
    CHECK(tombstones.find("reg_1", 1499) == nullptr);
    CHECK_FALSE(tombstones.had("a.b", "run", "default", 1500));
}

TEST_CASE("two contracts of one type are told apart by their capabilities", "[core]") {
    Tombstones tombstones(100, 1000);
    tombstones.add("reg_1", "default", contract_of("a.b", "run"), 0);
    tombstones.add("reg_2", "default", contract_of("a.b", "walk"), 500);
    CHECK(tombstones.had("a.b", "run", "", 999));
    CHECK(tombstones.had("a.b", "walk", "", 999));
    CHECK_FALSE(tombstones.had("a.b", "run", "", 1000));
    CHECK(tombstones.had("a.b", "walk", "", 1000));
}

TEST_CASE("a component that is mounted again is called, and its earlier registration is stale", "[core]") {
    TestSurface surface;
    const auto first = surface.mount("reg_1");
    surface.registry->unmount(first, surface.now);
    CHECK(code_of(surface.begin("setFilters")) == "COMPONENT_UNMOUNTED");
    surface.mount("reg_2");
    require_plan(surface.begin("setFilters"));
    const auto answer = surface.begin("setFilters", R"("registrationId":"reg_1")");
    CHECK(code_of(answer) == "STALE_CAPABILITY");
    CHECK(detail_of(answer, "liveRegistrationId") == "reg_2");
}

TEST_CASE("a registry forgets an unmounted component after its tombstone's time, and by number", "[core]") {
    TestSurface surface(R"("limits":{"tombstoneTtlMs":1000,"tombstoneSize":2})");
    for (const char* instance : {"a", "b", "c"}) {
        const auto table = surface.mount(std::string("reg_") + instance, instance);
        surface.registry->unmount(table, surface.now);
    }
    CHECK(code_of(surface.begin("setFilters", R"("instanceId":"a")")) == "CAPABILITY_NOT_FOUND");
    CHECK(code_of(surface.begin("setFilters", R"("instanceId":"b")")) == "COMPONENT_UNMOUNTED");
    surface.now += 1000;
    CHECK(code_of(surface.begin("setFilters", R"("instanceId":"b")")) == "CAPABILITY_NOT_FOUND");
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"reg_c")")) == "CAPABILITY_NOT_FOUND");
}

}  // namespace
