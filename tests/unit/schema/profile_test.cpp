// What a schema may say, and how a refusal names keyword and place.
#include <catch2/catch.hpp>

#include "schema/schema_support.h"

using namespace viewcap_test;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("every keyword of the portable profile is accepted", "[schema][profile]") {
    CHECK(refusal(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://x.test/a","$comment":"c",
        "title":"t","description":"d","default":{"a":1},"examples":[1],"deprecated":false,"type":["object","null"],
        "properties":{"s":{"type":"string","minLength":1,"maxLength":2.0,"pattern":"^a","format":"date"},
                      "n":{"minimum":1,"maximum":2,"exclusiveMinimum":0,"exclusiveMaximum":3,"multipleOf":0.5},
                      "l":{"items":{"const":null},"minItems":0,"maxItems":3,"uniqueItems":true},
                      "r":{"$ref":"#/$defs/x","description":"beside a reference"}},
        "required":["s"],"additionalProperties":false,"enum":[{}],"anyOf":[{},{"type":"integer"}],
        "$defs":{"x":{"type":"integer"}}})") == "ok");
}

TEST_CASE("a keyword outside the profile is refused by name and place", "[schema][profile]") {
    CHECK(refusal(R"({"properties":{"a":{"minimun":1}}})") ==
          "/properties/a/minimun: the keyword \"minimun\" is outside the profile");
    CHECK_THAT(refusal(R"({"prefixItems":[{}]})"), StartsWith("/prefixItems: "));
    CHECK_THAT(refusal(R"({"items":{"unevaluatedProperties":false}})"), StartsWith("/items/unevaluatedProperties: "));
    CHECK_THAT(refusal(R"({"properties":{"a/b~c":{"nope":1}}})"), StartsWith("/properties/a~1b~0c/nope: "));
}

TEST_CASE("a keyword of the full profile is refused in the portable one and named", "[schema][profile]") {
    for (const char* keyword :
         {"oneOf", "allOf", "not", "if", "then", "else", "patternProperties", "propertyNames", "contains",
          "dependencies", "definitions", "additionalItems", "minProperties", "maxProperties"}) {
        const std::string said = refusal(std::string("{\"") + keyword + "\":{}}");
        CHECK_THAT(said, StartsWith(std::string("/") + keyword + ": "));
        CHECK_THAT(said, Contains(keyword) && Contains("full"));
    }
    CHECK_THAT(refusal(R"({"items":[{}]})"), StartsWith("/items: "));
    CHECK_THAT(refusal(R"({"additionalProperties":{}})"), StartsWith("/additionalProperties: "));
}

TEST_CASE("a boolean schema is refused in the portable profile wherever a schema stands", "[schema][profile]") {
    CHECK_THAT(refusal("true"), StartsWith(": "));
    CHECK_THAT(refusal(R"({"properties":{"a":false}})"), StartsWith("/properties/a: "));
    CHECK_THAT(refusal(R"({"anyOf":[{},true]})"), StartsWith("/anyOf/1: "));
    CHECK_THAT(refusal(R"({"$defs":{"x":true}})"), StartsWith("/$defs/x: "));
    CHECK_THAT(refusal(R"({"items":true})"), StartsWith("/items: "));
}

TEST_CASE("the value of every keyword has its type", "[schema][profile]") {
    const char* wrong[][2] = {{"type", "\"text\""},
                              {"type", "[]"},
                              {"type", "[\"null\",\"null\"]"},
                              {"type", "7"},
                              {"properties", "[]"},
                              {"required", "\"a\""},
                              {"required", "[1]"},
                              {"additionalProperties", "null"},
                              {"items", "3"},
                              {"minItems", "-1"},
                              {"maxItems", "1.5"},
                              {"uniqueItems", "1"},
                              {"minLength", "\"1\""},
                              {"maxLength", "null"},
                              {"pattern", "1"},
                              {"format", "\"ipv4\""},
                              {"format", "1"},
                              {"minimum", "\"1\""},
                              {"maximum", "null"},
                              {"exclusiveMinimum", "true"},
                              {"exclusiveMaximum", "[]"},
                              {"multipleOf", "0"},
                              {"multipleOf", "-1"},
                              {"anyOf", "[]"},
                              {"anyOf", "{}"},
                              {"anyOf", "[1]"},
                              {"$defs", "[]"},
                              {"$ref", "1"},
                              {"enum", "{}"},
                              {"title", "1"},
                              {"description", "[]"},
                              {"examples", "1"},
                              {"deprecated", "0"},
                              {"$comment", "1"},
                              {"$schema", "1"},
                              {"$id", "1"}};
    for (const auto& [keyword, value] : wrong) {
        INFO(keyword << " " << value);
        CHECK_THAT(refusal(std::string("{\"") + keyword + "\":" + value + "}"), StartsWith(std::string("/") + keyword));
    }
    CHECK_THAT(refusal(R"({"required":["a","a"]})"), StartsWith("/required/1: "));
    CHECK_THAT(refusal("[]"), StartsWith(": "));
}

TEST_CASE("a reference is local, of the form #/$defs/… and names a schema", "[schema][profile]") {
    CHECK_THAT(refusal(R"({"$ref":"https://x.test/s"})"), StartsWith("/$ref: "));
    CHECK_THAT(refusal(R"({"$ref":"#/$defs/none"})"), StartsWith("/$ref: "));
    CHECK_THAT(refusal(R"({"$ref":"#"})"), StartsWith("/$ref: "));
    CHECK_THAT(refusal(R"({"$ref":"other.json#/$defs/a"})"), StartsWith("/$ref: "));
    CHECK_THAT(refusal(R"({"properties":{"a":{"$ref":"#/$defs/x/enum"}},"$defs":{"x":{"enum":[{}]}}})"),
               StartsWith("/properties/a/$ref: "));
    CHECK(refusal(R"({"$ref":"#/$defs/a~1b~0c%25","$defs":{"a/b~c%":{}}})") == "ok");
}

TEST_CASE("a reference stands beside annotations and $defs only", "[schema][profile]") {
    CHECK_THAT(refusal(R"({"$ref":"#/$defs/x","maxItems":2,"$defs":{"x":{}}})"), StartsWith("/maxItems: "));
    CHECK_THAT(refusal(R"({"items":{"$ref":"#/$defs/x","$id":"https://x.test/"},"$defs":{"x":{}}})"),
               StartsWith("/items/$id: "));
    CHECK(refusal(R"({"$ref":"#/$defs/x","$id":"https://x.test/","title":"t","$defs":{"x":{}}})") == "ok");
}

TEST_CASE("a cycle of references that consumes no level of the instance is refused", "[schema][profile]") {
    CHECK_THAT(refusal(R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}})"), Contains("without consuming"));
    CHECK_THAT(refusal(R"({"$defs":{"a":{"anyOf":[{},{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}})"),
               Contains("without consuming"));
    CHECK(refusal(R"({"$ref":"#/$defs/n","$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}}}}})") == "ok");
}

TEST_CASE("a schema that doubles with every reference is refused instead of evaluated", "[schema][profile]") {
    std::string schema = R"({"$ref":"#/$defs/a0","$defs":{)";
    for (int i = 0; i < 40; ++i) {
        const std::string next = "{\"$ref\":\"#/$defs/a" + std::to_string(i + 1) + "\"}";
        schema += "\"a" + std::to_string(i) + "\":{\"anyOf\":[" + next + "," + next + "]},";
    }
    CHECK_THAT(refusal(schema + R"("a40":{"type":"null"}}})"), Contains("schemas"));
}

TEST_CASE("eight levels of schemas are allowed and a ninth is refused", "[schema][profile]") {
    const auto nested = [](int levels) {
        std::string schema = "{}";
        for (int i = 1; i < levels; ++i) schema = "{\"items\":" + schema + "}";
        return schema;
    };
    CHECK(refusal(nested(8)) == "ok");
    CHECK_THAT(refusal(nested(9)), Contains("more than 8 levels"));
    CHECK_THAT(refusal(nested(1000)), Contains("levels"));
    CHECK(refusal(R"({"const":[[[[[[[[[[[[[[1]]]]]]]]]]]]]]})") == "ok");
}

TEST_CASE("a schema over 16384 bytes, or that is no JSON, is refused", "[schema][profile]") {
    CHECK_THAT(refusal("{\"title\":\"" + std::string(16384, 'x') + "\"}"), Contains("16384"));
    CHECK_THAT(refusal("{"), !Contains("ok"));
    CHECK_THAT(refusal(R"({"type":"null","type":"null"})"), !StartsWith("ok"));
}

TEST_CASE("an invalid or unsafe pattern is refused at its place", "[schema][profile]") {
    CHECK_THAT(refusal(R"({"properties":{"a":{"pattern":"(a"}}})"), StartsWith("/properties/a/pattern: "));
    CHECK_THAT(refusal(R"({"pattern":"^(a+)+$"})"), StartsWith("/pattern: ") && Contains("safe"));
    SchemaOptions trusting = portable();
    trusting.allow_unsafe_patterns = true;
    CHECK(refusal(R"({"pattern":"^(a+)+$"})", trusting) == "ok");
    CHECK_THAT(refusal(R"({"pattern":"(a"})", trusting), StartsWith("/pattern: "));
    CHECK_THAT(refusal(R"({"pattern":"\\p{Nonsense}"})"), StartsWith("/pattern: "));
}
