#include "host_protocol/limits.h"

#include "reading.h"

using namespace host_protocol;

namespace {

Result<Limits> limits_of(std::string_view text) {
    const JsonDocument document = reading::document(text);
    return read_limits(document.root());
}

/// The error that `text` gives; its code is checked here.
Error refusal(std::string_view text) {
    INFO("text: " << text);
    const Result<Limits> read = limits_of(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == "INVALID_DEFINITION");
    return read.error();
}

}  // namespace

TEST_CASE("Without overrides the limits are the specification's", "[limits]") {
    const Result<Limits> read = read_limits({});
    REQUIRE(read);
    CHECK(read->policy_timeout_ms == 5000);
    CHECK(read->max_component_description == 500);
    CHECK(read->max_capability_description == 300);
    CHECK(read->max_meta_bytes == 2048);
    CHECK(read->max_input_bytes == 65536);
    CHECK(read->max_input_depth == 32);
    CHECK(read->max_pattern_input == 1024);
    CHECK(read->max_output_bytes == 32768);
    CHECK(read->max_schema_bytes == 16384);
    CHECK(read->max_schema_depth == 8);
    CHECK(read->observation_timeout_ms == 5000);
    CHECK(read->action_timeout_ms == 10000);
    CHECK(read->procedure_timeout_ms == 30000);
    CHECK(read->action_queue_depth == 2);
    CHECK(read->max_concurrent_observations_per_consumer == 8);
    CHECK(read->max_concurrent_observations_total == 32);
    CHECK(read->max_queued_observations_per_consumer == 8);
    CHECK(read->dedupe_cache_size == 200);
    CHECK(read->dedupe_cache_ttl_ms == 600000);
    CHECK(read->tombstone_size == 100);
    CHECK(read->tombstone_ttl_ms == 300000);
    CHECK(read->confirmation_ttl_ms == 120000);
    CHECK(read->max_pending_confirmations == 32);
    CHECK_FALSE(read->allow_unsafe_patterns);
    CHECK(kLimitRows.size() == 23);
}

TEST_CASE("An override replaces one limit and leaves the others", "[limits]") {
    const Result<Limits> read = limits_of(R"({"maxInputBytes":1,"tombstoneTtlMs":2e3,"allowUnsafePatterns":true})");
    REQUIRE(read);
    CHECK(read->max_input_bytes == 1);
    CHECK(read->tombstone_ttl_ms == 2000);
    CHECK(read->allow_unsafe_patterns);
    CHECK(read->max_output_bytes == 32768);
}

TEST_CASE("Every limit takes its minimum and refuses what lies below", "[limits]") {
    for (const LimitRow& row : kLimitRows) {
        const std::string name(row.name);
        const Result<Limits> least = limits_of("{\"" + name + "\":" + std::to_string(row.minimum) + "}");
        REQUIRE(least);
        CHECK((*least).*row.member == row.minimum);
        const Error error = refusal("{\"" + name + "\":" + (row.minimum == 0 ? "-1" : "0") + "}");
        CHECK(error.path == "limits." + name);
        CHECK(error.message.find(name) != std::string::npos);
    }
}

TEST_CASE("Only the two queue depths may be zero", "[limits]") {
    std::string zero;
    for (const LimitRow& row : kLimitRows) {
        if (row.minimum == 0) zero.append(row.name).append(" ");
    }
    CHECK(zero == "actionQueueDepth maxQueuedObservationsPerConsumer ");
}

TEST_CASE("A value that is no integer is refused by its kind", "[limits]") {
    CHECK(refusal(R"({"maxInputBytes":1.5})").message ==
          "The limit 'maxInputBytes' is the number 1.5; allowed is a finite integer of at least 1.");
    CHECK(refusal(R"({"actionQueueDepth":"2"})").message ==
          "The limit 'actionQueueDepth' is a string; allowed is a finite integer of at least 0.");
    CHECK(refusal(R"({"allowUnsafePatterns":1})").message ==
          "The limit 'allowUnsafePatterns' is the number 1; allowed is true or false.");
    for (const char* value : {"null", "true", "[]", "{}", "-1", "0.999"})
        CHECK(refusal(std::string("{\"maxInputDepth\":") + value + "}").path == "limits.maxInputDepth");
}

TEST_CASE("A name that is no limit is refused and the known ones are named", "[limits]") {
    const Error error = refusal(R"({"maxInputByte":5})");
    CHECK(error.path == "limits.maxInputByte");
    CHECK(error.message.find("maxInputBytes") != std::string::npos);
    for (const char* name : {"__proto__", "constructor", "toString", "", "MAXINPUTBYTES", "max_input_bytes"})
        refusal(std::string("{\"") + name + "\":5}");
    for (const char* text : {"null", "[]", "5", "\"x\"", "true"}) CHECK(refusal(text).path == "limits");
}

TEST_CASE("A limit above what 32 bits hold counts as the largest", "[limits]") {
    const Result<Limits> read = limits_of(R"({"dedupeCacheTtlMs":9007199254740991,"maxInputBytes":1e300})");
    REQUIRE(read);
    CHECK(read->dedupe_cache_ttl_ms == 4294967295u);
    CHECK(read->max_input_bytes == 4294967295u);
}
