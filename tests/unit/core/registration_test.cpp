#include "surface.h"

namespace {

using namespace viewcap_test;

TEST_CASE(
    "the version starts at 0 and grows by one for every register, update that changes something, invalidate and "
    "unregister") {
    TestSurface surface;
    CHECK(surface.registry->version() == 0);
    const auto table = surface.mount("reg_1");
    CHECK(surface.registry->version() == 1);
    REQUIRE(surface.registry->update(table, R"({"enabled":true})", surface.now));
    CHECK(surface.registry->version() == 1);
    REQUIRE(surface.registry->update(table, R"({"enabled":false})", surface.now));
    CHECK(surface.registry->version() == 2);
    REQUIRE(surface.registry->update(table, R"({"availability":{"setFilters":{"available":false,"reason":"busy"}}})",
                                     surface.now));
    CHECK(surface.registry->version() == 3);
    REQUIRE(surface.registry->update(table, R"({"availability":{"setFilters":{"available":false,"reason":"busy"}}})",
                                     surface.now));
    CHECK(surface.registry->version() == 3);
    REQUIRE(surface.registry->update(table, R"({"availability":{"setFilters":null}})", surface.now));
    CHECK(surface.registry->version() == 4);
    REQUIRE(surface.registry->update(table, R"({"invalidate":true})", surface.now));
    CHECK(surface.registry->version() == 5);
    surface.registry->unmount(table, surface.now);
    surface.registry->unmount(table, surface.now);
    CHECK(surface.registry->version() == 6);
    REQUIRE(surface.registry->update(table, R"({"enabled":true})", surface.now));
    CHECK(surface.registry->version() == 6);
}

TEST_CASE("a drifting when() changes availability without moving the version") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    REQUIRE(surface.registry->gates("[[" + std::to_string(table) + R"(,1,0,"closed"]])", surface.now));
    CHECK(surface.registry->version() == 1);
    const auto view = surface.registry->project("", surface.now);
    REQUIRE(view);
    CHECK(view->state ==
          R"([{"wireName":"view_invoices__pending__setFilters","available":false,"unavailableReason":"closed"}])");
}

TEST_CASE("a second instance of one type and id is rejected by default, and the first stays") {
    TestSurface surface;
    surface.registry->listen(1);
    surface.mount("reg_1");
    surface.outbox();
    CHECK(surface.mount("reg_2") == 0);
    CHECK(
        surface.outbox() ==
        R"([{"event":{"type":"component-rejected","componentType":"invoices.pending","instanceId":"default","reason":"duplicate"}}])");
    CHECK(surface.begin("setFilters").registration_id == "reg_1");
}

TEST_CASE("with replace the newcomer takes over, and releasing the first afterwards leaves it alone") {
    TestSurface surface(R"("onDuplicateInstance":"replace")");
    const auto first = surface.mount("reg_1");
    const auto second = surface.mount("reg_2");
    CHECK(surface.registry->version() == 3);
    REQUIRE(second != 0);
    surface.registry->unmount(first, surface.now);
    CHECK(surface.begin("setFilters").registration_id == "reg_2");
}

TEST_CASE("a candidate that the guard refused is reported and never mounted") {
    TestSurface surface;
    surface.registry->listen(1);
    const auto outcome =
        surface.registry->mount(surface.intern(), R"({"registrationId":"reg_1","guard":false})", surface.now);
    REQUIRE(outcome);
    CHECK(outcome->registration == 0);
    CHECK(surface.outbox().find(R"("reason":"guard")") != std::string::npos);
    CHECK(code_of(surface.begin("setFilters")) == "CAPABILITY_NOT_FOUND");
}

TEST_CASE("instance ids and parents outside the grammar are refused") {
    TestSurface surface;
    const auto contract = surface.intern();
    for (const char* fields :
         {R"("instanceId":"")", R"("instanceId":"a b")", R"("instanceId":"é")", R"("instanceId":7)", R"("parent":"x")",
          R"("parent":{"type":"X"})", R"("parent":{"type":"a","colour":1})", R"("enabled":"yes")", R"("colour":1)"}) {
        INFO(fields);
        CHECK_FALSE(surface.registry->mount(contract, R"({"registrationId":"reg_1",)" + std::string(fields) + "}",
                                            surface.now));
    }
    CHECK(surface.registry->version() == 0);
}

TEST_CASE("an update with an unknown capability or shape changes nothing") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    for (const char* patch : {R"({"availability":{"setFilters":{"available":false},"nope":null}})",
                              R"({"availability":{"open":{"available":1}}})", R"({"availability":[]})",
                              R"({"enabled":0})", R"({"colour":1})", "[]", "nonsense"}) {
        INFO(patch);
        CHECK_FALSE(surface.registry->update(table, patch, surface.now));
    }
    CHECK(surface.registry->version() == 1);
    require_plan(surface.begin("setFilters"));
}

TEST_CASE("of several causes the first of component-disabled, pushed override and when() gives the reason") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto reason = [&] {
        const auto text = surface.registry->snapshot(R"({"capturedAt":"t"})", surface.now);
        const auto read = document(*text);
        for (const auto component : read.root().find("components").elements())
            for (const auto action : component.find("actions").elements())
                if (action.find("name").string() == "setFilters")
                    return std::string(action.find("unavailableReason") ? action.find("unavailableReason").string()
                                                                        : "available");
        return std::string("missing");
    };
    CHECK(reason() == "available");
    REQUIRE(surface.registry->gates("[[" + std::to_string(table) + R"(,1,0,"by when"]])", surface.now));
    CHECK(reason() == "by when");
    REQUIRE(surface.registry->update(table, R"({"availability":{"setFilters":{"available":false}}})", surface.now));
    CHECK(reason() == "unavailable");
    REQUIRE(surface.registry->update(table, R"({"enabled":false})", surface.now));
    CHECK(reason() == "component-disabled");
    REQUIRE(surface.registry->update(table, R"({"enabled":true,"availability":{"setFilters":{"available":true}}})",
                                     surface.now));
    CHECK(reason() == "by when");
}

TEST_CASE("a reason is clipped to 300 code units without splitting a pair") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const std::string long_reason = std::string(299, 'x') + "😀";
    REQUIRE(surface.registry->update(
        table, R"({"availability":{"setFilters":{"available":false,"reason":")" + long_reason + "\"}}}", surface.now));
    CHECK(detail_of(surface.begin("setFilters"), "reason") == std::string(299, 'x'));
}

}  // namespace
