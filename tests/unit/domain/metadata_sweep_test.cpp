// Every kind of value in every field of the metadata, one at a time and many at once, against a table that says for
// each field what it takes and what it says to anything else.
#include <random>

#include "walk_text.h"

namespace {

using namespace domain_test;

enum Kind : unsigned {
    null_ = 1,
    flag = 2,
    negative = 4,
    zero = 8,
    fraction = 16,
    whole = 32,
    empty_text = 64,
    blank = 128,
    text = 256,
    empty_list = 512,
    list = 1024,
    record = 2048,
    function = 4096,
    undefined = 8192,
    other = 16384
};

struct Garbage {
    unsigned kind;
    std::string json, words;
};

std::vector<Garbage> garbage() {
    std::vector<Garbage> all = {{null_, "null", "null"},
                                {flag, "true", "true"},
                                {flag, "false", "false"},
                                {negative, "-1", "the number -1"},
                                {zero, "0", "the number 0"},
                                {zero, "-0", "the number 0"},
                                {fraction, "5e-324", "the number 5e-324"},
                                {fraction, "0.5", "the number 0.5"},
                                {whole, "1", "the number 1"},
                                {whole, "1e308", "the number 1e+308"},
                                {empty_text, R"("")", R"(the string "")"},
                                {blank, R"(" \t")", R"(the string " \t")"},
                                {text, R"("on")", R"(the string "on")"},
                                {text, R"("\u0000\ud83d\ude00")", "the string \"\\u0000\xF0\x9F\x98\x80\""},
                                {text, R"("__proto__")", R"(the string "__proto__")"},
                                {empty_list, "[]", "an array"},
                                {list, "[1]", "an array"},
                                {list, "[1,[],{}]", "an array"},
                                {record, R"({"$$is":"function"})", "an object"},
                                {record, R"({"__proto__":{}})", "an object"},
                                {record, R"({"":[[[[[]]]]]})", "an object"},
                                {function, kFunction, "a function"},
                                {undefined, fact("undefined"), "nothing"},
                                {other, fact("symbol"), "a symbol"},
                                {other, fact("bigint"), "a bigint"},
                                {other, fact("NaN"), "NaN"},
                                {other, fact("Infinity"), "Infinity"},
                                {other, fact("-Infinity"), "-Infinity"},
                                {other, fact("unreadable"), "a value that threw when it was read"},
                                {other, fact("deep"), "a value that is nested too deeply"},
                                {other, fact("constructor"), "a value of an unknown kind"}};
    all.push_back({text, "\"" + std::string(100000, 'x') + "\"", "the string \"" + std::string(60, 'x') + "…\""});
    return all;
}

constexpr unsigned kTexts = empty_text | blank | text;
constexpr unsigned kAboveZero = fraction | whole;

struct Row {
    std::string place, allowed;
    unsigned taken;
    /// What is said to a value of the right type whose contents are wrong; empty: nothing special.
    unsigned special = 0;
    std::string special_says = {};
};

const std::string kSurfaceSays =
    "expose must hold known surfaces only (direct, aiSdk, mcp, workflow, test); found the key ";
const std::string kPhases = "an array of phases (discovery, invocation, execution)";

/// In the order in which problems are reported.
const std::vector<Row> kRows = {
    {"description", "a string that is not blank", text},
    {"expose", "an object of surfaces, each true or false", 0, record, kSurfaceSays},
    {"sideEffect", "one of none, read, write, destructive, external", 0},
    {"risk", "one of low, medium, high, critical", 0},
    {"tags", "an array of strings", empty_list | undefined, list,
     "tags must be an array of strings; found in it the number 1"},
    {"timeoutMs", "a finite number above 0", kAboveZero | undefined},
    {"idempotent", "true or false", flag | undefined},
    {"retry", "an object", undefined, record, "retry.maxAttempts must be a whole number of at least 0; found nothing"},
    {"retry.maxAttempts", "a whole number of at least 0", zero | whole},
    {"retry.backoffMs", "a finite number above 0", kAboveZero | undefined},
    {"retry.retryOn", "a function", function | undefined},
    {"approval", "an object", record | undefined},
    {"approval.required", "true or false", flag | undefined},
    {"approval.type", "a string", kTexts | undefined},
    {"approval.expiresInMs", "a finite number above 0", kAboveZero | undefined},
    {"redact", "an object", record | undefined},
    {"redact.output", "a function", function | undefined},
    {"redact.approvalInput", "a function", function | undefined},
    {"policies", "an array of policies", empty_list | undefined, list, ""},
    {"policies[0].name", "a string", kTexts},
    {"policies[0].evaluate", "a function", function},
    {"policies[0].phases", kPhases, empty_list | undefined, list,
     "policies[0].phases must be " + kPhases + "; found in it the number 1"},
    {"adapters", "an object", record | undefined},
    {"adapters.aiSdk", "an object", record | undefined},
    {"adapters.aiSdk.toolName", "a non-empty string", blank | text | undefined},
    {"adapters.mcp", "an object", record | undefined},
    {"adapters.mcp.toolName", "a non-empty string", blank | text | undefined},
    {"adapters.mcp.annotations", "an object", record | undefined}};

/// The problems that the table expects of one value in one field.
Texts expected(const Row& row, const Garbage& value) {
    if ((row.taken & value.kind) != 0) return {};
    if ((row.special & value.kind) == 0) return {row.place + " must be " + row.allowed + "; found " + value.words};
    if (row.place == "expose") {
        const std::string key = value.json.substr(1, value.json.find(':') - 1);
        return {kSurfaceSays + (key == "\"$$is\"" ? "\"$is\"" : key)};
    }
    if (row.place != "policies") return {row.special_says};
    const std::string says = " must be a policy, which is an object; found ";
    Texts all = {"policies[0]" + says + "the number 1"};
    if (value.json == "[1,[],{}]") {
        all.push_back("policies[1]" + says + "an array");
        all.push_back("policies[2].name must be a string; found nothing");
    }
    return all;
}

/// Chosen values by place; what was not chosen is valid.
using Chosen = std::vector<std::pair<std::string, std::string>>;

class MetaText {
  public:
    explicit MetaText(const Chosen& chosen) : chosen_(chosen) {}

    std::string text() const {
        return object(
            "", {{"description", R"("d")"},
                 {"expose", "{}"},
                 {"sideEffect", R"("read")"},
                 {"risk", R"("low")"},
                 {"tags", ""},
                 {"timeoutMs", ""},
                 {"idempotent", ""},
                 {"retry", object("retry.", {{"maxAttempts", "1"}, {"backoffMs", ""}, {"retryOn", ""}})},
                 {"approval", object("approval.", {{"required", ""}, {"type", ""}, {"expiresInMs", ""}})},
                 {"redact", object("redact.", {{"output", ""}, {"approvalInput", ""}})},
                 {"policies",
                  "[" + object("policies[0].", {{"name", R"("p")"}, {"evaluate", kFunction}, {"phases", ""}}) + "]"},
                 {"adapters",
                  object("adapters.", {{"aiSdk", object("adapters.aiSdk.", {{"toolName", ""}})},
                                       {"mcp", object("adapters.mcp.", {{"toolName", ""}, {"annotations", ""}})}})}});
    }

  private:
    std::string object(const std::string& prefix,
                       const std::vector<std::pair<std::string, std::string>>& members) const {
        std::string out = "{";
        for (const auto& [name, valid] : members) {
            std::string value = valid;
            for (const auto& [place, given] : chosen_)
                if (place == prefix + name) value = given;
            if (!value.empty()) out += (out.size() > 1 ? ",\"" : "\"") + name + "\":" + value;
        }
        return out + "}";
    }

    const Chosen& chosen_;
};

TEST_CASE("each value in each field gives exactly the problem that the field's row says, or none", "[domain]") {
    std::size_t refused = 0, taken = 0;
    for (const Row& row : kRows)
        for (const Garbage& value : garbage()) {
            INFO(row.place << " = " << value.json.substr(0, 80));
            const Texts wanted = expected(row, value);
            CHECK(meta_problems(MetaText({{row.place, value.json}}).text()) == wanted);
            ++(wanted.empty() ? taken : refused);
        }
    CHECK(refused > 600);
    CHECK(taken > 90);
}

bool lies_in(const std::string& place, const std::string& section) {
    return place.size() > section.size() && place.compare(0, section.size(), section) == 0 &&
           (place[section.size()] == '.' || place[section.size()] == '[');
}

TEST_CASE("many wrong fields at once give their problems together, in the order of the fields", "[domain]") {
    std::mt19937 random(20261201);
    const std::vector<Garbage> values = garbage();
    for (int round = 0; round < 1500; ++round) {
        Chosen chosen;
        Texts wanted;
        std::vector<std::string> replaced;
        bool has_policy_fault = false;
        for (const Row& row : kRows) {
            if (random() % 4 != 0) continue;
            bool is_hidden = false;
            for (const std::string& section : replaced) is_hidden = is_hidden || lies_in(row.place, section);
            if (is_hidden) continue;
            const Garbage& value = values[random() % values.size()];
            chosen.emplace_back(row.place, value.json);
            replaced.push_back(row.place);
            const bool is_policy = lies_in(row.place, "policies");
            const Texts problems_here = expected(row, value);
            // Of one policy the first fault is told.
            if (is_policy && has_policy_fault) continue;
            if (is_policy && !problems_here.empty()) has_policy_fault = true;
            wanted.insert(wanted.end(), problems_here.begin(), problems_here.end());
        }
        const std::string text_of_meta = MetaText(chosen).text();
        INFO(text_of_meta.substr(0, 2000));
        REQUIRE(meta_problems(text_of_meta) == wanted);
    }
}

}  // namespace
