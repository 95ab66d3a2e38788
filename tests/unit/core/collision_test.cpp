// The lint of names: a view capability named like a procedure (spec: contextual.md, end).
#include "procedures.h"

namespace {

using namespace viewcap_test;

constexpr const char* kDevices =
    R"({"type":"devices","description":"d","actions":{"enable":{"description":"d","effect":"local-state"},"disable":{"description":"d","effect":"local-state"}}})";
constexpr const char* kSuspected =
    R"({"type":"collision-suspected","viewCapabilityId":"view:devices.disable","domainProcedureId":"domain:devices.disable"})";

std::vector<std::string> suspected(const std::string& outbox) { return told(outbox, "event", "collision-suspected"); }

TEST_CASE("a component named like a procedure with a live reference is suspected, once per mount", "[core]") {
    TestSurface surface;
    surface.registry->listen(3);
    const auto reference = refer(surface, "reg_p");
    surface.outbox();
    const auto first = surface.mount("reg_1", "default", surface.intern(kDevices));
    REQUIRE(first != 0);
    const std::string outbox = surface.outbox();
    CHECK(suspected(outbox) == std::vector<std::string>{kSuspected});
    CHECK(
        told(outbox, "audit", "collision-suspected") ==
        std::vector<std::string>{
            R"({"at":1000,"type":"collision-suspected","capabilityId":"view:devices.disable","registrationId":"reg_1"})"});
    surface.registry->unmount(reference, surface.now);
    surface.outbox();
    surface.mount("reg_2", "other", surface.intern(kDevices));
    CHECK(suspected(surface.outbox()).empty());
}

TEST_CASE("a path that the application has is known without a reference, and stays known", "[core]") {
    TestSurface surface;
    surface.registry->listen(1);
    surface.registry->known_paths(R"(["devices.disable",7])");
    surface.registry->known_paths(R"(["invoices.send"])");
    surface.registry->known_paths("nonsense");
    surface.mount("reg_1", "default", surface.intern(kDevices));
    CHECK(suspected(surface.outbox()) == std::vector<std::string>{kSuspected});
}

TEST_CASE("a path that only begins or ends alike is another name", "[core]") {
    TestSurface surface;
    surface.registry->listen(1);
    surface.registry->known_paths(R"(["devices","disable","devices.disabled","x.devices.disable","Devices.disable"])");
    surface.mount("reg_1", "default", surface.intern(kDevices));
    CHECK(suspected(surface.outbox()).empty());
}

TEST_CASE("the policy error refuses the component, and everything stays as it was", "[core]") {
    TestSurface surface(R"("duplicateSuffixPolicy":"error","onDuplicateInstance":"replace")");
    const auto held = surface.mount("reg_0", "default", surface.intern(kDevices));
    surface.registry->listen(3);
    surface.registry->known_paths(R"(["devices.disable"])");
    const auto refused =
        surface.registry->mount(surface.intern(kDevices), R"({"registrationId":"reg_1"})", surface.now);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == "PLANE_VIOLATION");
    CHECK(refused.error().message.find("'disable' is named like the procedure 'devices.disable'") != std::string::npos);
    CHECK(surface.registry->version() == 1);
    CHECK(surface.outbox() == "[]");
    CHECK(project(surface).find("view_devices__disable") != std::string::npos);
    surface.registry->unmount(held, surface.now);
    CHECK(surface.registry->version() == 2);
}

TEST_CASE("the policy off says nothing", "[core]") {
    TestSurface surface(R"("duplicateSuffixPolicy":"off")");
    surface.registry->listen(3);
    surface.registry->known_paths(R"(["devices.disable"])");
    REQUIRE(surface.mount("reg_1", "default", surface.intern(kDevices)) != 0);
    CHECK(surface.outbox().find("collision") == std::string::npos);
}

TEST_CASE("a component that is not mounted is not suspected: a duplicate, or refused by the guard", "[core]") {
    TestSurface surface(R"("duplicateSuffixPolicy":"error")");
    surface.mount("reg_0", "default", surface.intern(kDevices));
    surface.registry->known_paths(R"(["devices.disable"])");
    CHECK(surface.mount("reg_1", "default", surface.intern(kDevices)) == 0);
    const auto guarded = surface.registry->mount(
        surface.intern(kDevices), R"({"registrationId":"reg_2","instanceId":"x","guard":false})", surface.now);
    REQUIRE(guarded);
    CHECK(guarded->registration == 0);
}

TEST_CASE("an unknown policy is a mistake of the author's", "[core]") {
    const auto given = document(R"({"surfaceId":"s","environment":"test","duplicateSuffixPolicy":"loud"})");
    const auto made = viewcap::Registry::create(given.root(), pattern_match);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == "INVALID_DEFINITION");
}

}  // namespace
