// What a caller narrows a listing to; shaping only, a call ignores it (spec: domain.md §7, SI-2).
#include <algorithm>

#include "domain/discovery.h"
#include "domain/value_facts.h"
#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"

namespace domain {
namespace {

using host_protocol::concat;
using host_protocol::Error;
using host_protocol::JsonValue;
using host_protocol::Result;

Error refusal(const std::string& place, JsonValue value, std::string_view allowed) {
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                     concat({place, " is ", found(value), "; ", allowed}), place);
}

bool contains(const std::vector<std::string>& texts, std::string_view text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// Whether the key was given: an empty array is, and selects nothing.
Result<bool> read_key(JsonValue facts, const char* key, std::vector<std::string>& texts) {
    const JsonValue list = facts.find(key);
    const std::string place = std::string("scope.") + key;
    if (!list) return false;
    if (!is_list(list)) return refusal(place, list, "an array of strings is allowed");
    std::size_t at = 0;
    for (JsonValue item : list.elements()) {
        if (!is_text(item)) return refusal(place + '.' + std::to_string(at), item, "a string is allowed");
        texts.emplace_back(item.string());
        ++at;
    }
    return true;
}

}  // namespace

Result<Scope> read_scope(JsonValue facts) {
    Scope scope;
    if (!facts) return scope;
    if (!is_record(facts)) return refusal("scope", facts, "an object with tags, ids or both is allowed");
    const Result<bool> tags = read_key(facts, "tags", scope.tags);
    if (!tags) return tags.error();
    const Result<bool> ids = read_key(facts, "ids", scope.ids);
    if (!ids) return ids.error();
    scope.has_tags = *tags;
    scope.has_ids = *ids;
    return scope;
}

bool is_in_scope(const Capability& capability, const Scope& scope) {
    if (!scope.has_tags && !scope.has_ids) return true;
    if (contains(scope.ids, capability.id)) return true;
    for (const std::string& tag : capability.tags)
        if (contains(scope.tags, tag)) return true;
    return false;
}

}  // namespace domain
