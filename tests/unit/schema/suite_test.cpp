// The official suite: what is inside a profile gets the suite's answer, what is outside is refused when it is made.
#include <catch2/catch.hpp>

#include "schema/schema_support.h"
#include "schema/suite_runner.h"

using namespace viewcap_test;

namespace {

constexpr const char* kPortable[] = {"additionalProperties",
                                     "anyOf",
                                     "const",
                                     "default",
                                     "defs",
                                     "ecmascript-regex",
                                     "enum",
                                     "exclusiveMaximum",
                                     "exclusiveMinimum",
                                     "items",
                                     "maxItems",
                                     "maxLength",
                                     "maximum",
                                     "minItems",
                                     "minLength",
                                     "minimum",
                                     "multipleOf",
                                     "pattern",
                                     "properties",
                                     "ref",
                                     "required",
                                     "type",
                                     "uniqueItems"};

constexpr const char* kFull[] = {"additionalProperties",
                                 "allOf",
                                 "anyOf",
                                 "boolean_schema",
                                 "const",
                                 "contains",
                                 "default",
                                 "definitions",
                                 "dependencies",
                                 "enum",
                                 "exclusiveMaximum",
                                 "exclusiveMinimum",
                                 "if-then-else",
                                 "infinite-loop-detection",
                                 "items",
                                 "maxItems",
                                 "maxLength",
                                 "maximum",
                                 "minItems",
                                 "minLength",
                                 "minimum",
                                 "multipleOf",
                                 "not",
                                 "oneOf",
                                 "pattern",
                                 "patternProperties",
                                 "properties",
                                 "propertyNames",
                                 "ref",
                                 "required",
                                 "type",
                                 "uniqueItems"};

constexpr const char* kFormats[] = {"date-time", "date", "time", "uuid", "email", "uri"};

/// Runs the files, and says which cases do not get the suite's answer: none may.
template <std::size_t N>
SuiteTally run_all(const std::string& under, const char* const (&names)[N], const SchemaOptions& options) {
    SuiteTally tally;
    for (const char* name : names) {
        INFO(under << name);
        CHECK(run_suite_file(suite_folder(), under + name + ".json", options, tally));
    }
    for (const std::string& one : tally.disagreed) UNSCOPED_INFO("not the suite's answer: " << one);
    CHECK(tally.disagreed.empty());
    return tally;
}

bool present() {
    if (!suite_folder().empty()) return true;
    WARN("JSON-Schema-Test-Suite not run: set VIEWCAP_JSON_SCHEMA_SUITE to its folder");
    return false;
}

}  // namespace

TEST_CASE("the portable profile answers as the official suite of draft 2020-12", "[schema][suite]") {
    if (!present()) return;
    const SuiteTally tally = run_all("draft2020-12/", kPortable, portable());
    CHECK(tally.evaluated >= 440);
    CHECK(tally.refused <= 55);
}

TEST_CASE("every format of the profile answers as the official suite", "[schema][suite]") {
    if (!present()) return;
    const SuiteTally tally = run_all("draft7/optional/format/", kFormats, portable());
    CHECK(tally.evaluated == 255);
    CHECK(tally.refused == 0);
}

TEST_CASE("the full profile answers as the official suite of draft 7", "[schema][suite]") {
    if (!host_protocol::full_profile_available() || !present()) return;
    const SuiteTally tally = run_all("draft7/", kFull, full());
    CHECK(tally.evaluated >= 720);
    CHECK(tally.refused <= 18);
}
