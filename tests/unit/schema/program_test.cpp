// What the schema program answers, and how its issues read.
#include <catch2/catch.hpp>

#include "schema/schema_support.h"

using namespace viewcap_test;
using Catch::Contains;

TEST_CASE("an issue names place, keyword and what is allowed, never the rejected value", "[schema][program]") {
    CHECK(verdict(R"({"properties":{"a":{"type":["string","null"]}}})", R"({"a":42})") ==
          "/a: must be string or null (type)");
    CHECK(verdict(R"({"items":{"minimum":3}})", "[5,1]") == "/1: must be at least 3 (minimum)");
    CHECK(verdict(R"({"required":["name"]})", "{}") == ": must have the member \"name\" (required)");
    CHECK(verdict(R"({"enum":["open","paid"]})", "\"secret\"") == ": must be one of \"open\", \"paid\" (enum)");
    CHECK(verdict(R"({"properties":{"a":{}},"additionalProperties":false})", R"({"b/c":1})") ==
          "/b~1c: is not allowed here; declared are a (additionalProperties)");
    for (const char* schema : {R"({"type":"null"})", R"({"const":1})", R"({"pattern":"^a$"})", R"({"format":"date"})",
                               R"({"maxLength":2})", R"({"anyOf":[{"type":"null"}]})"})
        CHECK_THAT(verdict(schema, "\"s3cret\""), !Contains("s3cret") && Contains("must"));
}

TEST_CASE("additionalProperties false refuses the names of Object.prototype like any other", "[schema][program]") {
    for (const char* key : {"constructor", "toString", "__proto__", "hasOwnProperty", ""}) {
        const std::string instance = std::string("{\"") + key + "\":1}";
        CHECK_FALSE(accepts(R"({"properties":{"a":{}},"additionalProperties":false})", instance));
        CHECK(accepts(R"({"properties":{"a":{}}})", instance));
    }
    CHECK(verdict(R"({"required":["toString"]})", "{}") == ": must have the member \"toString\" (required)");
}

TEST_CASE("lengths are counted in code points and go on past NUL", "[schema][program]") {
    CHECK(accepts(R"({"maxLength":2})", "\"\\uD83D\\uDCA9\\uD83D\\uDCA9\""));
    CHECK_FALSE(accepts(R"({"minLength":2})", "\"\\uD83D\\uDCA9\""));
    CHECK_FALSE(accepts(R"({"maxLength":2})", "\"a\\u0000bc\""));
    CHECK_FALSE(accepts(R"({"const":"a"})", "\"a\\u0000\""));
    CHECK_FALSE(accepts(R"({"pattern":"^a$"})", "\"a\\u0000\""));
}

TEST_CASE("numbers are doubles: 1.0 is an integer, -0 is 0", "[schema][program]") {
    CHECK(accepts(R"({"type":"integer"})", "1.0"));
    CHECK(accepts(R"({"type":"integer"})", "1e300"));
    CHECK_FALSE(accepts(R"({"type":"integer"})", "1.5"));
    CHECK(accepts(R"({"const":0})", "-0"));
    CHECK_FALSE(accepts(R"({"uniqueItems":true})", "[0,-0.0]"));
    CHECK_FALSE(accepts(R"({"maximum":5})", "18446744073709551615"));
}

TEST_CASE("multipleOf is exact for decimals and for the largest numbers", "[schema][program]") {
    const char* yes[][2] = {{"0.01", "0.07"},        {"0.01", "4.35"}, {"0.0001", "0.0075"}, {"1.5", "4.5"},
                            {"1e-8", "12391239123"}, {"0.5", "1e308"}, {"2", "-4"},          {"3", "0"},
                            {"0.1", "1.1"}};
    for (const auto& [divisor, value] : yes) CHECK(accepts(std::string("{\"multipleOf\":") + divisor + "}", value));
    const char* no[][2] = {
        {"2", "2.5"}, {"0.0001", "0.00751"}, {"0.123456789", "1e308"}, {"10", "0.5"}, {"0.01", "0.075"}};
    for (const auto& [divisor, value] : no)
        CHECK_FALSE(accepts(std::string("{\"multipleOf\":") + divisor + "}", value));
}

TEST_CASE("equality is deep, whatever the order of keys", "[schema][program]") {
    CHECK(accepts(R"({"enum":[{"a":1,"b":[2,{"c":3}]}]})", R"({"b":[2.0,{"c":3}],"a":1})"));
    CHECK_FALSE(accepts(R"({"uniqueItems":true})", R"([{"a":1,"b":2},{"b":2,"a":1}])"));
    CHECK(accepts(R"({"uniqueItems":true})", R"([1,true,"1",[1],{"a":1},null,0,false])"));
    CHECK_FALSE(accepts(R"({"const":1,"enum":[2,3]})", "1"));
    CHECK(accepts(R"({"enum":[2,1],"const":1})", "1"));
}

TEST_CASE("uniqueItems over a long array is not quadratic", "[schema][program]") {
    std::string array = "[";
    for (int i = 0; i < 60000; ++i) array += std::to_string(i) + ",";
    CHECK(accepts(R"({"uniqueItems":true})", array + "-1]"));
    CHECK_FALSE(accepts(R"({"uniqueItems":true})", array + "7]"));
}

TEST_CASE("a result holds at most 20 issues", "[schema][program]") {
    std::string array = "[0";
    for (int i = 0; i < 99; ++i) array += ",0";
    CHECK(issues(R"({"items":{"type":"string"}})", array + "]").size() == 20);
}

TEST_CASE("a string longer than the bound fails its pattern without running it", "[schema][program]") {
    const std::string long_text = "\"" + std::string(1025, 'a') + "\"";
    CHECK_THAT(verdict(R"({"pattern":"a"})", long_text), Contains("1024") && Contains("pattern"));
    CHECK(accepts(R"({"pattern":"a"})", "\"" + std::string(1024, 'a') + "\""));
    SchemaOptions no_engine = portable();
    no_engine.match = nullptr;
    CHECK_FALSE(accepts(R"({"pattern":"a"})", "\"a\"", no_engine));
}

TEST_CASE("properties are found in any order, few or many", "[schema][program]") {
    for (int count : {3, 8, 9, 200}) {
        std::string schema = "{\"additionalProperties\":false,\"required\":[\"p0\"],\"properties\":{", forward,
                    backward;
        for (int i = 0; i < count; ++i) {
            const std::string name = "\"p" + std::to_string(i) + "\":";
            schema += (i ? "," : "") + name + "{\"const\":" + std::to_string(i) + "}";
            forward += (i ? "," : "") + name + std::to_string(i);
            backward = name + std::to_string(i) + (i ? "," : "") + backward;
        }
        schema += "}}";
        CHECK(verdict(schema, "{" + forward + "}") == "valid");
        CHECK(verdict(schema, "{" + backward + "}") == "valid");
        CHECK_FALSE(accepts(schema, "{" + forward + ",\"q\":1}"));
        CHECK_FALSE(accepts(schema, R"({"p1":1})"));
    }
}

TEST_CASE("a recursive schema follows the value, and overlapping branches end in an answer", "[schema][program]") {
    CHECK(
        accepts(R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"array","items":{"$ref":"#/$defs/n"}}}})", "[[[],[[]]]]"));
    const std::string doubling =
        R"({"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"items":{"$ref":"#/$defs/n"},"minItems":1,"maxItems":0},
            {"items":{"$ref":"#/$defs/n"},"minItems":2}]}}})";
    std::string deep = "1";
    for (int i = 0; i < 120; ++i) deep = "[" + deep + "]";
    CHECK_FALSE(accepts(doubling, deep));
}

TEST_CASE("formats are really checked", "[schema][program]") {
    CHECK_FALSE(accepts(R"({"format":"date"})", "\"2026-02-30\""));
    CHECK(accepts(R"({"format":"date"})", "\"2024-02-29\""));
    CHECK(accepts(R"({"format":"date-time"})", "\"1998-12-31T23:59:60Z\""));
    CHECK_FALSE(accepts(R"({"format":"date-time"})", "\"1998-12-31T23:58:60Z\""));
    CHECK(accepts(R"({"format":"email"})", "\"joe@[IPv6:::1]\""));
    CHECK_FALSE(accepts(R"({"format":"email"})", "\"joe@[127.0.0.300]\""));
    CHECK(accepts(R"({"format":"uri"})", "\"ldap://[2001:db8::7]/c=GB?objectClass?one\""));
    CHECK(accepts(R"({"format":"uuid"})", "7"));
}
