// The catalog merge: five rules in order, no silent reduction, a stable block.
#include <random>
#include <set>

#include "host_protocol/catalog_merge.h"
#include "host_protocol/frame.h"
#include "host_protocol/wire_names.h"
#include "protocol_support.h"
#include "test_vectors.h"

using namespace protocol;

namespace {

struct Scene {
    std::string tools;         // JSON array
    std::string state = "[]";  // JSON array
    std::vector<std::pair<std::string, std::string>> domain;
    std::vector<std::string_view> admitted{};
    std::vector<std::string_view> floor{};
    std::string more{};  // further members of the catalog
    int version = 2;
    ProtocolLimits limits{};
};

StepRequest step_of(const Scene& scene) {
    std::string body =
        step_with(kHello, "\"frontendTools\":" + scene.tools + ",\"frontendState\":" + scene.state + scene.more);
    if (scene.version == 1)
        body = R"({"protocolVersion":1,"conversationId":"c","turnId":"t","stepIndex":0,"messages":)" +
               std::string(kHello) + ",\"frontendTools\":" + scene.tools + "}";
    Admitted<StepRequest> decoded = decode_step_request(body);
    if (const Refusal* refusal = refusal_of(decoded)) FAIL(refusal->error.message);
    return std::get<StepRequest>(std::move(decoded));
}

/// What the views of a composed catalog point into lives as long as this.
struct Composed {
    explicit Composed(const Scene& scene) : step(step_of(scene)), held(scene.domain) {
        CatalogRequest request{step, {}, scene.admitted, scene.floor, scene.limits};
        for (const auto& [name, id] : held)
            request.domain_tools.push_back({name, id, "\"d\"", R"({"type":"object"})", false, "read"});
        result = compose_catalog(request);
    }
    const Catalog& catalog() const {
        if (const Refusal* refusal = refusal_of(result)) FAIL(refusal->error.message);
        return std::get<Catalog>(result);
    }
    std::string names() const {
        std::string out;
        for (const CatalogTool& tool : catalog().tools) out += std::string(tool.wire_name) + " ";
        return out;
    }
    std::string events() const {
        std::string out;
        for (const CatalogReport& report : catalog().reports)
            out += std::string(report.event_type) + "(" + report.wire_name + ") ";
        return out;
    }

    StepRequest step;
    std::vector<std::pair<std::string, std::string>> held;
    Admitted<Catalog> result{Refusal{}};
};

std::string tools_of(JsonValue list) {
    std::string out = "[";
    for (const JsonValue tool : list.elements()) {
        std::vector<std::string_view> parts;
        for (const JsonValue part : tool.elements()) parts.push_back(part.string());
        out += (out.size() > 1 ? "," : "") + tool_json(parts[0], parts[1], parts[2]);
    }
    return out + "]";
}

std::string one(std::string_view name, std::string_view id, std::string_view plane) {
    return "[" + tool_json(name, id, plane) + "]";
}

}  // namespace

TEST_CASE("The shared vectors of the merge hold: tools, their order, and the reports", "[catalog]") {
    const JsonDocument vectors = reading::document(test_vectors::catalog_merge);
    for (const JsonValue row : vectors.root().find("cases").elements()) {
        INFO(row.find("name").string());
        Scene scene{tools_of(row.find("frontend")), "[]", {}, {}};
        for (const JsonValue tool : row.find("domain").elements()) {
            std::vector<std::string> parts;
            for (const JsonValue part : tool.elements()) parts.emplace_back(part.string());
            scene.domain.emplace_back(parts[0], parts[1]);
        }
        for (const JsonValue id : row.find("admitted").elements()) scene.admitted.push_back(id.string());
        const Composed composed(scene);
        std::string names;
        for (const JsonValue name : row.find("tools").elements()) names += std::string(name.string()) + " ";
        CHECK(composed.names() == names);
        const auto& reports = composed.catalog().reports;
        REQUIRE(reports.size() == row.find("reports").size());
        std::size_t at = 0;
        for (const JsonValue report : row.find("reports").elements()) {
            CHECK(at_path(report, "/0").string() == reports[at].event_type);
            for (const JsonValue who : at_path(report, "/1").elements())
                CHECK((who.string() == reports[at].wire_name || who.string() == reports[at].canonical_id));
            ++at;
        }
    }
}

TEST_CASE("Rule 1: a malformed or contradicting identity is a name conflict", "[catalog]") {
    const std::string long_name = "view_" + std::string(59, 'a');
    CHECK(Composed({one(long_name, "view:t.a", "view"), "[]", {}}).events().empty());
    for (const auto& [name, id, plane] : std::vector<std::tuple<std::string, std::string, std::string>>{
             {"view_t__a", "view:t.a", "domain"},
             {"domain_x", "domain:x", "view"},
             {"view_t__a", "view:t", "view"},
             {"view_t__a", "View:t.a", "view"},
             {"view_t__a", "t.a", "view"},
             {"view_t__a", "view:t.A_b", "view"},
             {"domain_x", "domain:", "domain"},
             {"domain_x", "domain:\\u0001", "domain"},
             {"view t__a", "view:t.a", "view"},
             {"view_t__a\\u00e9", "view:t.a", "view"},
             {"view_t.a", "view:t.a", "view"},
             {"t__a", "view:t.a", "view"},
             {"domain_t__a", "view:t.a", "view"},
             {"view_x", "domain:x", "domain"},
             {"View_t__a", "view:t.a", "view"},
             {"surface_act", "view:t.a", "view"},
             {"surface_discover", "domain:x", "domain"},
         }) {
        INFO(name << " " << id << " " << plane);
        const std::string tools = R"([{"wireName":")" + name + R"(","canonicalId":")" + id + R"(","plane":")" + plane +
                                  R"(","description":"d","inputSchema":{},"effect":"read","confirmation":"never"}])";
        const Composed composed({tools, "[]", {}, {"domain:x"}});
        CHECK(composed.names().empty());
        REQUIRE(composed.catalog().reports.size() == 1);
        CHECK(composed.catalog().reports[0].event_type == "catalog.name-conflict");
    }
}

TEST_CASE("A page cannot declare a tool under a meta name, and is told why", "[catalog]") {
    const Composed composed({one("surface_act", "view:t.a", "view"), "[]", {}});
    REQUIRE(composed.catalog().reports.size() == 1);
    CHECK(composed.catalog().reports[0].message == "Not offered: its wire name is reserved.");
    CHECK(composed.catalog().reports[0].canonical_id == "view:t.a");
}

TEST_CASE("The first rule that matches withholds: each pair of neighbouring rules", "[catalog]") {
    const std::vector<std::pair<std::string, std::string>> server{{"domain_list", "domain:list"}};
    CHECK(Composed({one("view_list", "domain:list", "domain"), "[]", server}).events() ==
          "catalog.name-conflict(view_list) ");
    CHECK(Composed({one("domain_list", "domain:list", "domain"), "[]", server}).events() ==
          "catalog.collision(domain_list) ");
    CHECK(Composed({one("domain_list", "domain:other", "domain"), "[]", server}).events() ==
          "catalog.name-conflict(domain_list) ");
    CHECK(Composed({one("domain_other", "domain:other", "domain"), "[]", server}).events() ==
          "catalog.not-admitted(domain_other) ");
    CHECK(Composed({one("view_t__a", "view:t.a", "view"), "[]", server, {}, {"invoices"}}).events() ==
          "catalog.out-of-scope(view_t__a) ");
    CHECK(Composed({one("domain_other", "domain:other", "domain"), "[]", server, {"domain:other"}, {"invoices"}})
              .events()
              .empty());
}

TEST_CASE("A declaration that is withheld takes no name from the next one", "[catalog]") {
    const Composed composed(
        {"[" + tool_json("view_t__a", "view:x.a", "view") + "," + tool_json("view_t__a", "view:t.a", "view") + "]",
         "[]",
         {},
         {},
         {"t"}});
    CHECK(composed.names() == "view_t__a ");
    CHECK(composed.events() == "catalog.out-of-scope(view_t__a) ");
}

TEST_CASE("In version 1 one operation through two paths refuses the whole step with 409", "[catalog]") {
    Scene scene{one("domain_list_x", "domain:list", "domain"), "[]", {{"domain_list", "domain:list"}}};
    scene.version = 1;
    const Composed composed(scene);
    const Refusal* refusal = refusal_of(composed.result);
    REQUIRE(refusal != nullptr);
    CHECK(refusal->status == 409);
    CHECK(refusal->error.code == "CATALOG_COLLISION");
    scene.domain.clear();
    CHECK(Composed(scene).events() == "catalog.not-admitted(domain_list_x) ");
}

TEST_CASE("A server tool whose name is not its id's is withheld and reported, its neighbours stay", "[catalog]") {
    const std::string shortened = encode_wire_name("domain:billing/charge card");
    const Composed composed({one("domain_wrong", "domain:wrong", "domain"),
                             "[]",
                             {{"domain_list", "domain:list"},
                              {"domain_lists", "domain:list2"},
                              {"view_t__a", "view:t.a"},
                              {"domain_", "domain:"},
                              {"", ""},
                              {"domain_list", "domain:list"},
                              {shortened, "domain:billing/charge card"}}});
    CHECK(composed.names() == "domain_list " + shortened + " ");
    CHECK(composed.events() ==
          "catalog.undecodable(domain_lists) catalog.undecodable(view_t__a) catalog.undecodable(domain_) "
          "catalog.undecodable() catalog.collision(domain_list) catalog.not-admitted(domain_wrong) ");
}

TEST_CASE("The browser's own truncation is reported, a count of nothing is not", "[catalog]") {
    Scene scene{"[]", "[]", {}};
    scene.more = R"(,"truncated":{"dropped":3,"reason":"budget"})";
    CHECK(Composed(scene).events() == "catalog.truncated() ");
    CHECK(Composed(scene).catalog().reports[0].message == "Not offered: the page left out 3 capabilities (budget).");
    scene.more = R"(,"truncated":{"dropped":0,"reason":"budget"})";
    CHECK(Composed(scene).events().empty());
}

TEST_CASE("Limits: 128 of the page, 128 of the server, 192 in all; one more is 413 naming plane, count, limit",
          "[catalog]") {
    const auto scene = [](std::size_t frontend, std::size_t domain, std::string_view mode) {
        Scene made{"[", "[]", {}};
        for (std::size_t i = 0; i < frontend; ++i)
            made.tools +=
                (i > 0 ? "," : "") + tool_json("view_t__a" + std::to_string(i), "view:t.a" + std::to_string(i), "view");
        made.tools += "]";
        for (std::size_t i = 0; i < domain; ++i)
            made.domain.emplace_back("domain_d" + std::to_string(i), "domain:d" + std::to_string(i));
        made.more = ",\"mode\":\"" + std::string(mode) + "\"";
        return made;
    };
    const auto refused = [](const Scene& what) {
        const Composed composed(what);
        const Refusal* refusal = refusal_of(composed.result);
        return refusal == nullptr ? std::string("ok")
                                  : std::to_string(refusal->status) + " " + std::string(refusal->error.code) + " " +
                                        refusal->error.message;
    };
    CHECK(refused(scene(128, 64, "direct")) == "ok");
    CHECK(refused(scene(64, 128, "direct")) == "ok");
    CHECK(refused(scene(128, 65, "direct")) ==
          "413 CATALOG_TOO_LARGE Found 193 tools (total); at most 192 are allowed.");
    CHECK(refused(scene(0, 129, "direct")) ==
          "413 CATALOG_TOO_LARGE Found 129 tools (domain); at most 128 are allowed.");
    // In meta mode the model is offered three tools for all of the page's.
    CHECK(refused(scene(128, 128, "meta")) == "ok");
    Scene small = scene(2, 0, "direct");
    small.limits.max_frontend_tools = 1;
    CHECK(refused(small) == "413 CATALOG_TOO_LARGE Found 2 tools (frontend); at most 1 are allowed.");
}

TEST_CASE("Availability and notes change the state block and not one byte of the tool block", "[catalog]") {
    Scene scene{"[" + tool_json("view_t__a", "view:t.a", "view", R"(,"available":true)") + "]",
                "[]",
                {{"domain_list", "domain:list"}}};
    const std::string block = Composed(scene).catalog().tool_block;
    CHECK(Composed(scene).catalog().state_block.empty());
    scene.tools =
        "[" + tool_json("view_t__a", "view:t.a", "view", R"(,"available":false,"unavailableReason":"Busy")") + "]";
    CHECK(Composed(scene).catalog().tool_block == block);
    CHECK(Composed(scene).catalog().state_block == "Capability state (this step):\n- view_t__a: unavailable (Busy)");
    scene.state = R"([{"wireName":"view_t__a","available":true,"note":"n"}])";
    CHECK(Composed(scene).catalog().tool_block == block);
    CHECK(Composed(scene).catalog().state_block == "Capability state (this step):\n- view_t__a: note: n");
    CHECK(
        block ==
        R"([{"wireName":"domain_list","canonicalId":"domain:list","plane":"domain","executor":"server","description":"d","inputSchema":{"type":"object"},"requiresApproval":false,"sideEffect":"read"},)"
        R"({"wireName":"view_t__a","canonicalId":"view:t.a","plane":"view","executor":"browser","description":"d","inputSchema":{"type":"object"},"effect":"read","confirmation":"never"}])");
}

TEST_CASE("The state block says nothing of what is withheld", "[catalog]") {
    const Composed composed(
        {one("view_t__a", "view:t.a", "view"),
         R"([{"wireName":"view_t__a","available":false},{"wireName":"view_x__y","available":false}])",
         {},
         {},
         {"invoices"}});
    CHECK(composed.catalog().state_block.empty());
}

TEST_CASE("In meta mode three tools stand for the page's, which are still admitted and reported", "[catalog]") {
    Scene scene{
        "[" + tool_json("view_t__a", "view:t.a", "view") + "," + tool_json("domain_x", "domain:x", "domain") + "]",
        R"([{"wireName":"view_t__a","available":false}])",
        {{"domain_list", "domain:list"}}};
    scene.more = R"(,"mode":"meta")";
    const Composed composed(scene);
    CHECK(composed.names() == "domain_list surface_discover surface_read surface_act ");
    CHECK(composed.events() == "catalog.not-admitted(domain_x) ");
    CHECK(composed.catalog().state_block.empty());
    const std::string block = composed.catalog().tool_block;
    scene.tools = "[]";
    scene.state = "[]";
    CHECK(Composed(scene).catalog().tool_block == block);
    for (const MetaTool& tool : kMetaTools) CHECK(block.find(tool.input_schema) != std::string::npos);
}

TEST_CASE("A call in meta mode is about its capabilityId, any other about its name's id", "[catalog]") {
    const JsonDocument input = reading::document(R"({"capabilityId":"view:t.a","input":{}})");
    const JsonDocument other = reading::document(R"({"capabilityId":7})");
    CHECK(call_identity("surface_act", "surface_act", input.root()) == "view:t.a");
    CHECK(call_identity("surface_read", "surface_read", other.root()) == "surface_read");
    CHECK(call_identity("domain_x", "domain:x", input.root()) == "domain:x");
    CHECK(call_identity("surface_discover", "surface_discover", JsonValue()) == "surface_discover");
}

TEST_CASE("As text: tools, domain tools, scope and reports, a refusal, or an error of the arguments", "[catalog]") {
    const std::string step = step_json(step_of({one("view_t__a", "view:t.a", "view"), "[]", {}}));
    const auto composed = compose_catalog_text(
        R"({"step":)" + step +
        R"(,"domainTools":[{"wireName":"domain_x","canonicalId":"domain:x","description":"é","inputSchema":{},"requiresApproval":true},7],"admitted":[],"scopeFloor":["invoices"]})");
    REQUIRE(composed);
    const JsonDocument document = reading::document(*composed);
    CHECK(document.root().find("ok").boolean());
    CHECK(document.root().find("tools").size() == 1);
    CHECK(
        document.root().find("domainTools").raw() ==
        R"([{"wireName":"domain_x","canonicalId":"domain:x","description":"é","inputSchema":{},"requiresApproval":true}])");
    CHECK(document.root().find("scope").raw() == R"(["invoices"])");
    CHECK(document.root().find("reports").size() == 2);
    const auto refused = compose_catalog_text(
        R"({"step":{"frontendTools":[{},{}]},"domainTools":[],"admitted":[],"limits":{"maxFrontendTools":1}})");
    CHECK(reading::document(*refused).root().find("status").number() == 413);
    for (const std::string_view wrong : {"{", "{}", R"({"step":{}})", R"({"step":{},"domainTools":[],"admitted":"x"})",
                                         R"({"step":{},"domainTools":[],"scopeFloor":[7]})",
                                         R"({"step":{},"domainTools":[],"limits":{"maxMessages":0}})"})
        CHECK(compose_catalog_text(wrong).error().code == "INVALID_DEFINITION");
    const CatalogReport report{catalog_events::kCatalogCollision, "n", "i", "m"};
    CHECK(encode_frame(report_frame(report)));
}

TEST_CASE("Two thousand random catalogs offer no name twice and no id by page and server, and report every drop",
          "[catalog]") {
    std::mt19937 random(20'260'505);
    const auto pick = [&random](const std::vector<std::string>& from) { return from[random() % from.size()]; };
    const std::vector<std::string> names{"view_t__a",   "view_t__b", "domain_a", "domain_b",
                                         "surface_act", "x",         "view_u__a"};
    const std::vector<std::string> ids{"view:t.a", "view:t.b", "domain:a", "domain:b", "view:u.a", "nonsense"};
    for (int round = 0; round < 2000; ++round) {
        Scene scene{"[", "[]", {}};
        const std::size_t declared = random() % 9;
        for (std::size_t i = 0; i < declared; ++i)
            scene.tools +=
                (i > 0 ? "," : "") + tool_json(pick(names), pick(ids), random() % 2 == 0 ? "view" : "domain");
        scene.tools += "]";
        const std::size_t served = random() % 4;
        for (std::size_t i = 0; i < served; ++i) scene.domain.emplace_back(pick(names), pick(ids));
        if (random() % 2 == 0) scene.admitted = {"domain:a"};
        if (random() % 2 == 0) scene.floor = {"t"};
        const Composed composed(scene);
        std::set<std::string_view> seen;
        std::set<std::string_view> server;
        for (const CatalogTool& tool : composed.catalog().tools) {
            REQUIRE(seen.insert(tool.wire_name).second);
            if (tool.executor == Executor::server) REQUIRE(server.insert(tool.canonical_id).second);
        }
        for (const CatalogTool& tool : composed.catalog().tools)
            if (tool.executor == Executor::browser) REQUIRE(server.count(tool.canonical_id) == 0);
        REQUIRE(composed.catalog().tools.size() + composed.catalog().reports.size() == declared + served);
        REQUIRE(reading::document(composed.catalog().tool_block).root().size() == composed.catalog().tools.size());
    }
}
