// Problem 33: tool names are legal and unique among the capabilities exposed on a surface (decisions 15, 22).
#include "walk_text.h"

namespace {

using namespace domain_test;

std::string named(const std::string& surface, const std::string& name, bool is_exposed = true) {
    return exposed("{\"" + surface + "\":" + (is_exposed ? "true" : "false") + "}",
                   R"(,"adapters":{")" + surface + R"(":{"toolName":")" + name + R"("}})");
}
const std::string kBoth = R"({"aiSdk":true,"mcp":true})";

TEST_CASE("two overrides that are equal collide on the surface where both are exposed", "[domain]") {
    CHECK(problems({procedure("a", named("aiSdk", "t")), procedure("b", named("aiSdk", "t"))}) ==
          Texts{R"("b": tool name "t" on aiSdk (adapters.aiSdk.toolName) must be unique there; "a" holds it already)"});
    CHECK(problems({procedure("a", named("mcp", "t")), procedure("b", named("mcp", "t"))}).size() == 1);
}

TEST_CASE("equal names do not collide unless both capabilities are exposed on that surface", "[domain]") {
    CHECK(problems({procedure("a", named("aiSdk", "t")), procedure("b", named("aiSdk", "t", false))}) == Texts{});
    CHECK(problems({procedure("a", named("aiSdk", "t")), procedure("b", named("mcp", "t"))}) == Texts{});
    CHECK(problems({procedure("a.b", exposed(R"({"direct":true,"workflow":true,"test":true})")),
                    procedure("a_b", exposed(R"({"direct":true,"workflow":true,"test":true})"))}) == Texts{});
}

TEST_CASE("an override collides with the name made from another's id, whichever comes first", "[domain]") {
    CHECK(problems({procedure("a.b", exposed(R"({"mcp":true})")), procedure("z", named("mcp", "a_b"))}) ==
          Texts{R"("z": tool name "a_b" on mcp (adapters.mcp.toolName) must be unique there; "a.b" holds it already)"});
    CHECK(problems({procedure("z", named("mcp", "a_b")), procedure("a.b", exposed(R"({"mcp":true})"))}) ==
          Texts{R"("a.b": tool name "a_b" on mcp (made from the id) must be unique there; "z" holds it already)"});
}

TEST_CASE("two names made from ids collide on each surface, aiSdk first", "[domain]") {
    CHECK(problems({procedure("a.b", exposed(kBoth)), procedure("a_b", exposed(kBoth))}) ==
          Texts{R"("a_b": tool name "a_b" on aiSdk (made from the id) must be unique there; "a.b" holds it already)",
                R"("a_b": tool name "a_b" on mcp (made from the id) must be unique there; "a.b" holds it already)"});
}

TEST_CASE("an override that sets a name apart resolves the collision", "[domain]") {
    CHECK(problems({procedure("a.b", exposed(R"({"mcp":true})")), procedure("a_b", named("mcp", "other"))}) == Texts{});
}

TEST_CASE("every later clash is reported against the first holder", "[domain]") {
    const Texts found = problems({procedure("one", named("mcp", "t")), procedure("x", exposed(R"({"mcp":true})")),
                                  procedure("two", named("mcp", "t")), procedure("three", named("mcp", "t"))});
    REQUIRE(found.size() == 2);
    CHECK(found[0].substr(0, 6) == "\"two\":");
    CHECK(found[1].substr(0, 8) == "\"three\":");
    for (const std::string& problem : found) CHECK(problem.find(R"("one" holds it already)") != std::string::npos);
}

TEST_CASE("an illegal tool name is a problem where the capability is exposed, and nowhere else", "[domain]") {
    CHECK(
        problems({procedure("a", named("aiSdk", "two words"))}) ==
        Texts{
            R"("a": tool name "two words" on aiSdk (adapters.aiSdk.toolName) must be 1 to 64 letters, digits, _ or -)"});
    CHECK(problems({procedure("a", named("aiSdk", "two words", false))}) == Texts{});
    CHECK(problems({procedure("größe", exposed(R"({"mcp":true})"))}) ==
          Texts{"\"größe\": tool name \"größe\" on mcp (made from the id) must be 1 to 64 letters, digits, _ or -"});
    CHECK(problems({procedure("größe", exposed(R"({"direct":true})"))}) == Texts{});
    CHECK(problems({procedure("größe", named("mcp", "size"))}) == Texts{});
    CHECK(problems({procedure("größe", exposed(kBoth))}).size() == 2);
}

TEST_CASE("a name made from a long id is illegal from 65 characters on", "[domain]") {
    const std::string segment(31, 'x');
    CHECK(problems({procedure(segment + "." + segment + "y", exposed(kBoth))}) == Texts{});
    CHECK(problems({procedure(segment + "." + segment + "yz", exposed(kBoth))}).size() == 2);
}

TEST_CASE("a name that is illegal and taken is both problems", "[domain]") {
    const Texts found = problems({procedure("a", named("mcp", "a b")), procedure("b", named("mcp", "a b"))});
    REQUIRE(found.size() == 3);
    CHECK(found[1].find("must be 1 to 64") != std::string::npos);
    CHECK(found[2].find("must be unique") != std::string::npos);
}

TEST_CASE("capabilities with metadata problems neither hold a name nor clash", "[domain]") {
    const std::string wrong =
        R"({"adapters":{"mcp":{"toolName":"t"}},"expose":{"mcp":true},"sideEffect":"read","risk":"low"})";
    for (const Nodes& nodes : {Nodes{procedure("bad", wrong), procedure("good", named("mcp", "t"))},
                               Nodes{procedure("good", named("mcp", "t")), procedure("bad", wrong)}})
        CHECK(problems(nodes) == Texts{R"("bad": description must be a string that is not blank; found nothing)"});
}

TEST_CASE("a tool name has 1 to 64 of its characters", "[domain]") {
    for (const std::string& name : Texts{"a", "A-z_09", "-", "_", std::string(64, 'x')})
        CHECK(domain::is_tool_name(name));
    for (const std::string& name :
         Texts{"", ".", "a b", "a.b", "ä", "a\n", std::string("a\0", 2), "a/b", std::string(65, 'x')})
        CHECK_FALSE(domain::is_tool_name(name));
}

TEST_CASE("the default tool name has an underscore for each dot", "[domain]") {
    CHECK(domain::default_tool_name("") == "");
    CHECK(domain::default_tool_name("a.b.c_d-e") == "a_b_c_d-e");
}

}  // namespace
