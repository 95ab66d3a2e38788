// The one file that includes valijson and nlohmann; exceptions of both end here.
//
// The schema is rewritten before valijson sees it: it keeps the applicators (allOf, oneOf, not, if, items, contains,
// …), while each schema's own keywords and everything that runs a pattern become constraints of ours (design §3 lists
// what valijson gets wrong: multipleOf, bounds, lengths, formats, uniqueItems, regexes). References are renamed to flat
// ones.
#include "schema/valijson_fence.h"

#ifndef VALIJSON_USE_EXCEPTIONS
#define VALIJSON_USE_EXCEPTIONS 1
#endif
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/constraints/concrete_constraints.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "host_protocol/vocabulary.h"
#include "schema/valijson_checks.h"

namespace host_protocol {

bool full_profile_available() { return true; }

namespace schema_detail {
namespace {

using nlohmann::json;
class Rewriter {
  public:
    Rewriter(const LintedSchema& linted, Shared& shared) : linted_(linted), shared_(shared) {}

    /// The schema to start at; the others of `shared` are populated too.
    const valijson::Schema* rewrite_all(JsonValue root) {
        const valijson::Schema* start = root_of(root);
        while (!queue_.empty()) {
            const JsonValue target = queue_.back();
            queue_.pop_back();
            definitions_[std::to_string(target.index())] = rewritten(target);
        }
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const json document{{"allOf", json::array({bodies_[i]})}, {"$defs", definitions_}};
            valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
            parser.addConstraintBuilder(kChecks, new OwnKeywordsBuilder(shared_));
            parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(document), shared_.schemas[i]);
        }
        return start;
    }

  private:
    /// A schema that our own constraints start from.
    const valijson::Schema* root_of(JsonValue schema) {
        const valijson::Schema* slot = &shared_.schemas.emplace_back();
        const std::size_t number = bodies_.size();
        bodies_.emplace_back();
        json body = rewritten(schema);
        bodies_[number] = std::move(body);
        return slot;
    }

    json rewritten(JsonValue schema) {
        if (schema.is(JsonType::boolean)) return schema.boolean();
        if (const JsonValue target = target_of(linted_, schema)) {
            const std::string name = std::to_string(target.index());
            if (!definitions_.contains(name)) {
                definitions_[name] = true;
                queue_.push_back(target);
            }
            return {{"$ref", "#/$defs/" + name}};
        }
        json out = json::object();
        out[kChecks] = add_checks(schema);
        for (JsonMember member : schema.members()) add_applicator(out, schema, member);
        return out;
    }

    std::size_t add_checks(JsonValue schema) {
        const std::size_t number = shared_.checks.size();
        Checks& checks = shared_.checks.emplace_back(Checks{compile_own_keywords(schema, linted_)});
        checks.declared = schema.find("properties");
        if (const JsonValue names = schema.find("propertyNames")) checks.names = root_of(names);
        const JsonValue patterns = schema.find("patternProperties"), additional = schema.find("additionalProperties");
        if (patterns)
            for (JsonMember member : patterns.members())
                checks.patterns.emplace_back(member.key, root_of(member.value));
        if (additional.is(JsonType::object)) checks.additional = root_of(additional);
        checks.closed = patterns && additional.is(JsonType::boolean) && !additional.boolean();
        return number;
    }

    void add_applicator(json& out, JsonValue schema, JsonMember member) {
        const KeywordRow* row = find_keyword(member.key);
        const std::string name(member.key);
        switch (row->keyword) {
            case Keyword::then_branch:
            case Keyword::else_branch:
                if (!schema.find("if"))
                    return;  // without `if` they mean nothing, and valijson takes them for a mistake
                [[fallthrough]];
            case Keyword::negation:
            case Keyword::condition:
            case Keyword::contains:
                out[name] = rewritten(member.value);
                return;
            case Keyword::additional_items:
                if (schema.find("items").is(JsonType::array)) out[name] = rewritten(member.value);
                return;
            case Keyword::any_of:
            case Keyword::one_of:
            case Keyword::all_of:
            case Keyword::items:
                out[name] = rewritten_list(member.value);
                return;
            case Keyword::properties:
            case Keyword::dependencies:
                out[name] = rewritten_map(member.value);
                return;
            case Keyword::min_properties:
            case Keyword::max_properties:
                out[name] = static_cast<std::int64_t>(std::min(member.value.number(), 9007199254740992.0));
                return;
            default:
                return;
        }
    }

    json rewritten_list(JsonValue value) {
        if (!value.is(JsonType::array)) return rewritten(value);
        json out = json::array();
        for (JsonValue element : value.elements())
            out.push_back(element.is(JsonType::string) ? json(std::string(element.string())) : rewritten(element));
        return out;
    }

    json rewritten_map(JsonValue value) {
        json out = json::object();
        for (JsonMember member : value.members()) out[std::string(member.key)] = rewritten_list(member.value);
        return out;
    }

    const LintedSchema& linted_;
    Shared& shared_;
    json definitions_ = json::object();
    std::vector<json> bodies_;
    std::vector<JsonValue> queue_;
};

// Chains of applicators cost about a kilobyte of stack per schema, for every level of the value.
constexpr std::size_t kMaxValueDepth = 40;

bool is_too_deep(JsonValue value) {
    std::vector<std::uint32_t> ends;
    const JsonTape& tape = value.tape();
    for (std::uint32_t at = value.index(); at < value.node().next; ++at) {
        while (!ends.empty() && ends.back() <= at) ends.pop_back();
        const JsonNode& node = tape.nodes[at];
        if (node.type == JsonType::array || node.type == JsonType::object) ends.push_back(node.next);
        if (ends.size() > kMaxValueDepth) return true;
    }
    return false;
}

/// Valijson's sentences about applicators, in our words; empty for those that only repeat that a part is at fault.
std::string translated(const std::string& description) {
    const auto says = [&](std::string_view words) { return description.find(words) != std::string::npos; };
    if (says("anyOf constraint")) return "must fit at least one of the alternatives (anyOf)";
    if (says("oneOf constraint") || says("exactly one child"))
        return "must fit exactly one of the alternatives (oneOf)";
    if (says("'not' constraint")) return "must not fit the schema that is excluded here (not)";
    if (says("'contains' constraint")) return "must hold an item that fits (contains)";
    if (says("if-then-else")) return "must fit the branch that its condition selects (if then else)";
    if (says("items constraint") || says("'additionalItems'"))
        return "has more items than are described (additionalItems)";
    if (says("Missing dependency")) return "lacks a member that another one depends on (dependencies)";
    if (says("no more than")) return "has more members than are allowed (maxProperties)";
    if (says("no fewer than")) return "has fewer members than are needed (minProperties)";
    return says("Failed to validate") ? std::string{} : description;
}

class ValijsonSchema : public FullSchema {
  public:
    explicit ValijsonSchema(const SchemaOptions& options) : shared_{options} {}

    void compile(JsonValue root, const LintedSchema& linted) { start_ = Rewriter(linted, shared_).rewrite_all(root); }

    std::vector<Issue> validate(JsonValue instance) const override {
        if (is_too_deep(instance)) return {{"", "is nested deeper than 40 levels (schemaProfile full)"}};
        shared_.steps = 0;
        valijson::ValidationResults results;
        std::string stopped;
        try {
            if (evaluate(instance, nullptr)) return {};
            shared_.steps = 0;
            evaluate(instance, &results);
        } catch (const Stop& stop) {
            stopped = stop.what();
        } catch (const std::exception&) {
            stopped = "cannot be checked against this schema";
        }
        std::vector<Issue> issues;
        if (!stopped.empty()) issues.push_back({"", stopped});
        for (const auto& error : results) {
            std::string text = translated(error.description);
            if (!text.empty() && issues.size() < kMaxIssues)
                issues.push_back({pointer_of(error.context), std::move(text)});
        }
        if (issues.empty())
            issues.push_back({refused_place(results), "is not allowed here (a schema that allows nothing)"});
        return issues;
    }

  private:
    bool evaluate(JsonValue instance, valijson::ValidationResults* results) const {
        return Visitor(TapeAdapter(instance), Context{"<root>"}, true, results, shared_.regexes)
            .validateSchema(*start_);
    }

    static std::string refused_place(const valijson::ValidationResults& results) {
        return results.begin() == results.end() ? std::string{} : pointer_of(results.begin()->context);
    }

    Shared shared_;
    const valijson::Schema* start_ = nullptr;
};

json as_json(JsonValue value) {
    switch (value.type()) {
        case JsonType::null:
            return nullptr;
        case JsonType::boolean:
            return value.boolean();
        case JsonType::string:
            return std::string(value.string());
        case JsonType::number:
            if (TapeValue(value).isInteger()) return static_cast<std::int64_t>(value.number());
            return value.number();
        case JsonType::array: {
            json array = json::array();
            for (JsonValue element : value.elements()) array.push_back(as_json(element));
            return array;
        }
        case JsonType::object:
            break;
    }
    json object = json::object();
    for (JsonMember member : value.members()) object[std::string(member.key)] = as_json(member.value);
    return object;
}

/// Valijson makes its engines of a pattern alone, so the host function travels beside it, for the length of one
/// verdict.
thread_local PatternMatch verdict_match = nullptr;

struct VerdictRegex {
    explicit VerdictRegex(std::string source) : pattern(std::move(source)) {}
    static bool search(const std::string& text, const VerdictRegex& regex) {
        return verdict_match != nullptr && verdict_match(regex.pattern, text) == 1;
    }
    std::string pattern;
};

}  // namespace

Result<std::unique_ptr<FullSchema>> compile_full_schema(JsonValue root, const LintedSchema& linted,
                                                        const SchemaOptions& options) {
    try {
        auto schema = std::make_unique<ValijsonSchema>(options);
        schema->compile(root, linted);
        return std::unique_ptr<FullSchema>(std::move(schema));
    } catch (const std::exception&) {
        return make_error(definition_codes::kUnsupportedSchema,
                          "the evaluator of the full profile refuses this schema");
    }
}

Result<bool> valijson_verdict(JsonValue schema, JsonValue instance, PatternMatch match) {
    verdict_match = match;
    try {
        const json document = as_json(schema);
        valijson::Schema compiled;
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(document), compiled);
        return valijson::ValidatorT<VerdictRegex>().validate(compiled, TapeAdapter(instance), nullptr);
    } catch (const std::exception& problem) {
        return make_error(definition_codes::kUnsupportedSchema, problem.what());
    }
}

}  // namespace schema_detail
}  // namespace host_protocol
