// Problems 1 to 27 of a capability's own metadata (spec: domain.md §2.3), each with what was found and what is allowed.
#include "walk_text.h"

namespace {

using namespace domain_test;

/// meta.agent without one of its required fields, or with another value for it.
std::string with(const std::string& field, const std::string& value) {
    std::string out = "{";
    const std::pair<const char*, const char*> fields[] = {
        {"description", R"("d")"}, {"expose", "{}"}, {"sideEffect", R"("read")"}, {"risk", R"("low")"}};
    for (const auto& [name, valid] : fields) {
        const std::string text = name == field ? value : valid;
        if (text.empty()) continue;
        out += (out.size() > 1 ? ",\"" : "\"") + std::string(name) + "\":" + text;
    }
    return out + "}";
}
std::string more(const std::string& members) { return meta("," + members); }

TEST_CASE("metadata that are no object are one problem and are looked at no further", "[domain]") {
    CHECK(meta_problems("null") == Texts{"meta.agent must be an object; found null"});
    CHECK(meta_problems("[]") == Texts{"meta.agent must be an object; found an array"});
    CHECK(meta_problems(R"("on")") == Texts{R"(meta.agent must be an object; found the string "on")"});
    CHECK(meta_problems(kFunction) == Texts{"meta.agent must be an object; found a function"});
    CHECK(meta_problems(fact("unreadable")) ==
          Texts{"meta.agent must be an object; found a value that threw when it was read"});
}

TEST_CASE("each required field that is left out is a problem that names capability and field", "[domain]") {
    CHECK(problems({procedure("a.b", with("description", ""))}) ==
          Texts{R"("a.b": description must be a string that is not blank; found nothing)"});
    CHECK(problems({procedure("a.b", with("expose", ""))}) ==
          Texts{R"("a.b": expose must be an object of surfaces, each true or false; found nothing)"});
    CHECK(problems({procedure("a.b", with("sideEffect", ""))}) ==
          Texts{R"("a.b": sideEffect must be one of none, read, write, destructive, external; found nothing)"});
    CHECK(problems({procedure("a.b", with("risk", ""))}) ==
          Texts{R"("a.b": risk must be one of low, medium, high, critical; found nothing)"});
}

TEST_CASE("a description that trims to nothing is blank, whatever the blanks", "[domain]") {
    for (const char* blank :
         {"", " ", R"(\t\n\r\u000b\f )", R"(\u00a0\ufeff\u2028\u2029\u3000\u1680\u205f\u202f\u200a)"})
        CHECK(meta_problems(with("description", "\"" + std::string(blank) + "\"")).size() == 1);
    for (const char* text : {"a", R"(\u00a0a)", R"(\u200b)", R"(\u0000)", R"(\u180e)"})
        CHECK(meta_problems(with("description", "\"" + std::string(text) + "\"")) == Texts{});
}

TEST_CASE("every unknown surface and every value that is not boolean is a problem of its own", "[domain]") {
    CHECK(meta_problems(with("expose", R"({"web":true,"aiSdk":"yes","mcp":1,"test":null,"AISDK":true,"$$is":true})")) ==
          Texts{R"(expose must hold known surfaces only (direct, aiSdk, mcp, workflow, test); found the key "web")",
                R"(expose.aiSdk must be true or false; found the string "yes")",
                "expose.mcp must be true or false; found the number 1", "expose.test must be true or false; found null",
                R"(expose must hold known surfaces only (direct, aiSdk, mcp, workflow, test); found the key "AISDK")",
                R"(expose must hold known surfaces only (direct, aiSdk, mcp, workflow, test); found the key "$is")"});
    CHECK(meta_problems(with("expose", "[]")).size() == 1);
    CHECK(meta_problems(with("expose", "null")).size() == 1);
    CHECK(meta_problems(with("expose", "{}")) == Texts{});
}

TEST_CASE("words of the vocabulary are matched exactly", "[domain]") {
    for (const char* word : {"\"Read\"", "\"\"", "\"read \"", "[\"read\"]", "1"})
        CHECK(meta_problems(with("sideEffect", word)).size() == 1);
    for (const char* word : {"\"LOW\"", "\"none\"", "0"}) CHECK(meta_problems(with("risk", word)).size() == 1);
    CHECK(meta_problems(with("risk", "\"none\"")) ==
          Texts{R"(risk must be one of low, medium, high, critical; found the string "none")"});
}

TEST_CASE("tags, time limit and idempotence are problems when they are of another type", "[domain]") {
    CHECK(meta_problems(more(R"("tags":"a")")) == Texts{R"(tags must be an array of strings; found the string "a")"});
    CHECK(meta_problems(more(R"("tags":["a",2,3])")) ==
          Texts{"tags must be an array of strings; found in it the number 2"});
    CHECK(meta_problems(more(R"("tags":["a",)" + fact("undefined") + "]")) ==
          Texts{"tags must be an array of strings; found in it undefined"});
    CHECK(meta_problems(more(R"("timeoutMs":0)")) ==
          Texts{"timeoutMs must be a finite number above 0; found the number 0"});
    CHECK(meta_problems(more(R"("timeoutMs":)" + fact("Infinity"))) ==
          Texts{"timeoutMs must be a finite number above 0; found Infinity"});
    CHECK(meta_problems(more(R"("idempotent":1)")) == Texts{"idempotent must be true or false; found the number 1"});
}

TEST_CASE("retry is an object with a whole number of attempts", "[domain]") {
    CHECK(meta_problems(more(R"("retry":3)")) == Texts{"retry must be an object; found the number 3"});
    CHECK(meta_problems(more(R"("retry":{})")) ==
          Texts{"retry.maxAttempts must be a whole number of at least 0; found nothing"});
    CHECK(meta_problems(more(R"("retry":{"maxAttempts":1.5,"backoffMs":-1,"retryOn":true})")) ==
          Texts{"retry.maxAttempts must be a whole number of at least 0; found the number 1.5",
                "retry.backoffMs must be a finite number above 0; found the number -1",
                "retry.retryOn must be a function; found true"});
    CHECK(meta_problems(more(R"("retry":{"maxAttempts":-1})")).size() == 1);
}

TEST_CASE("approval and redact are objects whose fields are checked one by one", "[domain]") {
    CHECK(meta_problems(more(R"("approval":true)")) == Texts{"approval must be an object; found true"});
    CHECK(meta_problems(more(R"("approval":{"required":"yes","type":7,"expiresInMs":-5})")) ==
          Texts{R"(approval.required must be true or false; found the string "yes")",
                "approval.type must be a string; found the number 7",
                "approval.expiresInMs must be a finite number above 0; found the number -5"});
    CHECK(meta_problems(more(R"("redact":)" + kFunction)) == Texts{"redact must be an object; found a function"});
    CHECK(meta_problems(more(R"("redact":{"output":{},"approvalInput":null})")) ==
          Texts{"redact.output must be a function; found an object",
                "redact.approvalInput must be a function; found null"});
}

TEST_CASE("policies are an array, and every ill-formed one is a problem", "[domain]") {
    CHECK(meta_problems(more(R"("policies":{})")) == Texts{"policies must be an array of policies; found an object"});
    const std::string valid = R"({"name":"p","evaluate":)" + kFunction + "}";
    const std::string unknown_phase = R"({"name":"p","evaluate":)" + kFunction + R"(,"phases":["discovery","later"]})";
    CHECK(meta_problems(more(R"("policies":[)" + valid + "," + kFunction + R"(,{"evaluate":1},{"name":"p"},)" +
                             unknown_phase + "]")) ==
          Texts{"policies[1] must be a policy, which is an object; found a function",
                "policies[2].name must be a string; found nothing",
                "policies[3].evaluate must be a function; found nothing",
                "policies[4].phases must be an array of phases (discovery, invocation, execution); found in it the "
                R"(string "later")"});
}

TEST_CASE("after a composite the position of a policy is that of the expanded list", "[domain]") {
    const std::string member = R"({"name":"m","evaluate":)" + kFunction + R"(,"composite":true})";
    CHECK(meta_problems(more(R"("policies":[1,)" + member + ",2]")) ==
          Texts{"policies[0] must be a policy, which is an object; found the number 1",
                "expanded policies[2] must be a policy, which is an object; found the number 2"});
}

TEST_CASE("adapters, each section, its tool name and annotations are checked", "[domain]") {
    CHECK(meta_problems(more(R"("adapters":[])")) == Texts{"adapters must be an object; found an array"});
    CHECK(meta_problems(more(R"("adapters":{"aiSdk":"a","mcp":null})")) ==
          Texts{R"(adapters.aiSdk must be an object; found the string "a")",
                "adapters.mcp must be an object; found null"});
    CHECK(meta_problems(more(R"("adapters":{"aiSdk":{"toolName":""},"mcp":{"toolName":1,"annotations":[]}})")) ==
          Texts{R"(adapters.aiSdk.toolName must be a non-empty string; found the string "")",
                "adapters.mcp.toolName must be a non-empty string; found the number 1",
                "adapters.mcp.annotations must be an object; found an array"});
}

TEST_CASE("unknown extra keys are ignored everywhere but in expose", "[domain]") {
    CHECK(meta_problems(more(R"("extra":1,"retry":{"maxAttempts":1,"x":0},"approval":{"x":0},"redact":{"x":0},)"
                             R"("adapters":{"x":0,"aiSdk":{"x":0},"mcp":{"x":0}},"$$is":"function")")) == Texts{});
}

TEST_CASE("several faults of one capability are all reported, in the order of the fields", "[domain]") {
    const Texts found = meta_problems(
        R"({"policies":1,"risk":1,"tags":1,"expose":1,"retry":1,"description":1,"redact":1,"sideEffect":1,)"
        R"("adapters":1,"timeoutMs":"","approval":1,"idempotent":0})");
    Texts fields;
    for (const std::string& problem : found) fields.push_back(problem.substr(0, problem.find(' ')));
    CHECK(fields == Texts{"description", "expose", "sideEffect", "risk", "tags", "timeoutMs", "idempotent", "retry",
                          "approval", "redact", "policies", "adapters"});
}

}  // namespace
