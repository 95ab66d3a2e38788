// Building a registry: the walk's order and its own problems (28 to 32), what is left out, what must be converted (34),
// and the one error that holds every problem.
#include "walk_text.h"

namespace {

using namespace domain_test;

TEST_CASE("ids are the path's segments joined by dots, in declaration order", "[domain]") {
    const auto registry = built({procedure("users.list", meta()), procedure("users.admin.ban", meta()),
                                 procedure("accounts.list", meta()), procedure("b", meta()), procedure("a", meta())});
    CHECK(ids(*registry) == Texts{"users.list", "users.admin.ban", "accounts.list", "b", "a"});
    CHECK(registry->at(1).path == Texts{"users", "admin", "ban"});
    CHECK(registry->origins() == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
}

TEST_CASE("order is that of the walk also for ids that look like integers", "[domain]") {
    const auto registry = built({procedure("z", meta()), procedure("10", meta()), procedure("9", meta()),
                                 procedure("-1", meta()), procedure("01", meta()), procedure("1", meta())});
    CHECK(ids(*registry) == Texts{"z", "10", "9", "-1", "01", "1"});
    CHECK(ids(*registry->keep({5, 1, 2})) == Texts{"10", "9", "1"});
}

TEST_CASE("a procedure without agent metadata is no capability and is listed as excluded", "[domain]") {
    const auto registry = built(
        {plain("b.x"), procedure("a", meta()), plain("a2"), procedure("c", fact("undefined"), "stream", "stream")});
    CHECK(ids(*registry) == Texts{"a"});
    CHECK(registry->excluded() == Texts{"b.x", "a2", "c"});
    CHECK(
        registry->inspect() ==
        R"({"capabilities":["a"],"excluded":[{"path":"b.x","reason":"no-agent-meta"},{"path":"a2","reason":"no-agent-meta"},{"path":"c","reason":"no-agent-meta"}],"unexposed":["a"]})");
}

TEST_CASE("a walk without nodes is an empty registry", "[domain]") {
    const auto registry = built({});
    CHECK(registry->size() == 0);
    CHECK(registry->find("") == -1);
    CHECK(registry->inspect() == R"({"capabilities":[],"excluded":[],"unexposed":[]})");
}

TEST_CASE("capabilities that no surface exposes are told apart", "[domain]") {
    const auto registry = built({procedure("a", exposed(R"({"mcp":true})")), procedure("b", exposed("{}")),
                                 procedure("c", exposed(R"({"mcp":false,"test":false})"))});
    CHECK(registry->inspect() == R"({"capabilities":["a","b","c"],"excluded":[],"unexposed":["b","c"]})");
}

TEST_CASE("an id is found by exact match only", "[domain]") {
    Nodes nodes;
    for (int at = 0; at < 500; ++at) nodes.push_back(procedure("g" + std::to_string(at * 7919 % 500), meta()));
    const auto registry = built(nodes);
    for (std::uint32_t at = 0; at < 500; ++at) CHECK(registry->find(registry->at(at).id) == std::int64_t{at});
    for (const char* id : {"", "g", "g500", "G1", "g1 ", "g1.", "__proto__", "~"}) CHECK(registry->find(id) == -1);
}

TEST_CASE("a path segment that is empty or holds a dot is a problem", "[domain]") {
    CHECK(problems({node(R"(["a",""])", "segment")}) ==
          Texts{R"("a.": a path segment must not be empty or hold "."; found "")"});
    CHECK(problems({node(R"(["a.b"])", "segment")}) ==
          Texts{R"("a.b": a path segment must not be empty or hold "."; found "a.b")"});
    CHECK(problems({node(R"(["a","x.y","b"])", "procedure", R"(,"meta":)" + meta())}) ==
          Texts{R"("a.x.y.b": a path segment must not be empty or hold "."; found "x.y")"});
}

TEST_CASE("lazy entries, contracts, other leaves and streams each give their own problem", "[domain]") {
    CHECK(problems({node(R"(["l"])", "lazy"), node(R"(["c","d"])", "contract"),
                    node(R"(["n"])", "leaf", R"(,"found":7)"), node(R"(["o"])", "leaf", R"(,"found":null)"),
                    node(R"(["p"])", "leaf", R"(,"found":[])"), node(R"(["q"])", "leaf", R"(,"found":)" + kFunction),
                    procedure("s", meta(), "stream", "none"), procedure("t", meta(), "schema", "stream")}) ==
          Texts{R"("l": must be a procedure or a record of procedures; found a lazy one that is not resolved)",
                R"("c.d": must be a procedure with a handler; found a contract without implementation)",
                R"("n": must be a procedure or a record of procedures; found the number 7)",
                R"("o": must be a procedure or a record of procedures; found null)",
                R"("p": must be a procedure or a record of procedures; found an array)",
                R"("q": must be a procedure or a record of procedures; found a function)",
                R"("s": the input schema must describe one value; found a streaming (event iterator) one)",
                R"("t": the output schema must describe one value; found a streaming (event iterator) one)"});
}

TEST_CASE("problems of the metadata stand before those of a streaming schema", "[domain]") {
    const Texts found = problems({procedure("s", "{}", "stream", "stream"), plain("x")});
    REQUIRE(found.size() == 6);
    CHECK(found[3].find("risk") != std::string::npos);
    CHECK(found[4].find("input schema") != std::string::npos);
    CHECK(found[5].find("output schema") != std::string::npos);
}

TEST_CASE("three problems over two capabilities are one error that says 3 and lists all", "[domain]") {
    CHECK(refusal({procedure("a", meta(R"(,"tags":1,"timeoutMs":0)")), procedure("ok", meta()),
                   procedure("b", meta(R"(,"idempotent":null)"))}) ==
          "The capability registry cannot be built, 3 problems:\n"
          "- \"a\": tags must be an array of strings; found the number 1\n"
          "- \"a\": timeoutMs must be a finite number above 0; found the number 0\n"
          "- \"b\": idempotent must be true or false; found null");
    CHECK(refusal({procedure("b", meta(R"(,"idempotent":null)"))}) ==
          "The capability registry cannot be built, 1 problem:\n- \"b\": idempotent must be true or false; found null");
}

TEST_CASE("an id stays on its line and within its quotes whatever it holds", "[domain]") {
    CHECK(problems({node(R"(["a\n- \"b\"","c"])", "lazy")}).size() == 1);
    CHECK(problems({node(R"(["a\n- \"b\"","c"])", "lazy")})[0].substr(0, 17) == R"("a\n- \"b\".c": m)");
}

TEST_CASE("input schemas of valid capabilities that a model reads must be converted, no others", "[domain]") {
    const std::string mcp = exposed(R"({"mcp":true})");
    auto build = start({procedure("direct", exposed(R"({"direct":true,"workflow":true,"test":true})"), "schema"),
                        plain("excluded"), procedure("ai", exposed(R"({"aiSdk":true})"), "schema"),
                        procedure("none", mcp, "none", "schema"), procedure("mcp", mcp, "schema"),
                        procedure("off", exposed(R"({"mcp":false})"), "schema")});
    CHECK(build.to_convert() == std::vector<std::uint32_t>{1, 3});
    const auto registry = build.finish();
    REQUIRE(registry);
    CHECK((*registry)->at(1).id == "ai");
    CHECK((*registry)->at(3).id == "mcp");
}

TEST_CASE("a capability with other problems is not converted, and positions count it all the same", "[domain]") {
    auto build = start({procedure("bad", exposed(R"({"mcp":true})", R"(,"tags":1)"), "schema"),
                        procedure("good", exposed(R"({"mcp":true,"aiSdk":true})"), "schema")});
    CHECK(build.to_convert() == std::vector<std::uint32_t>{1});
    build.conversion_failed(0, "not asked for");
    build.conversion_failed(1, "unknown vendor \"v\"\nregister it");
    build.conversion_failed(1, "said twice");
    build.conversion_failed(77, "out of range");
    CHECK(bullets(refusal(build)) ==
          Texts{"\"bad\": tags must be an array of strings; found the number 1",
                "\"good\": the input schema must become JSON Schema for aiSdk and mcp; found: unknown vendor \"v\" "
                "register it"});
}

TEST_CASE("problems come in the order walk, tool names, schemas, whatever the order of the reports", "[domain]") {
    const std::string both = exposed(R"({"mcp":true,"aiSdk":true})");
    const std::string ai = exposed(R"({"aiSdk":true})");
    const std::string mcp = exposed(R"({"mcp":true})");
    auto build = start({procedure("a.b", both, "schema"), procedure("a_b", both), procedure("c", ai, "schema"),
                        procedure("d", mcp, "schema"), node(R"(["z"])", "lazy")});
    build.conversion_failed(3, "third");
    build.conversion_failed(2, "second");
    build.conversion_failed(0, "first");
    const Texts found = bullets(refusal(build));
    REQUIRE(found.size() == 6);
    CHECK(found[0].find("lazy") != std::string::npos);
    CHECK(found[1].find("on aiSdk") != std::string::npos);
    CHECK(found[2].find("on mcp") != std::string::npos);
    CHECK(found[3] == R"("a.b": the input schema must become JSON Schema for aiSdk and mcp; found: first)");
    CHECK(found[4] == R"("c": the input schema must become JSON Schema for aiSdk; found: second)");
    CHECK(found[5] == R"("d": the input schema must become JSON Schema for mcp; found: third)");
}

TEST_CASE("a build can be finished again and says the same", "[domain]") {
    auto build = start({procedure("a", meta()), plain("b")});
    const auto first = build.finish();
    domain::RegistryBuild moved(std::move(build));
    const auto second = moved.finish();
    REQUIRE(first);
    REQUIRE(second);
    CHECK((*first)->inspect() == (*second)->inspect());
}

TEST_CASE("a walk that no glue writes is refused, never a crash", "[domain]") {
    for (const char* text :
         {"null", "[]", "{}", R"({"nodes":{}})", R"({"nodes":[null]})", R"({"nodes":[{}]})",
          R"({"nodes":[{"path":"a","kind":"leaf"}]})", R"({"nodes":[{"path":[1],"kind":"leaf"}]})",
          R"({"nodes":[{"path":[],"kind":"procedure"}]})", R"({"nodes":[{"path":["a"]}]})",
          R"({"nodes":[{"path":["a"],"kind":"other"}]})", R"({"nodes":[{"path":["a"],"kind":7}]})",
          R"({"nodes":[{"path":["a"],"kind":"leaf"}]})", R"({"nodes":[{"path":[],"kind":"segment"}]})"}) {
        INFO(text);
        domain::RegistryBuild build(json(text).root());
        CHECK(bullets(refusal(build)).size() == 1);
    }
    domain::RegistryBuild absent{host_protocol::JsonValue()};
    CHECK(bullets(refusal(absent)).size() == 1);
}

}  // namespace
