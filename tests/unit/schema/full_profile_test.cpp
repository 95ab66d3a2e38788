// schemaProfile "full": valijson's applicators behind the fence, and what the fence makes up for.
#include <catch2/catch.hpp>

#include "schema/schema_support.h"

using namespace viewcap_test;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("a build without the full profile says so in one clear error", "[schema][full]") {
    if (host_protocol::full_profile_available()) return;
    CHECK_THAT(refusal(R"({"not":{}})", full()), Contains("schemaProfile") && Contains("full module"));
}

TEST_CASE("keywords inside applicators are ours, so valijson's faults do not show", "[schema][full]") {
    if (!host_protocol::full_profile_available()) return;
    CHECK_FALSE(accepts(R"({"allOf":[{"multipleOf":2}]})", "2.5", full()));
    CHECK(accepts(R"({"allOf":[{"multipleOf":0.01}]})", "0.07", full()));
    CHECK_FALSE(accepts(R"({"allOf":[{"maximum":5}]})", "18446744073709551615", full()));
    CHECK_FALSE(accepts(R"({"allOf":[{"maxLength":2}]})", "\"a\\u0000bc\"", full()));
    CHECK_FALSE(accepts(R"({"allOf":[{"format":"email"}]})", "\"2962\"", full()));
    CHECK(accepts(R"({"allOf":[{"format":"date"}]})", "12", full()));
    CHECK_FALSE(accepts(R"({"not":{"pattern":"^\\u{61}$"}})", "\"a\"", full()));
    CHECK_FALSE(accepts(R"({"patternProperties":{"^\\u{61}$":{"type":"null"}}})", R"({"a":1})", full()));
}

TEST_CASE("issues of the full profile have pointer and keyword too", "[schema][full]") {
    if (!host_protocol::full_profile_available()) return;
    CHECK(verdict(R"({"properties":{"a/b":{"allOf":[{"minimum":3}]}}})", R"({"a/b":1})", full()) ==
          "/a~1b: must be at least 3 (minimum)");
    CHECK_THAT(verdict(R"({"patternProperties":{"^x":{}},"additionalProperties":false})", R"({"y":1})", full()),
               StartsWith("/y: ") && Contains("additionalProperties"));
    CHECK_THAT(verdict(R"({"items":[{},{"not":{"type":"null"}}]})", "[1,null]", full()),
               StartsWith("/1: ") && Contains("not"));
    CHECK_THAT(verdict(R"({"properties":{"a":false}})", R"({"a":"s3cret"})", full()),
               !Contains("s3cret") && !Contains("ok"));
    CHECK_THAT(verdict(R"({"oneOf":[{"type":"number"},{"minimum":2}]})", "5", full()), Contains("oneOf"));
}

TEST_CASE("recursion of the full profile is bounded in schema, value and steps", "[schema][full]") {
    if (!host_protocol::full_profile_available()) return;
    CHECK_THAT(refusal(R"({"allOf":[{"$ref":"#"}]})", full()), Contains("without consuming"));
    CHECK_THAT(refusal(R"({"not":{"$ref":"#/not"}})", full()), Contains("without consuming"));
    std::string deep = "1";
    for (int i = 0; i < 150; ++i) deep = "[" + deep + "]";
    CHECK_THAT(verdict(R"({"not":{"type":"null"},"items":{"$ref":"#"}})", deep, full()), Contains("40 levels"));
    std::string doubling = "1";
    for (int i = 0; i < 38; ++i) doubling = "[" + doubling + "]";
    CHECK_THAT(verdict(R"({"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]})", doubling, full()),
               Contains("steps"));
}

TEST_CASE("a full schema with an unsafe pattern or a wrong value is refused like a portable one", "[schema][full]") {
    if (!host_protocol::full_profile_available()) return;
    CHECK_THAT(refusal(R"({"patternProperties":{"^(a+)+$":{}}})", full()), StartsWith("/patternProperties/^(a+)+$: "));
    CHECK_THAT(refusal(R"({"not":{"multipleOf":0}})", full()), StartsWith("/not/multipleOf: "));
    CHECK_THAT(refusal(R"({"dependencies":{"a":[1]}})", full()), StartsWith("/dependencies"));
    CHECK_THAT(refusal(R"({"dependentRequired":{}})", full()), StartsWith("/dependentRequired: "));
    CHECK_THAT(refusal(R"({"$ref":"#/definitions/a","minimum":1,"definitions":{"a":{}}})", full()),
               StartsWith("/minimum: "));
}
