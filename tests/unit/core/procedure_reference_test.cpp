// References to procedures on the live surface: owners, names, what a snapshot says of them, and how calls find them.
#include "procedures.h"

namespace {

using namespace viewcap_test;

std::string gone(viewcap::RegistrationHandle reference) { return "{\"gone\":" + std::to_string(reference) + "}"; }

TEST_CASE("a reference is offered under its procedure's id with its effect and reduced schema", "[core]") {
    TestSurface surface;
    refer(surface, "reg_p", "",
          reference_of(disable(R"(,"effect":"destructive")"), R"(,"bound":["ids"],"overridable":[])"));
    CHECK(project(surface) ==
          R"([{"wireName":"domain_devices__disable","canonicalId":"domain:devices.disable","plane":"domain",)"
          R"("description":"[domain · destructive · requires confirmation] Disable devices.",)"
          R"("inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],)"
          R"("additionalProperties":false},"effect":"destructive","confirmation":"required","available":true}])");
    CHECK(surface.registry->wire_names(0) ==
          R"({"names":[["domain_devices__disable","domain:devices.disable","reg_p",null]],"withheld":[]})");
}

TEST_CASE("a snapshot lists references apart from components, with note, context and bound fields", "[core]") {
    TestSurface surface;
    const auto reference = refer(surface, "reg_p", owned("left") + R"(,"meta":{"m":1})",
                                 reference_of(disable(R"(,"effect":"server-query","output":{"type":"null"})"),
                                              R"(,"bound":["reason","ids"],"overridable":["ids"])"));
    const std::string noted =
        snapshot(surface, R"(,"notes":[[)" + std::to_string(reference) + R"(,"2 are selected"]])");
    const auto read = document(noted);
    CHECK(read.root().find("components").size() == 0);
    CHECK(
        read.root().find("procedures").raw() ==
        R"([{"procedureId":"domain:devices.disable","description":"Disable devices.","contextualNote":"2 are selected",)"
        R"("inputSchema":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"},)"
        R"("description":"Device ids. When omitted, the current value in the UI applies."}},"additionalProperties":false},)"
        R"("outputSchema":{"type":"null"},"effect":"server-query","confirmation":"never","available":true,)"
        R"("boundFields":[{"path":"reason","locked":true,"source":"ui-state"},{"path":"ids","locked":false,"source":"ui-state"}],)"
        R"("registrationId":"reg_p","context":{"type":"invoices.pending","instanceId":"left"},"meta":{"m":1}}])");
}

TEST_CASE("a reference without an owner has no context, and the contract's meta where it has none", "[core]") {
    TestSurface surface;
    refer(surface, "reg_p", "", reference_of(disable(R"(,"effect":"server-query","meta":{"of":"contract"})")));
    const std::string text = snapshot(surface);
    CHECK(text.find("context") == std::string::npos);
    CHECK(text.find(R"("boundFields":[],"registrationId":"reg_p","meta":{"of":"contract"}}])") != std::string::npos);
}

TEST_CASE("a note travels in the volatile half alone, available or not, and ends with null", "[core]") {
    TestSurface surface;
    const auto reference = std::to_string(refer(surface, "reg_p"));
    const std::string before = project(surface);
    const auto generation = surface.registry->project("", surface.now)->generation;
    CHECK(state(surface, R"({"notes":[[)" + reference + R"(,"one"]]})") ==
          R"([{"wireName":"domain_devices__disable","available":true,"note":"one"}])");
    CHECK(project(surface) == before);
    CHECK(surface.registry->project("", surface.now)->generation == generation);
    REQUIRE(surface.registry->gates("[[" + reference + R"(,0,0,"binding-error"]])", surface.now));
    CHECK(
        state(surface) ==
        R"([{"wireName":"domain_devices__disable","available":false,"unavailableReason":"binding-error","note":"one"}])");
    REQUIRE(surface.registry->gates("[[" + reference + ",0,1]]", surface.now));
    CHECK(state(surface, R"({"notes":[[)" + reference + ",null]]}") == "[]");
    CHECK(surface.registry->version() == 1);
}

TEST_CASE("a note is clipped without splitting a pair, and one that is none is refused", "[core]") {
    TestSurface surface;
    const auto reference = std::to_string(refer(surface, "reg_p"));
    const std::string note = std::string(299, 'n') + "😀";
    CHECK(at(snapshot(surface, R"(,"notes":[[)" + reference + ",\"" + note + "\"]]"), {"procedures"})
              .find("\"contextualNote\":\"" + std::string(299, 'n') + "\"") != std::string::npos);
    for (const std::string notes : {"[[1]]", "[[1,2]]", "[7]", "[[1,\"a\",\"b\"]]"}) {
        INFO(notes);
        CHECK_FALSE(surface.registry->project("{\"notes\":" + notes + "}", surface.now));
    }
    CHECK(surface.registry->project(R"({"notes":[[99,"nobody"]]})", surface.now));
}

TEST_CASE("several references to one procedure are told apart by their owners' instances, else by registration",
          "[core]") {
    TestSurface surface;
    refer(surface, "reg_1", owned("left"));
    CHECK(project(surface).find("\"domain_devices__disable\"") != std::string::npos);
    refer(surface, "reg_2", owned("right"));
    std::string names = surface.registry->wire_names(0);
    CHECK(names.find(R"(["domain_devices__disable_at_left","domain:devices.disable","reg_1","left"])") !=
          std::string::npos);
    CHECK(names.find("domain_devices__disable_at_right") != std::string::npos);
    refer(surface, "reg_3", owned("left", "other"));
    refer(surface, "reg_4");
    names = surface.registry->wire_names(0);
    for (const char* name : {"disable_at_reg_1\"", "disable_at_right\"", "disable_at_reg_3\"", "disable_at_reg_4\""})
        CHECK(names.find(name) != std::string::npos);
    CHECK(names.find(R"(_at_reg_3","domain:devices.disable","reg_3","left"])") != std::string::npos);
}

TEST_CASE("references end with their owner: tombstone, version, and word to whoever holds them", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_t", "left");
    const auto mine = refer(surface, "reg_1", owned("left"));
    const auto twin = refer(surface, "reg_2", owned("left"));
    const auto other = refer(surface, "reg_3", owned("right"));
    const auto free = refer(surface, "reg_4");
    CHECK(surface.registry->version() == 5);
    surface.outbox();
    surface.registry->unmount(table, surface.now);
    CHECK(items_of(surface.outbox()) == std::vector<std::string>{gone(mine), gone(twin)});
    CHECK(surface.registry->version() == 8);
    const auto answer = call(surface, R"(,"registrationId":"reg_1","instanceId":"left")");
    CHECK(code_of(answer) == "COMPONENT_UNMOUNTED");
    surface.registry->unmount(mine, surface.now);
    CHECK(surface.registry->version() == 8);
    surface.registry->unmount(other, surface.now);
    surface.registry->unmount(free, surface.now);
    CHECK(effects_of(surface.outbox()).empty());
    CHECK(code_of(call(surface)) == "COMPONENT_UNMOUNTED");
}

TEST_CASE("an owner that is mounted later still ends its references, and a replaced one does too", "[core]") {
    TestSurface surface(R"("onDuplicateInstance":"replace")");
    const auto early = refer(surface, "reg_1", owned("default"));
    surface.mount("reg_t1");
    surface.outbox();
    surface.mount("reg_t2");
    CHECK(items_of(surface.outbox()) == std::vector<std::string>{gone(early)});
}

TEST_CASE("a reference that ends with its owner takes its calls with it", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_t", "left");
    refer(surface, "reg_1", owned("left"), reference_of(disable(R"(,"effect":"server-query")")));
    const auto plan = call(surface);
    require_plan(plan);
    CHECK(plan.timeout_ms == 30000);
    surface.outbox();
    surface.registry->unmount(table, surface.now);
    const auto effects = effects_of(surface.outbox());
    REQUIRE(effects.size() == 2);
    CHECK(settled_code(effects[0], plan.invocation) == "COMPONENT_UNMOUNTED");
}

TEST_CASE("disposing ends owners and references alike", "[core]") {
    TestSurface surface;
    surface.mount("reg_t", "left");
    refer(surface, "reg_1", owned("left"));
    refer(surface, "reg_2");
    surface.registry->dispose(surface.now);
    CHECK(project(surface) == "[]");
    CHECK(surface.registry->version() == 6);
}

TEST_CASE("a procedure's call needs the registration where several references serve it", "[core]") {
    TestSurface surface;
    refer(surface, "reg_b", owned("left"), reference_of(disable(R"(,"effect":"server-query")")));
    refer(surface, "reg_a", owned("left", "other"), reference_of(disable(R"(,"effect":"server-query")")));
    refer(surface, "reg_c", "", reference_of(disable(R"(,"effect":"server-query")")));
    const auto answer = call(surface);
    CHECK(code_of(answer) == "AMBIGUOUS_INSTANCE");
    CHECK(
        detail_of(answer, "instances") ==
        R"([{"registrationId":"reg_c"},)"
        R"({"instanceId":"left","registrationId":"reg_a","context":{"type":"other","instanceId":"left"}},)"
        R"({"instanceId":"left","registrationId":"reg_b","context":{"type":"invoices.pending","instanceId":"left"}}])");
    CHECK(code_of(call(surface, R"(,"instanceId":"left")")) == "AMBIGUOUS_INSTANCE");
    CHECK(code_of(call(surface, R"(,"instanceId":"lef")")) == "CAPABILITY_NOT_FOUND");
    CHECK(call(surface, R"(,"registrationId":"reg_c")").registration_id == "reg_c");
    CHECK(code_of(call(surface, R"(,"registrationId":"reg_x")")) == "STALE_CAPABILITY");
    refer(surface, "reg_d", owned("right"), reference_of(disable(R"(,"effect":"server-query")")));
    CHECK(call(surface, R"(,"instanceId":"right")").registration_id == "reg_d");
}

TEST_CASE("another surface version is stale for what cannot be taken back, and for nothing else", "[core]") {
    for (const char* effect : {"server-query", "server-mutation", "external-side-effect", "destructive"}) {
        INFO(effect);
        TestSurface surface;
        refer(surface, "reg_p", "", reference_of(disable(R"(,"effect":")" + std::string(effect) + "\"")));
        require_plan(call(surface, R"(,"surfaceVersion":"1")"));
        require_plan(call(surface));
        const auto answer = call(surface, R"(,"surfaceVersion":"0")");
        const bool strict = effect[0] == 'e' || effect[0] == 'd';
        if (!strict) {
            require_plan(answer);
            continue;
        }
        CHECK(code_of(answer) == "STALE_CAPABILITY");
        CHECK(detail_of(answer, "reason") == "surface-version-mismatch");
        CHECK(detail_of(answer, "liveRegistrationId") == "reg_p");
        CHECK(code_of(call(surface, R"(,"surfaceVersion":"nonsense","registrationId":"reg_p")")) == "STALE_CAPABILITY");
    }
}

TEST_CASE("once its keys are known a reference takes another contract, and the catalog with it", "[core]") {
    TestSurface surface;
    const auto reference = refer(surface, "reg_p", "", reference_of(disable(), R"(,"unbound":true)"));
    CHECK(project(surface).find("\"reason\"") == std::string::npos);
    const auto generation = surface.registry->project("", surface.now)->generation;
    const auto known = intern_reference(surface, reference_of(disable(), R"(,"bound":["ids"])"));
    REQUIRE(surface.registry->rebind(reference, known, surface.now));
    CHECK(surface.registry->version() == 2);
    CHECK(project(surface).find("\"reason\"") != std::string::npos);
    CHECK(surface.registry->project("", surface.now)->generation != generation);
    REQUIRE(surface.registry->rebind(reference, known, surface.now));
    CHECK(surface.registry->version() == 2);
}

TEST_CASE("only a reference takes another contract, and only one of its own procedure", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_t");
    const auto reference = refer(surface, "reg_p");
    const auto other =
        intern_reference(surface, R"({"procedure":{"id":"domain:other","description":"d","effect":"server-query"}})");
    CHECK_FALSE(surface.registry->rebind(reference, other, surface.now));
    CHECK_FALSE(surface.registry->rebind(reference, 999, surface.now));
    CHECK_FALSE(surface.registry->rebind(table, surface.intern(), surface.now));
    CHECK(surface.registry->rebind(999, other, surface.now));
    CHECK(surface.registry->version() == 2);
}

TEST_CASE("a mount outside its grammar is refused: owners, audit levels, what belongs to components", "[core]") {
    TestSurface surface;
    const auto contract = intern_reference(surface, reference_of(disable()));
    for (const char* fields :
         {R"("owner":"x")", R"("owner":{"type":"X"})", R"("owner":{"type":"a","instanceId":""})",
          R"("owner":{"type":"a","colour":1})", R"("instanceId":"a")", R"("parent":{"type":"a"})", R"("votes":1)",
          R"("audit":{"devices.disable":"loud"})", R"("audit":{"other":"full"})", R"("meta":7)"}) {
        INFO(fields);
        CHECK_FALSE(surface.registry->mount(contract, R"({"registrationId":"reg_1",)" + std::string(fields) + "}",
                                            surface.now));
    }
    CHECK(surface.registry->version() == 0);
    CHECK_FALSE(
        surface.registry->mount(surface.intern(), R"({"registrationId":"r","owner":{"type":"a"}})", surface.now));
}

TEST_CASE("a scope is held against the owner's type, else the procedure's path", "[core]") {
    TestSurface surface;
    refer(surface, "reg_1", owned("left"));
    refer(surface, "reg_2", "",
          R"({"procedure":{"id":"domain:devices.list","description":"d","effect":"server-query"}})");
    const auto count = [&](const std::string& scope) {
        const std::string text = R"(,"scope":[")" + scope + "\"]";
        const auto shown = document(snapshot(surface, text)).root().find("procedures").size();
        CHECK(document(project(surface, R"({"scope":[")" + scope + "\"]}")).root().size() == shown);
        return shown;
    };
    CHECK(count("invoices") == 1);
    CHECK(count("devices") == 1);
    CHECK(count("devices.list") == 1);
    CHECK(count("device") == 0);
}

TEST_CASE("references come behind the components, sorted by procedure, then by the instance that they belong to",
          "[core]") {
    TestSurface surface;
    refer(surface, "reg_z", owned("a"));
    refer(surface, "reg_a", owned("b"));
    refer(surface, "reg_m", "", R"({"procedure":{"id":"domain:a","description":"d","effect":"server-query"}})");
    const auto low = surface.intern(
        R"({"type":"zz","description":"d","priority":-5,"actions":{"go":{"description":"d","effect":"navigation"}}})");
    surface.mount("reg_0", "default", low);
    const std::string all = project(surface);
    const std::string names = surface.registry->wire_names(0);
    std::size_t last = 0;
    for (const char* id : {"reg_0", "reg_m", "reg_z", "reg_a"}) {
        CHECK(names.find(id) > last);
        last = names.find(id);
    }
    CHECK(all.find("\"view_zz__go\"") < all.find("\"domain_a\""));
}

TEST_CASE("a budget in bytes holds references too; components give way to them", "[core]") {
    TestSurface surface;
    surface.mount("reg_t");
    refer(surface, "reg_1", owned("left"));
    refer(surface, "reg_2", owned("right"));
    const std::size_t whole = snapshot(surface).size();
    for (std::size_t most = 300; most <= whole + 200; most += 50) {
        const std::string text = snapshot(surface, R"(,"budget":{"maxBytes":)" + std::to_string(most) + "}");
        CHECK(text.size() <= most);
        const auto read = document(text);
        if (read.root().find("components").size() == 1) CHECK(read.root().find("procedures").size() == 2);
        const auto cut = read.root().find("truncated").find("droppedProcedures");
        const double dropped = cut ? cut.number() : 0;
        CHECK(read.root().find("procedures").size() + static_cast<std::uint32_t>(dropped) == 2);
    }
    const std::string one = snapshot(surface, R"(,"budget":{"maxComponents":1})");
    CHECK(document(one).root().find("procedures").size() == 2);
    CHECK(one.find("truncated") == std::string::npos);
}

TEST_CASE("an unavailable reference can be left out of a snapshot, and is not counted as dropped then", "[core]") {
    TestSurface surface;
    refer(surface, "reg_1", owned("left"));
    const auto closed = refer(surface, "reg_2", owned("right"));
    REQUIRE(surface.registry->gates("[[" + std::to_string(closed) + ",0,0]]", surface.now));
    const std::string text = snapshot(surface, R"(,"includeUnavailable":false,"budget":{"maxBytes":700})");
    CHECK(text.find("reg_2") == std::string::npos);
    CHECK(text.find("truncated") == std::string::npos);
}

TEST_CASE("a reference is no component: no component event, but a record with its procedure", "[core]") {
    TestSurface surface;
    surface.registry->listen(3);
    const auto reference = refer(surface, "reg_1");
    const std::string mounted = surface.outbox();
    CHECK(told(mounted, "event").empty());
    CHECK(
        told(mounted, "audit") ==
        std::vector<std::string>{
            R"({"at":1000,"type":"component-registered","capabilityId":"domain:devices.disable","registrationId":"reg_1"})"});
    CHECK(mounted.find(R"({"changed":"1"})") != std::string::npos);
    REQUIRE(surface.registry->gates("[[" + std::to_string(reference) + ",0,0]]", surface.now));
    CHECK(told(surface.outbox(), "event", "availability-changed").size() == 1);
}

TEST_CASE("the mount's audit level comes before the registry's, and that before the contract's", "[core]") {
    const auto records = [](const std::string& options, const std::string& fields) {
        TestSurface surface(options);
        refer(surface, "reg_1", fields, reference_of(disable(R"(,"effect":"server-query")")));
        surface.registry->listen(2);
        call(surface);
        return told(surface.outbox(), "audit", "invocation-started");
    };
    CHECK(records("", "").front().find("payload") == std::string::npos);
    CHECK(records(R"("auditLevel":"full")", "").front().find("payload") != std::string::npos);
    CHECK(records(R"("auditLevel":"full")", R"(,"audit":{"devices.disable":"none"})").empty());
    CHECK(records("", R"(,"audit":{"devices.disable":"full"})").front().find("payload") != std::string::npos);
}

}  // namespace
