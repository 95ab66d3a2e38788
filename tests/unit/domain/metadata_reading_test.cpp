// Valid metadata: what is filled in, SI-11 in all its combinations, and the words for what was found.
#include "domain/value_facts.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::Phase;
using domain::Surface;

TEST_CASE("metadata with the required fields alone have the defaults of the specification", "[domain]") {
    const auto registry = built({procedure("group.x", meta())});
    const domain::Capability& capability = registry->at(0);
    CHECK(capability.path == Texts{"group", "x"});
    CHECK(capability.description == "What it does.");
    CHECK(capability.tags.empty());
    CHECK(capability.policies.empty());
    CHECK_FALSE(capability.idempotent);
    CHECK(capability.exposed == 0);
    CHECK(capability.max_retries == 0);
    CHECK(capability.backoff_ms == 250);
    CHECK_FALSE(capability.timeout_ms);
    CHECK_FALSE(capability.approval_required);
    CHECK_FALSE(capability.approval_type);
    CHECK_FALSE(capability.approval_expires_in_ms);
    CHECK_FALSE(capability.redacts_output);
    CHECK_FALSE(capability.asks_before_retry);
    CHECK(capability.tool_names[0] == "group_x");
    CHECK(capability.tool_names[1] == "group_x");
}

TEST_CASE("every field of the metadata is kept as it was given", "[domain]") {
    const auto registry = built({procedure(
        "x",
        R"({"description":" d ","expose":{"direct":true,"aiSdk":false,"mcp":true,"test":true},"sideEffect":"external",)"
        R"("risk":"critical","tags":["b","a","b"],"timeoutMs":0.5,"idempotent":true,"retry":{"maxAttempts":3,)"
        R"("backoffMs":10,"retryOn":)" +
            kFunction +
            R"(},"approval":{"required":true,"type":"","expiresInMs":9},)"
            R"("redact":{"output":)" +
            kFunction + R"(,"approvalInput":)" + kFunction +
            R"(},"policies":[{"name":"p",)"
            R"("evaluate":)" +
            kFunction + R"(},{"name":"q","evaluate":)" + kFunction +
            R"(,"phases":["execution","discovery"]},{"name":"","evaluate":)" + kFunction +
            R"(,"phases":[]}],)"
            R"("adapters":{"aiSdk":{"toolName":"one"},"mcp":{"toolName":"two","annotations":{"a":1}}}})",
        "schema", "schema")});
    const domain::Capability& capability = registry->at(0);
    CHECK(capability.description == " d ");
    CHECK(capability.exposed == (bit(Surface::direct) | bit(Surface::mcp) | bit(Surface::test)));
    CHECK_FALSE(capability.is_exposed_on(Surface::ai_sdk));
    CHECK(capability.side_effect_name() == "external");
    CHECK(capability.risk_name() == "critical");
    CHECK(capability.tags == Texts{"b", "a", "b"});
    CHECK(capability.timeout_ms == 0.5);
    CHECK(capability.idempotent);
    CHECK(capability.max_retries == 3);
    CHECK(capability.backoff_ms == 10);
    CHECK(capability.asks_before_retry);
    CHECK(capability.approval_required);
    CHECK(capability.approval_type == "");
    CHECK(capability.approval_expires_in_ms == 9);
    CHECK(capability.redacts_output);
    CHECK(capability.has_input_schema);
    CHECK(capability.has_output_schema);
    CHECK(capability.tool_names[0] == "one");
    CHECK(capability.tool_names[1] == "two");
    REQUIRE(capability.policies.size() == 3);
    CHECK(capability.policies[0].phases == bit(Phase::invocation));
    CHECK(capability.policies[1].phases == (bit(Phase::discovery) | bit(Phase::execution)));
    CHECK(capability.policies[2].phases == 0);
}

TEST_CASE("an optional field that is undefined is one that is left out", "[domain]") {
    std::string members;
    for (const char* name : {"tags", "timeoutMs", "idempotent", "retry", "approval", "redact", "policies", "adapters"})
        members += ",\"" + std::string(name) + "\":" + fact("undefined");
    CHECK(meta_problems(meta(members)) == Texts{});
    CHECK(meta_problems(meta("", R"({"mcp":)" + fact("undefined") + "}")) == Texts{});
}

TEST_CASE("a redactor of the approval's input alone redacts no output", "[domain]") {
    CHECK_FALSE(built_meta(meta(R"(,"redact":{"approvalInput":)" + kFunction + "}"))->at(0).redacts_output);
}

TEST_CASE("SI-11: only a retry of write-like work without idempotence is a problem, in every combination", "[domain]") {
    for (const std::string effect : {"none", "read", "write", "destructive", "external"})
        for (const std::string attempts : {"", "0", "1", "7"})
            for (const std::string idempotent : {"", "false", "true", "\"true\""}) {
                std::string more;
                if (!attempts.empty()) more += R"(,"retry":{"maxAttempts":)" + attempts + "}";
                if (!idempotent.empty()) more += R"(,"idempotent":)" + idempotent;
                const bool retries = attempts == "1" || attempts == "7";
                const bool is_unsafe = retries && effect != "none" && effect != "read" && idempotent != "true";
                Texts expected;
                const std::string found = idempotent.empty()      ? "nothing"
                                          : idempotent == "false" ? "false"
                                                                  : R"(the string "true")";
                if (idempotent == "\"true\"") expected.push_back("idempotent must be true or false; found " + found);
                if (is_unsafe)
                    expected.push_back("SI-11: retry.maxAttempts above 0 with sideEffect \"" + effect +
                                       "\" needs idempotent to be true; found " + found);
                INFO(effect << more);
                CHECK(meta_problems(meta(more, "{}", effect)) == expected);
            }
}

TEST_CASE("SI-11 is not spoken of where side effect or attempts are unknown", "[domain]") {
    CHECK(meta_problems(meta(R"(,"retry":{"maxAttempts":2})", "{}", "wipe")).size() == 1);
    CHECK(meta_problems(meta(R"(,"retry":{"maxAttempts":0.5})", "{}", "write")) ==
          Texts{"retry.maxAttempts must be a whole number of at least 0; found the number 0.5"});
}

TEST_CASE("what was found is said in words for every kind of value", "[domain]") {
    const auto words = [](const std::string& text) { return domain::found(json(text).root()); };
    CHECK(domain::found({}) == "nothing");
    CHECK(words("null") == "null");
    CHECK(words("true") == "true");
    CHECK(words("false") == "false");
    CHECK(words("-0.5") == "the number -0.5");
    CHECK(words("1e300") == "the number 1e+300");
    CHECK(words("[]") == "an array");
    CHECK(words("{}") == "an object");
    CHECK(words(R"({"$is":1})") == "an object");
    CHECK(words(R"({"$$is":"function"})") == "an object");
    CHECK(words(kFunction) == "a function");
    CHECK(words(fact("undefined")) == "undefined");
    CHECK(words(fact("symbol")) == "a symbol");
    CHECK(words(fact("bigint")) == "a bigint");
    CHECK(words(fact("NaN")) == "NaN");
    CHECK(words(fact("Infinity")) == "Infinity");
    CHECK(words(fact("-Infinity")) == "-Infinity");
    CHECK(words(fact("unreadable")) == "a value that threw when it was read");
    CHECK(words(fact("deep")) == "a value that is nested too deeply");
    CHECK(words(fact("other")) == "a value of an unknown kind");
}

TEST_CASE("a text that was found is quoted on one line and cut at 60 UTF-16 units", "[domain]") {
    const auto words = [](const std::string& text) { return domain::found(json("\"" + text + "\"").root()); };
    CHECK(words(R"(a\n\"b\")") == R"(the string "a\n\"b\"")");
    CHECK(words(std::string(60, 'x')) == "the string \"" + std::string(60, 'x') + "\"");
    CHECK(words(std::string(61, 'x')) == "the string \"" + std::string(60, 'x') + "…\"");
    std::string smile;
    for (int count = 0; count < 31; ++count) smile += R"(\ud83d\ude00)";
    CHECK(words("x" + smile).size() == std::string("the string \"x\"").size() + 29 * 4 + std::string("…").size());
}

TEST_CASE("a surface is known by its exact name", "[domain]") {
    CHECK(domain::surface_named("direct") == Surface::direct);
    CHECK(domain::surface_named("aiSdk") == Surface::ai_sdk);
    CHECK(domain::surface_named("test") == Surface::test);
    for (const char* name : {"", "AISDK", "mcp ", "web"}) CHECK_FALSE(domain::surface_named(name));
}

}  // namespace
