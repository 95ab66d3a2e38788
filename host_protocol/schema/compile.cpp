#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "host_protocol/heap_sort.h"
#include "schema/equality.h"
#include "schema/program.h"

namespace host_protocol::schema_detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Compiler {
  public:
    Compiler(const LintedSchema& linted, bool shallow) : linted_(linted), shallow_(shallow) {}

    Program compile(JsonValue root) {
        program_.root = rule_of(root);
        // A queue, not recursion: references may chain through the whole document.
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const auto [schema, id] = queue_[i];
            Rule rule = open_rule();
            for (JsonMember member : schema.members()) add_keyword(rule, schema, member);
            add_properties(rule, schema);
            program_.rules[id] = rule;
        }
        return std::move(program_);
    }

  private:
    static Rule open_rule() {
        Rule rule;
        rule.max_items = rule.max_length = rule.maximum = rule.exclusive_maximum = kInfinity;
        rule.minimum = rule.exclusive_minimum = -kInfinity;
        return rule;
    }

    /// A reference is the rule of what it names: at run time it costs nothing. The lint has excluded cycles.
    std::uint32_t rule_of(JsonValue schema) {
        if (shallow_ && !queue_.empty()) return kNoRule;
        while (const JsonValue target = target_of(linted_, schema)) schema = target;
        const auto [known, fresh] = ids_.try_emplace(schema.index(), static_cast<std::uint32_t>(queue_.size()));
        if (fresh) {
            queue_.emplace_back(schema, known->second);
            program_.rules.emplace_back();
        }
        return known->second;
    }

    void add_keyword(Rule& rule, JsonValue schema, JsonMember member) {
        const KeywordRow* row = find_keyword(member.key);
        if (row == nullptr) return;
        const auto number = [&](double& field, RuleGroup group) {
            field = member.value.number();
            rule.groups = static_cast<std::uint8_t>(rule.groups | group);
        };
        switch (row->keyword) {
            case Keyword::type: rule.types = type_set(member.value); break;
            case Keyword::min_items: number(rule.min_items, kArrayGroup); break;
            case Keyword::max_items: number(rule.max_items, kArrayGroup); break;
            case Keyword::min_length: number(rule.min_length, kStringGroup); break;
            case Keyword::max_length: number(rule.max_length, kStringGroup); break;
            case Keyword::minimum: number(rule.minimum, kNumberGroup); break;
            case Keyword::maximum: number(rule.maximum, kNumberGroup); break;
            case Keyword::exclusive_minimum: number(rule.exclusive_minimum, kNumberGroup); break;
            case Keyword::exclusive_maximum: number(rule.exclusive_maximum, kNumberGroup); break;
            case Keyword::multiple_of:
                number(rule.divisor.value, kNumberGroup);
                rule.divisor.decimal = shortest_decimal(rule.divisor.value);
                rule.has_divisor = true;
                break;
            default: add_structure(rule, row->keyword, schema, member.value);
        }
    }

    void add_structure(Rule& rule, Keyword keyword, JsonValue schema, JsonValue value) {
        const auto group = [&](RuleGroup bit) { rule.groups = static_cast<std::uint8_t>(rule.groups | bit); };
        switch (keyword) {
            case Keyword::unique_items:
                rule.unique = value.boolean();
                group(kArrayGroup);
                break;
            case Keyword::items:
                rule.items = rule_of(value);
                group(kArrayGroup);
                break;
            case Keyword::pattern:
                rule.pattern = value.string();
                rule.has_pattern = true;
                group(kStringGroup);
                break;
            case Keyword::format:
                rule.format = format_named(value.string());
                group(kStringGroup);
                break;
            case Keyword::additional_properties:
                rule.closed = value.is(JsonType::boolean) && !value.boolean() && !schema.find("patternProperties");
                group(kObjectGroup);
                break;
            case Keyword::any_of:
                if (!shallow_) add_branches(rule, value);
                break;
            case Keyword::enumeration:
            case Keyword::constant: add_values(rule, keyword, schema); break;
            default: break;
        }
    }

    void add_branches(Rule& rule, JsonValue list) {
        std::vector<std::uint32_t> ids;
        for (JsonValue branch : list.elements()) ids.push_back(rule_of(branch));
        rule.branches = static_cast<std::uint32_t>(program_.branches.size());
        rule.branch_count = list.size();
        program_.branches.insert(program_.branches.end(), ids.begin(), ids.end());
        rule.groups = static_cast<std::uint8_t>(rule.groups | kAnyOfGroup);
    }

    /// `const` is one allowed value; beside an `enum` both must hold, so only their common values are kept.
    void add_values(Rule& rule, Keyword keyword, JsonValue schema) {
        const JsonValue only = schema.find("const"), listed = schema.find("enum");
        rule.groups = static_cast<std::uint8_t>(rule.groups | kValuesGroup);
        if (only && listed && keyword == Keyword::enumeration) return;  // done when `const` comes by
        rule.values = static_cast<std::uint32_t>(program_.values.size());
        rule.is_const = static_cast<bool>(only);
        if (!listed) {
            program_.values.push_back(only);
        } else {
            for (JsonValue value : listed.elements())
                if (!only || deep_equal(value, only)) program_.values.push_back(value);
        }
        rule.value_count = static_cast<std::uint32_t>(program_.values.size()) - rule.values;
    }

    void add_properties(Rule& rule, JsonValue schema) {
        const JsonValue declared = schema.find("properties"), required = schema.find("required");
        if (!declared && !required) return;
        rule.groups = static_cast<std::uint8_t>(rule.groups | kObjectGroup);
        std::vector<Property> own;
        std::map<std::string_view, std::size_t> places;
        if (declared)
            for (JsonMember member : declared.members()) {
                places.emplace(member.key, own.size());
                own.push_back({member.key, rule_of(member.value), false, true});
            }
        if (required)
            for (JsonValue name : required.elements()) {
                const auto [place, fresh] = places.emplace(name.string(), own.size());
                if (fresh) own.push_back({name.string()});
                own[place->second].required = true;
                ++rule.required_count;
            }
        rule.properties = static_cast<std::uint32_t>(program_.properties.size());
        rule.property_count = static_cast<std::uint32_t>(own.size());
        std::vector<std::uint32_t> order(own.size());
        std::iota(order.begin(), order.end(), 0u);
        heap_sort(order.begin(), order.end(), [&](auto a, auto b) { return own[a].name < own[b].name; });
        program_.by_name.insert(program_.by_name.end(), order.begin(), order.end());
        program_.properties.insert(program_.properties.end(), own.begin(), own.end());
    }

    const LintedSchema& linted_;
    const bool shallow_;  // this schema's own keywords only, none of its subschemas
    Program program_;
    std::vector<std::pair<JsonValue, std::uint32_t>> queue_;
    std::map<std::uint32_t, std::uint32_t> ids_;
};

}  // namespace

Program compile_program(JsonValue root, const LintedSchema& linted) { return Compiler(linted, false).compile(root); }

Program compile_own_keywords(JsonValue schema, const LintedSchema& linted) {
    return Compiler(linted, true).compile(schema);
}

}  // namespace host_protocol::schema_detail
