// What a scope selects, and what is no scope.
#include "domain/discovery.h"
#include "walk_text.h"

namespace {

using namespace domain_test;

domain::Capability tagged(const std::string& id, const Texts& tags) {
    domain::Capability capability;
    capability.id = id;
    capability.tags = tags;
    return capability;
}

/// Ids of the sample that are in scope, with blanks after them; the place of the refusal where it is none.
std::string selected(const std::string& facts) {
    const auto scope = domain::read_scope(json(facts).root());
    if (!scope) {
        CHECK(scope.error().code == "INVALID_DEFINITION");
        return "refused at " + scope.error().path;
    }
    std::string out;
    for (const auto& capability : {tagged("a.x", {"red", "blue"}), tagged("a.y", {"blue"}), tagged("a", {}),
                                   tagged("b", {"a.x"}), tagged("c", {""})})
        if (domain::is_in_scope(capability, *scope)) out += capability.id + " ";
    return out;
}

TEST_CASE("no scope and a scope without keys narrow nothing", "[domain]") {
    CHECK(selected("{}") == "a.x a.y a b c ");
    CHECK(selected(R"({"other":[7],"$$is":"function"})") == "a.x a.y a b c ");
    const auto absent = domain::read_scope({});
    REQUIRE(absent);
    CHECK(domain::is_in_scope(tagged("a", {}), *absent));
}

TEST_CASE("ids select exactly and tags select any of them; what has no tag matches none", "[domain]") {
    CHECK(selected(R"({"ids":["a"]})") == "a ");
    CHECK(selected(R"({"ids":["a.x","c","a.x","nope","A.y"]})") == "a.x c ");
    CHECK(selected(R"({"tags":["red"]})") == "a.x ");
    CHECK(selected(R"({"tags":["blue","nope"]})") == "a.x a.y ");
    CHECK(selected(R"({"tags":["Blue","re"]})").empty());
    CHECK(selected(R"({"tags":[""]})") == "c ");
    // An id is no tag and a tag no id.
    CHECK(selected(R"({"tags":["a.x"]})") == "b ");
    CHECK(selected(R"({"ids":["red"]})").empty());
}

TEST_CASE("both keys are a union, and a key that is an empty array selects nothing of its own", "[domain]") {
    CHECK(selected(R"({"ids":["a"],"tags":["red"]})") == "a.x a ");
    CHECK(selected(R"({"tags":["blue"],"ids":["a.y"]})") == "a.x a.y ");
    CHECK(selected(R"({"tags":[]})").empty());
    CHECK(selected(R"({"ids":[]})").empty());
    CHECK(selected(R"({"tags":[],"ids":[]})").empty());
    CHECK(selected(R"({"tags":[],"ids":["a"]})") == "a ");
    CHECK(selected(R"({"ids":[],"tags":["red"]})") == "a.x ");
}

TEST_CASE("a scope that is no object, or whose keys are no arrays of strings, is refused with its place", "[domain]") {
    for (const char* none : {"null", "true", "7", R"("a")", "[]", R"(["a"])", R"({"$is":"function"})"})
        CHECK(selected(none) == "refused at scope");
    for (const std::string key : {"tags", "ids"}) {
        for (const std::string odd : {"null", "true", "7", R"("a")", "{}", R"({"0":"a"})", R"({"$is":"function"})"})
            CHECK(selected("{\"" + key + "\":" + odd + "}") == "refused at scope." + key);
        for (const std::string odd : {"null", "true", "7", "[]", R"(["a"])", "{}", R"({"$is":"undefined"})"}) {
            CHECK(selected("{\"" + key + "\":[" + odd + "]}") == "refused at scope." + key + ".0");
            CHECK(selected("{\"" + key + "\":[\"a\",\"b\"," + odd + "]}") == "refused at scope." + key + ".2");
        }
    }
    CHECK(domain::read_scope(json(R"({"ids":[7]})").root()).error().message ==
          "scope.ids.0 is the number 7; a string is allowed");
}

}  // namespace
