// The official suite: what is inside a profile gets the suite's answer, what is outside is refused when it is made.
#include <algorithm>
#include <catch2/catch.hpp>

#include "schema/schema_support.h"
#include "schema/suite_runner.h"

using namespace viewcap_test;

TEST_CASE("print the suite's tally", "[.tally]") {
    SuiteTally tally;
    for (const char* file : {"additionalProperties", "anyOf", "const", "default", "defs", "ecmascript-regex", "enum", "exclusiveMaximum", "exclusiveMinimum", "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "multipleOf", "pattern", "properties", "ref", "required", "type", "uniqueItems"})
        REQUIRE(run_suite_file(suite_folder(), std::string("draft2020-12/") + file + ".json", portable(), tally));
    for (const char* file : {"date-time", "date", "time", "uuid", "email", "uri"})
        REQUIRE(run_suite_file(suite_folder(), std::string("draft7/optional/format/") + file + ".json", portable(), tally));
    for (auto& s : tally.refusals) WARN("REFUSED " << s);
    for (auto& s : tally.disagreed) WARN("WRONG " << s);
    WARN(tally.evaluated << " evaluated, " << tally.refused << " refused");
}

TEST_CASE("print the full profile's tally", "[.tally]") {
    SuiteTally tally;
    for (const char* file : {"additionalProperties","allOf","anyOf","boolean_schema","const","contains","default","definitions","dependencies","enum","exclusiveMaximum","exclusiveMinimum","if-then-else","infinite-loop-detection","items","maxItems","maxLength","maximum","minItems","minLength","minimum","multipleOf","not","oneOf","pattern","patternProperties","properties","propertyNames","ref","required","type","uniqueItems"})
        REQUIRE(run_suite_file(suite_folder(), std::string("draft7/") + file + ".json", full(), tally));
    for (auto& s : tally.refusals) WARN("REFUSED " << s);
    for (auto& s : tally.disagreed) WARN("WRONG " << s);
    WARN(tally.evaluated << " evaluated, " << tally.refused << " refused");
}
