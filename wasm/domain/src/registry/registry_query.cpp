// CapabilityQuery: keys combine with AND, inside a key it is any of (spec: domain.md §3).
#include <algorithm>
#include <array>
#include <optional>

#include "domain/registry.h"
#include "domain/value_facts.h"
#include "host_protocol/vocabulary.h"
#include "metadata/field.h"

namespace domain {

using host_protocol::Error;
using host_protocol::JsonValue;
using host_protocol::Result;

namespace {

constexpr std::array<std::string_view, 4> kKeys = {{"surface", "tags", "sideEffect", "risk"}};
using Words = std::vector<std::string_view>;

/// What each key of kKeys asks for; a key that is absent does not constrain.
using Query = std::array<std::optional<Words>, kKeys.size()>;

Error refused(std::string message, std::string_view place) {
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition, std::move(message),
                                     std::string(place));
}

Result<Words> read_words(Field field) {
    constexpr std::string_view kAllowed = "a string or an array of strings";
    if (is_text(field.value)) return Words{field.value.string()};
    if (!is_list(field.value)) return refused(must_be(field.place, kAllowed, field.value), field.place);
    Words words;
    for (JsonValue item : field.value.elements()) {
        if (!is_text(item)) {
            std::string message(field.place);
            message.append(" must be ").append(kAllowed).append("; found in it ").append(found(item));
            return refused(std::move(message), field.place);
        }
        words.push_back(item.string());
    }
    return words;
}

Result<Query> read_query(JsonValue given) {
    if (!is_record(given)) return refused(must_be("query", kObject, given), "query");
    // A misspelt key would match everything, and a deployment would hold more than it names.
    for (const auto& member : given.members()) {
        const std::string_view key = authors_key(member.key);
        if (position_in(kKeys, key) < 0)
            return refused("query must have no keys but " + listed(kKeys) + "; found " + quoted_in_short(key), "query");
    }
    Query query;
    for (std::size_t at = 0; at < kKeys.size(); ++at) {
        const std::string place = "query." + std::string(kKeys[at]);
        const Field field = field_of(given, place);
        if (!field) continue;
        auto words = read_words(field);
        if (!words) return words.error();
        query[at] = std::move(*words);
    }
    return query;
}

bool holds(const std::optional<Words>& words, std::string_view word) {
    return !words || std::find(words->begin(), words->end(), word) != words->end();
}

bool is_exposed_on_any(const Words& names, const Capability& capability) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        const auto surface = surface_named(name);
        return surface && capability.is_exposed_on(*surface);
    });
}

bool has_any_tag(const Words& tags, const Capability& capability) {
    return std::any_of(capability.tags.begin(), capability.tags.end(),
                       [&](const std::string& tag) { return std::find(tags.begin(), tags.end(), tag) != tags.end(); });
}

bool matches(const Query& query, const Capability& capability) {
    const auto& [surfaces, tags, side_effects, risks] = query;
    return (!surfaces || is_exposed_on_any(*surfaces, capability)) && (!tags || has_any_tag(*tags, capability)) &&
           holds(side_effects, capability.side_effect_name()) && holds(risks, capability.risk_name());
}

}  // namespace

Result<SharedRegistry> CapabilityRegistry::filter(JsonValue query) const {
    const auto read = read_query(query);
    if (!read) return read.error();
    std::vector<std::uint32_t> positions;
    for (std::uint32_t position = 0; position < size(); ++position)
        if (matches(*read, at(position))) positions.push_back(position);
    return keep(positions);
}

}  // namespace domain
