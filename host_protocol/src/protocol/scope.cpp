#include "host_protocol/scope.h"

#include <algorithm>

#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"
#include "text_lists.h"

namespace host_protocol {
namespace {

using Tokens = std::vector<std::string_view>;

bool holds(const Tokens& tokens, std::string_view token) {
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

void add(Tokens& tokens, std::string_view token) {
    if (!holds(tokens, token)) tokens.push_back(token);
}

bool lies_in_any(std::string_view token, const Tokens& prefixes) {
    for (const std::string_view prefix : prefixes)
        if (lies_in(token, prefix)) return true;
    return false;
}

}  // namespace

bool lies_in(std::string_view token, std::string_view prefix) {
    if (token.substr(0, prefix.size()) != prefix) return false;
    return token.size() == prefix.size() || token[prefix.size()] == '.';
}

bool in_scope(std::string_view component_type, const Tokens& scope) {
    return scope.empty() || lies_in_any(component_type, scope);
}

ResolvedScope resolve_scope(const Tokens& floor, const Tokens& requested) {
    ResolvedScope resolved;
    for (const std::string_view token : requested) {
        if (floor.empty() || lies_in_any(token, floor)) {
            add(resolved.scope, token);
            continue;
        }
        bool below = false;
        for (const std::string_view prefix : floor) {
            if (!lies_in(prefix, token)) continue;
            below = true;
            add(resolved.scope, prefix);
        }
        if (!below) add(resolved.rejected, token);
    }
    if (resolved.scope.empty()) resolved.scope = floor;
    return resolved;
}

Result<std::string> resolve_scope_text(std::string_view request) {
    JsonReader reader;
    const Result<JsonValue> object = reader.read(request, {std::size_t{1} << 24, bounds::kMaxJsonDepth});
    if (!object) return make_error(definition_codes::kInvalidDefinition, object.error().message, "scope");
    Tokens floor;
    Tokens requested;
    if (!read_texts(object->find("floor"), floor) || !read_texts(object->find("requested"), requested))
        return make_error(definition_codes::kInvalidDefinition, "Scopes are arrays of strings.", "scope");
    const ResolvedScope resolved = resolve_scope(floor, requested);
    std::string out = "{";
    append_texts(out, "scope", resolved.scope);
    append_texts(out, "rejected", resolved.rejected);
    return out + '}';
}

}  // namespace host_protocol
