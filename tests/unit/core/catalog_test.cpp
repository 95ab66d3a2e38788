#include "surface.h"

namespace {

using namespace viewcap_test;

std::string descriptors(TestSurface& surface, const std::string& request = "") {
    const auto view = surface.registry->project(request, surface.now);
    REQUIRE(view);
    return std::string(view->descriptors);
}

TEST_CASE(
    "a descriptor carries wire name, ids, prefixed description, schema, effect, confirmation and availability in this "
    "order") {
    TestSurface surface;
    surface.mount("reg_1");
    const std::string all = descriptors(surface);
    CHECK(
        all.find(
            R"({"wireName":"view_invoices__pending__readState","canonicalId":"view:invoices.pending.readState","plane":"view","description":"[view · read] What the table shows.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"effect":"read","confirmation":"never","available":true})") ==
        1);
    CHECK(document(all).root().size() == 3);
}

TEST_CASE("several instances of one capability are told apart by their instance id in the wire name only") {
    TestSurface surface;
    surface.mount("reg_1", "left");
    surface.mount("reg_2", "right");
    const std::string all = descriptors(surface);
    CHECK(all.find("view_invoices__pending__open_at_left") != std::string::npos);
    CHECK(all.find("view_invoices__pending__open_at_right") != std::string::npos);
    const std::string names = surface.registry->wire_names(0);
    CHECK(names.find(R"(["view_invoices__pending__open_at_right","view:invoices.pending.open","reg_2","right"])") !=
          std::string::npos);
}

TEST_CASE("the projection does not depend on the order of mounting") {
    TestSurface one;
    TestSurface other;
    const std::string important =
        R"({"type":"app","description":"d","priority":5,"actions":{"go":{"description":"d","effect":"navigation"}}})";
    one.mount("reg_1", "a");
    one.mount("reg_2", "b");
    one.mount("reg_3", "default", one.intern(important));
    other.mount("reg_3", "default", other.intern(important));
    other.mount("reg_2", "b");
    other.mount("reg_1", "a");
    CHECK(descriptors(one) == descriptors(other));
    CHECK(descriptors(one).find("view_app__go") < descriptors(one).find("view_invoices"));
}

TEST_CASE("an incremental projection equals one made from nothing after every kind of change") {
    TestSurface surface;
    std::vector<viewcap::RegistrationHandle> tables;
    std::uint32_t state = 12345;
    const auto random = [&state](std::uint32_t below) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % below;
    };
    for (int step = 0; step < 400; ++step) {
        const std::uint32_t choice = random(10);
        if (tables.size() < 2 || choice == 0) {
            const auto handle = surface.mount("reg_" + std::to_string(step), "i" + std::to_string(step));
            tables.push_back(handle);
        } else if (choice == 1) {
            surface.registry->unmount(tables.back(), surface.now);
            tables.pop_back();
        } else {
            const std::string gate = std::to_string(tables[random(static_cast<std::uint32_t>(tables.size()))]) + "," +
                                     std::to_string(random(3)) + "," + std::to_string(random(2)) + ",\"reason " +
                                     std::string(random(40), 'r') + "\"";
            for (std::uint32_t burst = random(choice == 2 ? 300 : 3); burst > 0; --burst)
                surface.registry->outbox().take();
            REQUIRE(surface.registry->gates("[[" + gate + "]]", surface.now));
        }
        const std::string incremental = descriptors(surface);
        // Another scope is another view, built from nothing when it is first asked for.
        const std::string fresh = descriptors(surface, R"({"scope":["invoices","s)" + std::to_string(step) + "\"]}");
        REQUIRE(incremental == fresh);
    }
}

TEST_CASE("the names' generation changes with the mount set and not with availability") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto generation = [&] { return surface.registry->project("", surface.now)->generation; };
    const auto first = generation();
    CHECK(generation() == first);
    REQUIRE(surface.registry->gates("[[" + std::to_string(table) + ",1,0]]", surface.now));
    CHECK(generation() == first);
    surface.mount("reg_2", "other");
    CHECK(generation() != first);
}

TEST_CASE("a scope matches component-type prefixes on segment boundaries and never hides from invoke") {
    TestSurface surface;
    surface.mount("reg_1");
    CHECK(document(descriptors(surface, R"({"scope":["invoices"]})")).root().size() == 3);
    CHECK(document(descriptors(surface, R"({"scope":["invoices.pending"]})")).root().size() == 3);
    CHECK(document(descriptors(surface, R"({"scope":["invoice"]})")).root().size() == 0);
    CHECK(document(descriptors(surface, R"({"scope":["invoices.pending.more"]})")).root().size() == 0);
    require_plan(surface.begin("setFilters"));
}

TEST_CASE("more scopes than views are kept still give each its own projection") {
    TestSurface surface;
    surface.mount("reg_1");
    for (int i = 0; i < 20; ++i) {
        CHECK(document(descriptors(surface, R"({"scope":["s)" + std::to_string(i) + "\"]}")).root().size() == 0);
        CHECK(document(descriptors(surface)).root().size() == 3);
    }
}

TEST_CASE(
    "a snapshot lists components by priority, type and instance, capabilities in contract order, and says what a "
    "budget dropped") {
    TestSurface surface;
    surface.mount("reg_1", "b");
    surface.mount("reg_2", "a");
    const std::string all =
        *surface.registry->snapshot(R"({"capturedAt":"2026-01-01T00:00:00.000Z","route":"/x"})", surface.now);
    CHECK(
        all.find(
            R"({"surfaceId":"srf_test","surfaceVersion":"2","capturedAt":"2026-01-01T00:00:00.000Z","route":"/x","components":[)") ==
        0);
    CHECK(all.find("reg_2") < all.find("reg_1"));
    CHECK(all.find("truncated") == std::string::npos);
    const std::string one =
        *surface.registry->snapshot(R"({"capturedAt":"t","budget":{"maxComponents":1}})", surface.now);
    CHECK(at(one, {"truncated", "droppedComponents"}) == "1");
    CHECK(one.find("reg_1") == std::string::npos);
    const std::string none =
        *surface.registry->snapshot(R"({"capturedAt":"t","budget":{"maxBytes":300}})", surface.now);
    CHECK(none.size() <= 300);
    CHECK(at(none, {"truncated", "droppedComponents"}) == "2");
}

TEST_CASE("a snapshot request with unknown or malformed fields is refused") {
    TestSurface surface;
    for (const char* request : {R"({"capturedAt":"t","scope":"invoices"})", R"({"capturedAt":"t","scope":[1]})",
                                R"({"capturedAt":"t","budget":3})", R"({"capturedAt":"t","budget":{"maxBytes":-1}})",
                                R"({"capturedAt":"t","colour":1})"}) {
        INFO(request);
        CHECK_FALSE(surface.registry->snapshot(request, surface.now));
    }
}

TEST_CASE("unavailable capabilities can be left out of a snapshot") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    REQUIRE(surface.registry->gates("[[" + std::to_string(table) + ",1,0]]", surface.now));
    const std::string text =
        *surface.registry->snapshot(R"({"capturedAt":"t","includeUnavailable":false})", surface.now);
    CHECK(text.find("setFilters") == std::string::npos);
    CHECK(text.find("readState") != std::string::npos);
}

}  // namespace
