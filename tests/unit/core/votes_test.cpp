// What policies of discovery do to one consumer's catalog and to its calls: hidden is as if it had never been.
#include "procedures.h"

namespace {

using namespace viewcap_test;

/// Two tables with three capabilities each, and a reference; votes of discovery are asked for.
struct Voted {
    explicit Voted(const std::string& options = R"("votes":true)") : surface(options) {
        left = surface.mount("reg_1", "left");
        right = surface.mount("reg_2", "right");
        reference = refer(surface, "reg_p");
    }
    /// A request with votes of which registration, capability and verdict are given.
    std::string votes(const std::string& list, const std::string& more = "") const {
        return R"({"consumer":"embedded:a","votes":[)" + list + "]" + more + "}";
    }
    std::string on(viewcap::RegistrationHandle registration, std::uint32_t capability, int verdict,
                   const std::string& reason = "") const {
        return "[" + std::to_string(registration) + "," + std::to_string(capability) + "," + std::to_string(verdict) +
               (reason.empty() ? "" : ",\"" + reason + "\"") + "]";
    }
    std::string whole(viewcap::RegistrationHandle registration, std::uint32_t count, int verdict) const {
        std::string list;
        for (std::uint32_t i = 0; i < count; ++i) list += (i > 0 ? "," : "") + on(registration, i, verdict);
        return list;
    }

    TestSurface surface;
    viewcap::RegistrationHandle left, right, reference;
};

TEST_CASE("a hidden capability is in no bytes, names, state or snapshot", "[core]") {
    Voted voted;
    const std::string request = voted.votes(voted.on(voted.left, kOpen, 2) + "," + voted.on(voted.reference, 0, 2));
    REQUIRE(voted.surface.registry->gates("[[" + std::to_string(voted.left) + ",2,0]]", voted.surface.now));
    const auto view = voted.surface.registry->project(request, voted.surface.now);
    REQUIRE(view);
    CHECK(document(std::string(view->descriptors)).root().size() == 5);
    CHECK(view->state == "[]");
    const std::string names = voted.surface.registry->wire_names(view->view);
    CHECK(names.find("domain") == std::string::npos);
    CHECK(names.find("\"withheld\":[]") != std::string::npos);
    const std::string shown = snapshot(
        voted.surface, R"(,"votes":[)" + voted.on(voted.left, kOpen, 2) + "," + voted.on(voted.reference, 0, 2) + "]");
    CHECK(at(shown, {"procedures"}) == "[]");
    CHECK(document(at(shown, {"components"})).root().size() == 2);
}

TEST_CASE("votes on a call that cannot be read expose nobody", "[core]") {
    Voted voted;
    for (const std::string text : {"", "{", "\xff"}) {
        const auto asked = voted.surface.begin("setFilters", R"("instanceId":"left")");
        REQUIRE(asked.kind == viewcap::AnswerKind::ask);
        const auto answer = voted.surface.advance(asked, viewcap::AdvanceStep::votes, text);
        CHECK(code_of(answer) == "CAPABILITY_NOT_FOUND");
    }
}

TEST_CASE("what stays visible is named as if the hidden one had never been", "[core]") {
    Voted voted;
    TestSurface alone;
    alone.mount("reg_2", "right");
    CHECK(project(voted.surface, voted.votes(voted.whole(voted.left, 3, 2) + "," + voted.on(voted.reference, 0, 2))) ==
          project(alone));
    CHECK(project(voted.surface).find("_at_left") != std::string::npos);
}

TEST_CASE("a component all of whose capabilities are hidden is hidden and counts as nothing", "[core]") {
    Voted voted;
    const std::string votes = R"(,"votes":[)" + voted.whole(voted.left, 3, 2) + "]";
    const std::string shown = snapshot(voted.surface, votes + R"(,"budget":{"maxComponents":1})");
    CHECK(shown.find("reg_1") == std::string::npos);
    CHECK(shown.find("truncated") == std::string::npos);
    const auto empty = voted.surface.intern(R"({"type":"empty","description":"d"})");
    voted.surface.mount("reg_e", "default", empty);
    CHECK(snapshot(voted.surface, votes).find("reg_e") != std::string::npos);
}

TEST_CASE("a disabling vote comes behind component-disabled, override and when, and its reason is clipped", "[core]") {
    Voted voted;
    const std::string left = std::to_string(voted.left);
    const auto reason = [&](const std::string& of_vote) {
        const std::string request = voted.votes(voted.on(voted.left, kOpen, 1, of_vote));
        const auto entries = document(state(voted.surface, request));
        CHECK(snapshot(voted.surface, R"(,"votes":[)" + voted.on(voted.left, kOpen, 1, of_vote) + "]")
                  .find("\"unavailableReason\":") != std::string::npos);
        for (const auto entry : entries.root().elements())
            if (entry.find("wireName").string() == "view_invoices__pending__open_at_left")
                return std::string(entry.find("unavailableReason").string());
        return std::string("available");
    };
    CHECK(reason("policy") == "policy");
    CHECK(reason("") == "unavailable");
    CHECK(reason(std::string(299, 'r') + "😀") == std::string(299, 'r'));
    REQUIRE(voted.surface.registry->gates("[[" + left + ",2,0,\"when\"]]", voted.surface.now));
    CHECK(reason("policy") == "when");
    REQUIRE(voted.surface.registry->update(
        voted.left, R"({"availability":{"open":{"available":false,"reason":"override"}}})", voted.surface.now));
    CHECK(reason("policy") == "override");
    REQUIRE(voted.surface.registry->update(voted.left, R"({"enabled":false})", voted.surface.now));
    CHECK(reason("policy") == "component-disabled");
}

TEST_CASE("consumers have their own views, and without votes everybody shares one", "[core]") {
    Voted voted;
    const auto view_of = [&](const std::string& request) {
        return voted.surface.registry->project(request, voted.surface.now)->view;
    };
    const auto plain = view_of("");
    CHECK(view_of(R"({"consumer":"embedded:a"})") == plain);
    const auto a = view_of(voted.votes(""));
    CHECK(a != plain);
    CHECK(view_of(R"({"consumer":"mcp-bridge:a","votes":[]})") != a);
    CHECK(view_of(voted.votes("")) == a);
}

TEST_CASE("the generation moves with who is hidden, and not with who is disabled", "[core]") {
    Voted voted;
    const auto generation = [&](const std::string& list) {
        return voted.surface.registry->project(voted.votes(list), voted.surface.now)->generation;
    };
    const auto none = generation("");
    CHECK(generation(voted.on(voted.left, kOpen, 1)) == none);
    CHECK(generation("") == none);
    const auto hidden = generation(voted.on(voted.left, kOpen, 2));
    CHECK(hidden != none);
    CHECK(generation(voted.on(voted.left, kOpen, 2) + "," + voted.on(voted.right, kOpen, 1)) == hidden);
    CHECK(generation(voted.on(voted.right, kOpen, 2)) != hidden);
}

TEST_CASE("votes for what is gone or does not exist change nothing, and no votes at all are refused", "[core]") {
    Voted voted;
    CHECK(project(voted.surface, voted.votes("[999,0,2],[" + std::to_string(voted.left) + ",17,2]")) ==
          project(voted.surface));
    for (const std::string list : {"7", "[]", "[1]", "[1,0]", "[1,0,3]", "[1,0,0]", "[1,0,\"2\"]", "[1,0,1,7]"}) {
        INFO(list);
        CHECK_FALSE(voted.surface.registry->project(voted.votes(list), voted.surface.now));
        CHECK_FALSE(
            voted.surface.registry->snapshot(R"({"capturedAt":"t","votes":[)" + list + "]}", voted.surface.now));
    }
    CHECK_FALSE(voted.surface.registry->project(R"({"votes":{}})", voted.surface.now));
    CHECK(project(voted.surface, voted.votes("")) == project(voted.surface));
}

TEST_CASE("random votes, gates, notes and mounts leave the same bytes as a projection made from nothing", "[core]") {
    Voted voted;
    std::uint32_t seed = 7;
    const auto random = [&seed](std::uint32_t below) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 8) % below;
    };
    std::vector<viewcap::RegistrationHandle> live = {voted.left, voted.right, voted.reference};
    for (int step = 0; step < 400; ++step) {
        std::string list;
        for (const auto registration : live)
            for (std::uint32_t capability = 0; capability < 3; ++capability)
                if (random(3) == 0)
                    list += (list.empty() ? "" : ",") +
                            voted.on(registration, capability, static_cast<int>(1 + random(2)), "r");
        const auto some = live[random(static_cast<std::uint32_t>(live.size()))];
        std::string more = R"(,"notes":[[)" + std::to_string(some) + ",\"" + std::to_string(random(3)) + "\"]]";
        more += R"(,"gates":[[)" + std::to_string(some) + "," + std::to_string(random(3)) + "," +
                std::to_string(random(2)) + "]]";
        if (random(10) == 0) {
            live.push_back(random(2) == 0
                               ? refer(voted.surface, "reg_r" + std::to_string(step), owned("left"))
                               : voted.surface.mount("reg_m" + std::to_string(step), "i" + std::to_string(step)));
        } else if (random(12) == 0 && live.size() > 4) {
            voted.surface.registry->unmount(live.back(), voted.surface.now);
            live.pop_back();
        }
        const auto kept = voted.surface.registry->project(voted.votes(list, more), voted.surface.now);
        REQUIRE(kept);
        const std::string bytes(kept->descriptors);
        const std::string volatile_half(kept->state);
        const std::string names = voted.surface.registry->wire_names(kept->view);
        const std::string scope = R"(,"scope":["invoices","devices","s)" + std::to_string(step) + "\"]";
        const auto fresh = voted.surface.registry->project(voted.votes(list, scope), voted.surface.now);
        REQUIRE(fresh);
        REQUIRE(bytes == fresh->descriptors);
        REQUIRE(volatile_half == fresh->state);
        REQUIRE(names == voted.surface.registry->wire_names(fresh->view));
    }
}

/// The answer of a call after who could be meant was voted on.
viewcap::Answer voted_call(TestSurface& surface, const viewcap::Answer& question, const std::string& hidden,
                           bool gone = false) {
    REQUIRE(question.kind == Kind::ask);
    return surface.registry->advance(question.invocation, Step::votes,
                                     "{\"hidden\":[" + hidden + "],\"gone\":" + (gone ? "true" : "false") + "}",
                                     surface.now);
}

TEST_CASE("who could be meant: the named registration where it serves, else all that do", "[core]") {
    Voted voted;
    const auto asked = [&](const std::string& capability, const std::string& fields) {
        const auto question = voted.surface.begin(capability, fields);
        REQUIRE(question.kind == Kind::ask);
        return question.text;
    };
    const std::string left = std::to_string(voted.left);
    const std::string right = std::to_string(voted.right);
    CHECK(asked("open", "") == "[[" + left + ",2],[" + right + ",2]]");
    CHECK(asked("open", R"("registrationId":"reg_2")") == "[[" + right + ",2]]");
    CHECK(asked("open", R"("registrationId":"reg_x")") == "[[" + left + ",2],[" + right + ",2]]");
    CHECK(asked("open", R"("instanceId":"left")") == "[[" + left + ",2]]");
    CHECK(asked("open", R"("registrationId":"reg_2","instanceId":"left")") == "[[" + left + ",2]]");
    CHECK(asked("close", "") == "[]");
}

TEST_CASE("hidden candidates take part in no ambiguity, staleness or reason", "[core]") {
    Voted voted;
    TestSurface& surface = voted.surface;
    const std::string left = std::to_string(voted.left);
    const std::string both = left + "," + std::to_string(voted.right);
    CHECK(voted_call(surface, surface.begin("open"), left).registration_id == "reg_2");
    CHECK(code_of(voted_call(surface, surface.begin("open"), both)) == "CAPABILITY_NOT_FOUND");
    const auto stale = voted_call(surface, surface.begin("open", R"("registrationId":"reg_x")"), left);
    CHECK(detail_of(stale, "liveRegistrationId") == "reg_2");
    REQUIRE(surface.registry->update(voted.left, R"({"enabled":false})", surface.now));
    CHECK(code_of(voted_call(surface, surface.begin("open", R"("instanceId":"left")"), left)) ==
          "CAPABILITY_NOT_FOUND");
}

TEST_CASE("where the named one is hidden, those that the answer could speak of instead are voted on too", "[core]") {
    Voted voted;
    TestSurface& surface = voted.surface;
    const std::string left = std::to_string(voted.left);
    const std::string right = std::to_string(voted.right);
    const auto named = [&] {
        const auto first = surface.begin("open", R"("registrationId":"reg_1")");
        REQUIRE(first.text == "[[" + left + ",2]]");
        const auto second = voted_call(surface, first, left);
        REQUIRE(second.kind == Kind::ask);
        CHECK(second.invocation == first.invocation);
        CHECK(second.text == "[[" + right + ",2]]");
        return second;
    };
    const auto stale = voted_call(surface, named(), "");
    CHECK(code_of(stale) == "STALE_CAPABILITY");
    CHECK(detail_of(stale, "reason") == "surface-reloaded");
    CHECK(detail_of(stale, "liveRegistrationId") == "reg_2");
    CHECK(code_of(voted_call(surface, named(), right)) == "CAPABILITY_NOT_FOUND");
    CHECK(code_of(surface.registry->settle(named().invocation, Outcome::cancelled, "", surface.now)) == "CANCELLED");
    require_plan(voted_call(surface, surface.begin("open", R"("registrationId":"reg_1")"), ""));
}

TEST_CASE("what is hidden answers in every word like what never existed", "[core]") {
    Voted voted;
    TestSurface nothing(R"("votes":true)");
    for (const char* fields : {"", R"("registrationId":"reg_1")", R"("instanceId":"left")",
                               R"("registrationId":"reg_2","instanceId":"left","surfaceVersion":"3")"}) {
        INFO(fields);
        const std::string both = std::to_string(voted.left) + "," + std::to_string(voted.right);
        auto hidden = voted_call(voted.surface, voted.surface.begin("open", fields), both);
        if (hidden.kind == Kind::ask) hidden = voted_call(voted.surface, hidden, both);
        const auto never = voted_call(nothing, nothing.begin("open", fields), "");
        CHECK(at(hidden.result, {"error"}) == at(never.result, {"error"}));
    }
}

TEST_CASE("a tombstone is silent where the registry's votes hide it or its component had policies of discovery",
          "[core]") {
    Voted voted;
    TestSurface& surface = voted.surface;
    surface.registry->unmount(voted.left, surface.now);
    surface.registry->unmount(voted.right, surface.now);
    for (const char* fields : {"", R"("registrationId":"reg_1")", R"("instanceId":"left")"}) {
        INFO(fields);
        CHECK(code_of(voted_call(surface, surface.begin("open", fields), "")) == "COMPONENT_UNMOUNTED");
        CHECK(code_of(voted_call(surface, surface.begin("open", fields), "", true)) == "CAPABILITY_NOT_FOUND");
    }
    TestSurface guarded;
    const auto mounted =
        guarded.registry->mount(guarded.intern(), R"({"registrationId":"reg_1","discovery":true})", guarded.now);
    REQUIRE(mounted);
    guarded.registry->unmount(mounted->registration, guarded.now);
    CHECK(code_of(guarded.begin("open")) == "CAPABILITY_NOT_FOUND");
    CHECK(code_of(guarded.begin("open", R"("registrationId":"reg_1")")) == "CAPABILITY_NOT_FOUND");
    guarded.mount("reg_2");
    CHECK(detail_of(guarded.begin("open", R"("registrationId":"reg_1")"), "reason") == "surface-reloaded");
}

TEST_CASE("nobody is asked where no policy of discovery has a say in whom the call could mean", "[core]") {
    TestSurface surface;
    surface.mount("reg_1", "left");
    const auto other = surface.intern(
        R"({"type":"app","description":"d","actions":{"go":{"description":"d","effect":"navigation"}}})");
    const auto mounted = surface.registry->mount(other, R"({"registrationId":"reg_v","votes":true})", surface.now);
    REQUIRE(mounted);
    require_plan(surface.begin("open"));
    const auto go = [&] {
        return surface.registry->begin(
            R"({"freshId":"f)" + std::to_string(++surface.fresh) + R"(","capabilityId":"view:app.go"})", surface.now);
    };
    CHECK(go().kind == Kind::ask);
    surface.registry->unmount(mounted->registration, surface.now);
    CHECK(code_of(go()) == "COMPONENT_UNMOUNTED");
}

}  // namespace
