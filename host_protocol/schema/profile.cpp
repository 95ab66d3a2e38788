#include "schema/profile.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "host_protocol/heap_sort.h"
#include "host_protocol/vocabulary.h"
#include "schema/formats.h"
#include "schema/keywords.h"
#include "schema/levels.h"
#include "schema/pattern_check.h"
#include "schema/place.h"
#include "schema/references.h"

namespace host_protocol::schema_detail {
namespace {

// Schemas that apply to one value through one another; each costs a frame of stack, valijson's are large.
constexpr std::uint32_t kMaxChain = 64;
constexpr std::uint32_t kMaxFullChain = 16;

class Linter {
  public:
    Linter(JsonValue root, const SchemaOptions& options) : root_(root), options_(options) {}

    Result<LintedSchema> run() {
        if (!check_schema(root_, Place{}, 1, false)) return std::move(*error_);
        for (const Pending& reference : pending_)
            if (!resolve(reference)) return std::move(*error_);
        heap_sort(linted_.references.begin(), linted_.references.end(),
                  [](const Reference& a, const Reference& b) { return a.from < b.from; });
        if (std::optional<LevelFault> fault = levels_.find_fault(linted_.needs_full ? kMaxFullChain : kMaxChain))
            return fail(pointers_[fault->schema], fault->message);
        return std::move(linted_);
    }

  private:
    struct Pending {
        std::uint32_t schema;  // number of the schema in levels_
        std::uint32_t index;   // its tape index
        std::string_view reference;
        std::string pointer;
    };

    bool full() const { return options_.profile == SchemaProfile::full; }

    Error fail(std::string pointer, std::string message) {
        return make_error(definition_codes::kUnsupportedSchema, std::move(message), std::move(pointer));
    }

    bool refuse(const Place& place, std::string message) {
        if (!error_) error_ = fail(json_pointer(place), std::move(message));
        return false;
    }

    bool refuse_value(const Place& place, std::string_view keyword, std::string_view wanted) {
        return refuse(place.member(keyword), "\"" + std::string(keyword) + "\" must be " + std::string(wanted));
    }

    bool beyond_portable(const Place& place, const std::string& what) {
        if (!full())
            return refuse(place, what + " needs schemaProfile \"full\"; this schema is checked as \"portable\"");
        linted_.needs_full = true;
        return true;
    }

    bool check_schema(JsonValue schema, const Place& place, std::uint32_t level, bool renamed) {
        if (level > options_.max_depth)
            return refuse(place, "the schema has more than " + std::to_string(options_.max_depth) + " levels");
        pointers_.push_back(json_pointer(place));
        const std::uint32_t self = levels_.add(schema.index());
        if (schema.is(JsonType::boolean)) return beyond_portable(place, "a boolean schema");
        if (!schema.is(JsonType::object)) return refuse(place, "a schema must be an object");
        renamed = renamed || (place.up != nullptr && schema.find("$id"));
        for (JsonMember member : schema.members())
            if (!check_keyword(schema, member, place, Context{self, level, renamed})) return false;
        return true;
    }

    struct Context {
        std::uint32_t schema;
        std::uint32_t level;
        bool renamed;  // an $id inside the document would change what a $ref below it means
    };

    bool check_keyword(JsonValue schema, JsonMember member, const Place& place, Context context) {
        const KeywordRow* row = find_keyword(member.key);
        if (row == nullptr)
            return refuse(place.member(member.key),
                          "the keyword \"" + std::string(member.key) + "\" is outside the profile");
        if (!row->portable &&
            !beyond_portable(place.member(row->name), "the keyword \"" + std::string(row->name) + "\""))
            return false;
        switch (row->shape) {
            case Shape::reference: return check_reference(schema, member.value, place, context);
            case Shape::schema:
            case Shape::schema_list:
            case Shape::schema_map:
            case Shape::pattern_map:
            case Shape::items:
            case Shape::additional:
            case Shape::dependencies: return check_subschemas(*row, member.value, place, context);
            case Shape::pattern:
                if (!member.value.is(JsonType::string)) return refuse_value(place, row->name, "a string");
                return check_pattern_text(place.member(row->name), row->name, member.value.string());
            default: return check_plain(*row, member.value, place);
        }
    }

    bool check_plain(const KeywordRow& row, JsonValue value, const Place& place) {
        const bool number = value.is(JsonType::number);
        switch (row.shape) {
            case Shape::string: return value.is(JsonType::string) || refuse_value(place, row.name, "a string");
            case Shape::boolean: return value.is(JsonType::boolean) || refuse_value(place, row.name, "true or false");
            case Shape::array: return value.is(JsonType::array) || refuse_value(place, row.name, "an array");
            case Shape::number: return number || refuse_value(place, row.name, "a number");
            case Shape::divisor:
                return (number && value.number() > 0) || refuse_value(place, row.name, "a number greater than 0");
            case Shape::count:
                return (number && value.number() >= 0 && std::trunc(value.number()) == value.number()) ||
                       refuse_value(place, row.name, "a non-negative integer");
            case Shape::type_names:
                return type_set(value) != 0 ||
                       refuse_value(
                           place, row.name,
                           "one of object array string number integer boolean null, or a list of distinct ones");
            case Shape::member_names: return check_names(row, value, place);
            case Shape::format:
                return (value.is(JsonType::string) && format_named(value.string()) != Format::none) ||
                       refuse_value(place, row.name, "one of date-time date time uuid email uri");
            default: return true;
        }
    }

    bool check_names(const KeywordRow& row, JsonValue value, const Place& place) {
        if (!value.is(JsonType::array)) return refuse_value(place, row.name, "a list of distinct strings");
        std::uint32_t at = 0;
        for (JsonValue name : value.elements()) {
            if (!name.is(JsonType::string)) return refuse_value(place, row.name, "a list of distinct strings");
            for (JsonValue earlier : value.elements()) {
                if (earlier.index() == name.index()) break;
                if (earlier.string() == name.string())
                    return refuse(place.member(row.name).element(at),
                                  "\"" + std::string(row.name) + "\" names a member twice");
            }
            ++at;
        }
        return true;
    }

    bool check_pattern_text(const Place& place, std::string_view keyword, std::string_view pattern) {
        const std::string problem = why_pattern_refused(pattern, options_);
        return problem.empty() || refuse(place, "\"" + std::string(keyword) + "\" " + problem);
    }

    bool check_child(const KeywordRow& row, JsonValue child, const Place& place, Context context) {
        if (row.same_level) levels_.add_edge(context.schema, child.index());
        return check_schema(child, place, context.level + 1, context.renamed);
    }

    bool check_subschemas(const KeywordRow& row, JsonValue value, const Place& parent, Context context) {
        const Place place = parent.member(row.name);
        switch (row.shape) {
            case Shape::schema: return check_child(row, value, place, context);
            case Shape::schema_list: return check_list(row, value, parent, context);
            case Shape::items:
                if (!value.is(JsonType::array)) return check_child(row, value, place, context);
                return beyond_portable(place, "\"items\" as a list") && check_list(row, value, parent, context);
            case Shape::additional:
                if (value.is(JsonType::boolean)) return true;
                return beyond_portable(place, "\"additionalProperties\" as a schema") &&
                       check_child(row, value, place, context);
            default: return check_map(row, value, parent, context);
        }
    }

    bool check_list(const KeywordRow& row, JsonValue value, const Place& parent, Context context) {
        const Place place = parent.member(row.name);
        const bool may_be_empty = row.shape == Shape::items;
        if (!value.is(JsonType::array) || (value.size() == 0 && !may_be_empty))
            return refuse_value(parent, row.name, "a list of at least one schema");
        std::uint32_t at = 0;
        for (JsonValue child : value.elements())
            if (!check_child(row, child, place.element(at++), context)) return false;
        return true;
    }

    bool check_map(const KeywordRow& row, JsonValue value, const Place& parent, Context context) {
        const Place place = parent.member(row.name);
        if (!value.is(JsonType::object)) return refuse_value(parent, row.name, "an object");
        for (JsonMember member : value.members()) {
            const Place at = place.member(member.key);
            if (row.shape == Shape::pattern_map && !check_pattern_text(at, row.name, member.key)) return false;
            if (row.shape == Shape::dependencies && member.value.is(JsonType::array)) {
                if (!check_names(KeywordRow{member.key, row.keyword, row.shape, false, false}, member.value, place))
                    return false;
            } else if (!check_child(row, member.value, at, context)) {
                return false;
            }
        }
        return true;
    }

    bool check_reference(JsonValue schema, JsonValue value, const Place& parent, Context context) {
        const Place place = parent.member("$ref");
        if (!value.is(JsonType::string)) return refuse_value(parent, "$ref", "a string");
        for (JsonMember sibling : schema.members()) {
            const KeywordRow* row = find_keyword(sibling.key);
            if (row == nullptr) continue;  // refused by its own name
            const bool allowed = row->keyword == Keyword::reference || row->keyword == Keyword::annotation ||
                                 row->keyword == Keyword::definitions ||
                                 (row->keyword == Keyword::identifier && parent.up == nullptr);
            if (!allowed)
                return refuse(
                    parent.member(sibling.key),
                    "\"" + std::string(sibling.key) + "\" stands beside \"$ref\"; only annotations and $defs may");
        }
        if (context.renamed)
            return refuse(place, "\"$ref\" below an \"$id\" that is not the root's is outside the profile");
        const std::string_view text = value.string();
        if (text.substr(0, 8) != "#/$defs/" && !(full() && (text == "#" || text.substr(0, 2) == "#/")))
            return refuse(place,
                          full() ? "\"$ref\" must be local: # or #/…" : "\"$ref\" must be of the form #/$defs/…");
        if (text.substr(0, 8) != "#/$defs/") linted_.needs_full = true;
        pending_.push_back({context.schema, schema.index(), text, json_pointer(place)});
        return true;
    }

    bool resolve(const Pending& pending) {
        const JsonValue target = resolve_reference(root_, pending.reference);
        if (!target || !levels_.has(target.index())) {
            error_ = fail(pending.pointer, "\"$ref\" names no schema of this document");
            return false;
        }
        levels_.add_edge(pending.schema, target.index());
        linted_.references.push_back({pending.index, target});
        return true;
    }

    JsonValue root_;
    const SchemaOptions& options_;
    LintedSchema linted_;
    Levels levels_;
    std::vector<std::string> pointers_;
    std::vector<Pending> pending_;
    std::optional<Error> error_;
};

}  // namespace

JsonValue target_of(const LintedSchema& linted, JsonValue schema) {
    const auto at = std::lower_bound(linted.references.begin(), linted.references.end(), schema.index(),
                                     [](const Reference& r, std::uint32_t index) { return r.from < index; });
    return at != linted.references.end() && at->from == schema.index() ? at->target : JsonValue{};
}

Result<LintedSchema> lint_schema(JsonValue root, const SchemaOptions& options) { return Linter(root, options).run(); }

}  // namespace host_protocol::schema_detail
