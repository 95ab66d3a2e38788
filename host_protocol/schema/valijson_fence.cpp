// The one file that includes valijson; its exceptions end here.
//
// Valijson evaluates the applicators (allOf, oneOf, not, if, items, contains, …), whose constraints are made here from
// the linted schema. Each schema's own keywords, and everything that looks at members by name or runs a pattern, are
// one constraint of ours: valijson gets multipleOf, bounds, lengths, formats, uniqueItems and patterns wrong. Its
// parser and std::regex are not linked: they weigh more than all the rest.
#include "schema/valijson_fence.h"

#ifndef VALIJSON_USE_EXCEPTIONS
#define VALIJSON_USE_EXCEPTIONS 1
#endif
#include <algorithm>
#include <map>
#include <utility>
#include <valijson/constraints/concrete_constraints.hpp>
#include <valijson/schema.hpp>
#include <valijson/validation_visitor.hpp>

#include "host_protocol/vocabulary.h"
#include "schema/valijson_checks.h"

namespace host_protocol {

bool full_profile_available() { return true; }

namespace schema_detail {
namespace {

namespace constraints = valijson::constraints;
using valijson::Subschema;

/// Makes valijson's constraints of a linted schema, without its parser: every part is already known to be well-formed.
class Builder {
  public:
    Builder(const LintedSchema& linted, Shared& shared) : linted_(linted), shared_(shared) {}

    const Subschema* build(JsonValue root) {
        const Subschema* start = shared_.schema.createSubschema();
        fill(start, root);
        while (!queue_.empty()) {
            const JsonValue target = queue_.back();
            queue_.pop_back();
            fill(targets_[target.index()], target);
        }
        return start;
    }

  private:
    /// The targets of references are built once, after what refers to them, so that they may refer back.
    const Subschema* part(JsonValue schema) {
        if (schema.is(JsonType::boolean) && schema.boolean()) return shared_.schema.emptySubschema();
        if (const JsonValue target = target_of(linted_, schema)) {
            const Subschema*& known = targets_[target.index()];
            if (known == nullptr) {
                known = shared_.schema.createSubschema();
                queue_.push_back(target);
            }
            return known;
        }
        const Subschema* made = shared_.schema.createSubschema();
        fill(made, schema);
        return made;
    }

    void fill(const Subschema* made, JsonValue schema) {
        if (schema.is(JsonType::boolean)) return shared_.schema.setAlwaysInvalid(made, !schema.boolean());
        if (target_of(linted_, schema)) {
            constraints::AllOfConstraint same;
            same.addSubschema(part(schema));
            return add(made, same);
        }
        for (JsonMember member : schema.members()) add_applicator(made, schema, member);
        add(made, OwnKeywords(shared_, add_checks(schema)));
    }

    void add(const Subschema* made, const constraints::Constraint& constraint) {
        shared_.schema.addConstraintToSubschema(constraint, made);
    }

    std::size_t add_checks(JsonValue schema) {
        const std::size_t number = shared_.checks.size();
        Checks& checks = shared_.checks.emplace_back(Checks{compile_own_keywords(schema, linted_)});
        if (const JsonValue names = schema.find("propertyNames")) checks.names = part(names);
        const JsonValue properties = schema.find("properties"), patterns = schema.find("patternProperties"),
                        additional = schema.find("additionalProperties");
        if (properties)
            for (JsonMember member : properties.members()) checks.properties.emplace(member.key, part(member.value));
        if (patterns)
            for (JsonMember member : patterns.members()) checks.patterns.emplace_back(member.key, part(member.value));
        if (additional.is(JsonType::object)) checks.additional = part(additional);
        checks.closed = patterns && additional.is(JsonType::boolean) && !additional.boolean();
        return number;
    }

    void add_applicator(const Subschema* made, JsonValue schema, JsonMember member) {
        switch (find_keyword(member.key)->keyword) {
            case Keyword::all_of: return add_list<constraints::AllOfConstraint>(made, member.value);
            case Keyword::any_of: return add_list<constraints::AnyOfConstraint>(made, member.value);
            case Keyword::one_of: return add_list<constraints::OneOfConstraint>(made, member.value);
            case Keyword::negation: return add_one<constraints::NotConstraint>(made, member.value);
            case Keyword::contains: return add_one<constraints::ContainsConstraint>(made, member.value);
            case Keyword::condition: return add_condition(made, schema);
            case Keyword::items: return add_items(made, schema, member.value);
            case Keyword::dependencies: return add_dependencies(made, member.value);
            case Keyword::min_properties: {
                constraints::MinPropertiesConstraint constraint;
                constraint.setMinProperties(count_of(member.value));
                return add(made, constraint);
            }
            case Keyword::max_properties: {
                constraints::MaxPropertiesConstraint constraint;
                constraint.setMaxProperties(count_of(member.value));
                return add(made, constraint);
            }
            default: return;
        }
    }

    template <class List>
    void add_list(const Subschema* made, JsonValue schemas) {
        List constraint;
        for (JsonValue schema : schemas.elements()) constraint.addSubschema(part(schema));
        add(made, constraint);
    }

    template <class One>
    void add_one(const Subschema* made, JsonValue schema) {
        One constraint;
        constraint.setSubschema(part(schema));
        add(made, constraint);
    }

    void add_condition(const Subschema* made, JsonValue schema) {
        constraints::ConditionalConstraint constraint;
        constraint.setIfSubschema(part(schema.find("if")));
        if (const JsonValue then_branch = schema.find("then")) constraint.setThenSubschema(part(then_branch));
        if (const JsonValue else_branch = schema.find("else")) constraint.setElseSubschema(part(else_branch));
        add(made, constraint);
    }

    void add_items(const Subschema* made, JsonValue schema, JsonValue items) {
        if (!items.is(JsonType::array)) {
            constraints::SingularItemsConstraint constraint;
            constraint.setItemsSubschema(part(items));
            return add(made, constraint);
        }
        constraints::LinearItemsConstraint constraint;
        for (JsonValue item : items.elements()) constraint.addItemSubschema(part(item));
        const JsonValue more = schema.find("additionalItems");
        if (!more)
            constraint.setAdditionalItemsSubschema(shared_.schema.emptySubschema());
        else if (!more.is(JsonType::boolean) || more.boolean())  // none at all: no more items
            constraint.setAdditionalItemsSubschema(part(more));
        add(made, constraint);
    }

    void add_dependencies(const Subschema* made, JsonValue dependencies) {
        constraints::DependenciesConstraint constraint;
        for (JsonMember member : dependencies.members()) {
            const std::string key(member.key);
            if (!member.value.is(JsonType::array)) {
                constraint.addSchemaDependency(key, part(member.value));
                continue;
            }
            for (JsonValue name : member.value.elements())
                constraint.addPropertyDependency(key, std::string(name.string()));
        }
        add(made, constraint);
    }

    static std::uint64_t count_of(JsonValue limit) {
        return static_cast<std::uint64_t>(std::min(limit.number(), 9007199254740992.0));
    }

    const LintedSchema& linted_;
    Shared& shared_;
    std::map<std::uint32_t, const Subschema*> targets_;
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

    void compile(JsonValue root, const LintedSchema& linted) { start_ = Builder(linted, shared_).build(root); }

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
    const valijson::Subschema* start_ = nullptr;
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

}  // namespace schema_detail
}  // namespace host_protocol
