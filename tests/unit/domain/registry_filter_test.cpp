// Filters: the right subset, order kept, the source as it was, `excluded` carried on, `unexposed` worked out anew.
#include "walk_text.h"

namespace {

using namespace domain_test;

domain::SharedRegistry sample() {
    const auto entry = [](const std::string& id, const std::string& surfaces, const std::string& effect,
                          const std::string& risk, const std::string& tags) {
        return procedure(id, R"({"description":"d","expose":)" + surfaces + R"(,"sideEffect":")" + effect +
                                 R"(","risk":")" + risk + R"(","tags":)" + tags + "}");
    };
    return built({entry("20", R"({"mcp":true,"direct":true})", "read", "low", R"(["a"])"),
                  entry("b", R"({"mcp":false,"aiSdk":true})", "write", "high", R"(["b","a"])"), plain("left.out"),
                  entry("3", "{}", "none", "critical", "[]"),
                  entry("a", R"({"direct":true})", "external", "medium", R"(["c"])"),
                  entry("1", R"({"mcp":true,"aiSdk":true})", "destructive", "high", R"(["b"])")});
}

domain::SharedRegistry filtered(const domain::SharedRegistry& registry, const std::string& query) {
    auto subset = registry->filter(json(query).root());
    if (!subset) INFO(subset.error().message);
    REQUIRE(subset);
    return *subset;
}
Texts chosen(const std::string& query) { return ids(*filtered(sample(), query)); }

TEST_CASE("each key of a query chooses by any of its words", "[domain]") {
    CHECK(chosen(R"({"surface":"mcp"})") == Texts{"20", "1"});
    CHECK(chosen(R"({"surface":["direct","aiSdk"]})") == Texts{"20", "b", "a", "1"});
    CHECK(chosen(R"({"sideEffect":["write","destructive","external"]})") == Texts{"b", "a", "1"});
    CHECK(chosen(R"({"sideEffect":"none"})") == Texts{"3"});
    CHECK(chosen(R"({"risk":["critical","low"]})") == Texts{"20", "3"});
    CHECK(chosen(R"({"tags":"a"})") == Texts{"20", "b"});
    CHECK(chosen(R"({"tags":["b","c"]})") == Texts{"b", "a", "1"});
}

TEST_CASE("keys combine with AND", "[domain]") {
    CHECK(chosen(R"({"surface":["mcp","aiSdk"],"risk":"high","tags":["a"]})") == Texts{"b"});
    CHECK(chosen(R"({"surface":"mcp","sideEffect":"destructive","risk":"high","tags":["b"]})") == Texts{"1"});
    CHECK(chosen(R"({"surface":"mcp","risk":"medium"})") == Texts{});
}

TEST_CASE("an absent key does not constrain, an empty array matches nothing", "[domain]") {
    const Texts all = {"20", "b", "3", "a", "1"};
    CHECK(chosen("{}") == all);
    for (const std::string key : {"surface", "tags", "sideEffect", "risk"}) {
        CHECK(chosen("{\"" + key + "\":[]}") == Texts{});
        CHECK(chosen("{\"" + key + "\":" + fact("undefined") + "}") == all);
        CHECK(chosen("{\"" + key + R"(":"nonesuch"})") == Texts{});
        CHECK(chosen("{\"" + key + R"(":""})") == Texts{});
    }
}

TEST_CASE("a query of another shape is refused, with the place and what was found", "[domain]") {
    const auto registry = sample();
    const auto refused = [&](const std::string& query) {
        const auto subset = registry->filter(json(query).root());
        if (subset) return std::string("accepted");
        CHECK(subset.error().code == "INVALID_DEFINITION");
        return subset.error().path + ": " + subset.error().message;
    };
    CHECK(refused("null") == "query: query must be an object; found null");
    CHECK(refused("[]") == "query: query must be an object; found an array");
    CHECK(refused(kFunction) == "query: query must be an object; found a function");
    CHECK(refused(R"({"surfaces":"mcp"})") ==
          R"(query: query must have no keys but surface, tags, sideEffect, risk; found "surfaces")");
    for (const std::string key : {"surface", "tags", "sideEffect", "risk"}) {
        const std::string place = "query." + key;
        const std::string says = place + ": " + place + " must be a string or an array of strings; found ";
        CHECK(refused("{\"" + key + "\":7}") == says + "the number 7");
        CHECK(refused("{\"" + key + "\":null}") == says + "null");
        CHECK(refused("{\"" + key + "\":{}}") == says + "an object");
        CHECK(refused("{\"" + key + "\":" + fact("symbol") + "}") == says + "a symbol");
        CHECK(refused("{\"" + key + R"(":["a",true]})") == says + "in it true");
    }
    CHECK_FALSE(registry->filter({}));
}

TEST_CASE("a filter leaves its source as it was", "[domain]") {
    const auto registry = sample();
    const std::string before = registry->inspect();
    filtered(registry, R"({"surface":"mcp"})");
    CHECK_FALSE(registry->filter(json("7").root()));
    CHECK(registry->inspect() == before);
    CHECK(registry->find("b") == 1);
}

TEST_CASE("a filtered registry carries excluded on and works out unexposed anew", "[domain]") {
    const std::string excluded = R"("excluded":[{"path":"left.out","reason":"no-agent-meta"}])";
    CHECK(filtered(sample(), R"({"risk":["critical","low"]})")->inspect() ==
          R"({"capabilities":["20","3"],)" + excluded + R"(,"unexposed":["3"]})");
    CHECK(filtered(sample(), R"({"surface":"mcp"})")->inspect() ==
          R"({"capabilities":["20","1"],)" + excluded + R"(,"unexposed":[]})");
    CHECK(filtered(sample(), R"({"tags":[]})")->inspect() ==
          R"({"capabilities":[],)" + excluded + R"(,"unexposed":[]})");
}

TEST_CASE("filters of filters narrow further, and origins lead back one filter at a time", "[domain]") {
    const auto registry = sample();
    const auto first = filtered(registry, R"({"sideEffect":["write","external","destructive"]})");
    CHECK(first->origins() == std::vector<std::uint32_t>{1, 3, 4});
    const auto second = filtered(first, R"({"risk":"high"})");
    CHECK(ids(*second) == Texts{"b", "1"});
    CHECK(second->origins() == std::vector<std::uint32_t>{0, 2});
    const auto third = second->keep({1});
    CHECK(ids(*third) == Texts{"1"});
    CHECK(third->origins() == std::vector<std::uint32_t>{1});
    CHECK(third->excluded() == registry->excluded());
    CHECK(&third->at(0) == &registry->at(4));
    CHECK(third->find("1") == 0);
    CHECK(third->find("b") == -1);
}

TEST_CASE("a predicate's positions are kept in the registry's order, once each, out of range ignored", "[domain]") {
    const auto subset = sample()->keep({4, 0, 4, 5, 99, 4294967295u});
    CHECK(ids(*subset) == Texts{"20", "1"});
    CHECK(subset->origins() == std::vector<std::uint32_t>{0, 4});
    CHECK(sample()->keep({})->size() == 0);
}

TEST_CASE("a filtered registry outlives the one that it came from", "[domain]") {
    auto registry = sample();
    const auto subset = registry->keep({1});
    registry.reset();
    CHECK(subset->at(0).id == "b");
    CHECK(subset->at(0).tags == Texts{"b", "a"});
}

}  // namespace
