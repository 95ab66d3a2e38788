// Phase 2: which mounted capability a call means, and every way in which it is stale.
#include "invocation/resolution.h"

#include <string>

#include "surface.h"

namespace {

using namespace viewcap_test;

TEST_CASE("a live registration id is used, whichever other instances there are", "[core]") {
    TestSurface surface;
    surface.mount("reg_1", "left");
    surface.mount("reg_2", "right");
    const auto plan = surface.begin("setFilters", R"("registrationId":"reg_2")");
    require_plan(plan);
    CHECK(plan.registration_id == "reg_2");
    CHECK(plan.capability == kSetFilters);
}

TEST_CASE("a registration id of a tombstone is replaced, with the same instance's live registration named", "[core]") {
    TestSurface surface;
    const auto old = surface.mount("reg_1", "right");
    surface.registry->unmount(old, surface.now);
    surface.mount("reg_2", "left");
    const auto by_other = surface.begin("setFilters", R"("registrationId":"reg_1")");
    CHECK(code_of(by_other) == "STALE_CAPABILITY");
    CHECK(detail_of(by_other, "reason") == "registration-replaced");
    CHECK(detail_of(by_other, "liveRegistrationId") == "reg_2");
    surface.mount("reg_3", "right");
    CHECK(detail_of(surface.begin("setFilters", R"("registrationId":"reg_1")"), "liveRegistrationId") == "reg_3");
}

TEST_CASE("an unknown registration id where the capability is live means that the surface was reloaded", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto answer = surface.begin("setFilters", R"("registrationId":"reg_of_another_page")");
    CHECK(code_of(answer) == "STALE_CAPABILITY");
    CHECK(detail_of(answer, "reason") == "surface-reloaded");
    CHECK(detail_of(answer, "liveRegistrationId") == "reg_1");
    CHECK(at(answer.result, {"error", "retry"}) == "after-refresh");
}

TEST_CASE("a tombstone's id without a live successor is unmounted, and without either is not found", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    surface.registry->unmount(table, surface.now);
    const auto gone = surface.begin("setFilters", R"("registrationId":"reg_1")");
    CHECK(code_of(gone) == "COMPONENT_UNMOUNTED");
    CHECK(detail_of(gone, "phase") == "resolve");
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"reg_9")")) == "CAPABILITY_NOT_FOUND");
}

TEST_CASE("a registration id of another component answers for the called capability only", "[core]") {
    TestSurface surface;
    const auto other = surface.intern(
        R"({"type":"app","description":"d","actions":{"go":{"description":"d","effect":"navigation"}}})");
    const auto app = surface.mount("reg_app", "default", other);
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"reg_app")")) == "CAPABILITY_NOT_FOUND");
    surface.registry->unmount(app, surface.now);
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"reg_app")")) == "CAPABILITY_NOT_FOUND");
    surface.mount("reg_1");
    const auto answer = surface.begin("setFilters", R"("registrationId":"reg_app")");
    CHECK(code_of(answer) == "STALE_CAPABILITY");
    CHECK(detail_of(answer, "liveRegistrationId") == "reg_1");
}

TEST_CASE("a registration id and an instance id that name different mounts do not run either", "[core]") {
    TestSurface surface;
    surface.mount("reg_1", "left");
    surface.mount("reg_2", "right");
    const auto answer = surface.begin("setFilters", R"("registrationId":"reg_1","instanceId":"right")");
    CHECK(code_of(answer) == "STALE_CAPABILITY");
    CHECK(detail_of(answer, "liveRegistrationId") == "reg_2");
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"reg_1","instanceId":"middle")")) ==
          "CAPABILITY_NOT_FOUND");
}

TEST_CASE("without a registration id one candidate is used, none is unmounted or not found, several are ambiguous",
          "[core]") {
    TestSurface surface;
    CHECK(code_of(surface.begin("setFilters")) == "CAPABILITY_NOT_FOUND");
    const auto table = surface.mount("reg_1", "left");
    require_plan(surface.begin("setFilters"));
    surface.mount("reg_2", "right");
    CHECK(code_of(surface.begin("setFilters")) == "AMBIGUOUS_INSTANCE");
    surface.registry->unmount(table, surface.now);
    CHECK(surface.begin("setFilters").registration_id == "reg_2");
    surface.registry->dispose(surface.now);
    const auto answer = surface.begin("setFilters");
    CHECK(code_of(answer) == "COMPONENT_UNMOUNTED");
    CHECK(detail_of(answer, "phase") == "resolve");
}

TEST_CASE("a capability that the unmounted component did not have is not found", "[core]") {
    TestSurface surface;
    surface.registry->unmount(surface.mount("reg_1"), surface.now);
    CHECK(code_of(surface.begin("neverHad")) == "CAPABILITY_NOT_FOUND");
    CHECK(code_of(surface.begin("readState")) == "COMPONENT_UNMOUNTED");
}

TEST_CASE("an instance id picks its instance, live or gone", "[core]") {
    TestSurface surface;
    surface.mount("reg_1", "left");
    const auto right = surface.mount("reg_2", "right");
    CHECK(surface.begin("setFilters", R"("instanceId":"left")").registration_id == "reg_1");
    CHECK(code_of(surface.begin("setFilters", R"("instanceId":"middle")")) == "CAPABILITY_NOT_FOUND");
    surface.registry->unmount(right, surface.now);
    CHECK(code_of(surface.begin("setFilters", R"("instanceId":"right")")) == "COMPONENT_UNMOUNTED");
    CHECK(surface.begin("open").registration_id == "reg_1");
}

TEST_CASE("ambiguous instances come sorted by instance id with their registration and description", "[core]") {
    TestSurface surface;
    surface.mount("reg_1", "b");
    surface.mount("reg_2", "a");
    surface.mount("reg_3", "B");
    const auto answer = surface.begin("setFilters");
    CHECK(code_of(answer) == "AMBIGUOUS_INSTANCE");
    CHECK(at(answer.result, {"error", "retry"}) == "with-changes");
    CHECK(detail_of(answer, "instances") ==
          R"([{"instanceId":"B","registrationId":"reg_3","description":"The table of pending invoices."},)"
          R"({"instanceId":"a","registrationId":"reg_2","description":"The table of pending invoices."},)"
          R"({"instanceId":"b","registrationId":"reg_1","description":"The table of pending invoices."}])");
}

TEST_CASE("an ambiguity among many instances lists 64 of them", "[core]") {
    TestSurface surface;
    for (int i = 0; i < 70; ++i) surface.mount("reg_" + std::to_string(i), "i" + std::to_string(100 + i));
    const auto read = document(surface.begin("setFilters").result);
    const auto instances = read.root().find("error").find("details").find("instances");
    CHECK(instances.size() == 64);
    CHECK(instances.raw().find("\"i163\"") != std::string_view::npos);
    CHECK(instances.raw().find("\"i164\"") == std::string_view::npos);
}

TEST_CASE("a malformed capability id is not found and is given back as it came", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    for (const std::string id :
         {"", "view:", "view:invoices.pending.", "view:.setFilters", "invoices.pending.setFilters", "view:setFilters",
          "domain:invoices.pending.setFilters", "view:invoices.pending.setFilters ", "view:invoices.pending.SetFilters",
          "VIEW:invoices.pending.setFilters", "view:invoices.pending.setFilters\\u0000",
          "view:invoices pending.setFilters"}) {
        INFO(id);
        const auto answer = surface.registry->begin(
            R"({"freshId":"inv_)" + std::to_string(++surface.fresh) + R"(","capabilityId":")" + id + "\"}",
            surface.now);
        CHECK(code_of(answer) == "CAPABILITY_NOT_FOUND");
    }
    for (const char* request :
         {R"({"freshId":"f1"})", R"({"freshId":"f2","capabilityId":7})", R"({"freshId":"f3","capabilityId":null})"})
        CHECK(code_of(surface.registry->begin(request, surface.now)) == "CAPABILITY_NOT_FOUND");
    const std::string huge = "view:" + std::string(100000, 'a') + ".b";
    CHECK(code_of(surface.registry->begin(R"({"freshId":"f4","capabilityId":")" + huge + "\"}", surface.now)) ==
          "CAPABILITY_NOT_FOUND");
}

TEST_CASE("the version check is skipped for a call that carries an approved confirmation", "[core]") {
    viewcap::RegistryOptions options;
    options.schema.match = pattern_match;
    const auto request = document(R"({"procedure":{"id":"domain:x","description":"d","effect":"destructive"}})");
    auto contract = viewcap::read_procedure(request.root(), options);
    REQUIRE(contract);
    viewcap::Surface surface(options.limits);
    surface.add_reference("reg_p", std::move(*contract), "", "");
    viewcap::Envelope envelope;
    envelope.capability_id = "domain:x";
    envelope.surface_version = "7";
    CHECK(viewcap::resolve(surface, envelope, {}, false, 0).failure->code == "STALE_CAPABILITY");
    const auto approved = viewcap::resolve(surface, envelope, {}, true, 0);
    CHECK_FALSE(approved.failure);
    CHECK(approved.registration->id == "reg_p");
}

TEST_CASE("an outdated surface version is ignored for view effects", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    for (const char* version : {"0", "1", "99", "nonsense"})
        require_plan(surface.begin("open", R"("surfaceVersion":")" + std::string(version) + "\""));
}

}  // namespace
