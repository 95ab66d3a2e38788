// Scopes: which part of the surface is spoken of (spec: host-protocol.md, "Catalog composition"). A request narrows the
// floor that the host set, and never widens it. Scope is discovery, never authority.
//
//     ResolvedScope resolved = resolve_scope(floor, requested);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/result.h"

namespace host_protocol {

struct ResolvedScope {
    std::vector<std::string_view> scope;     // empty: unscoped
    std::vector<std::string_view> rejected;  // requested tokens that lie outside the floor
};

/// Whether `token` is `prefix` or lies below it, on segment boundaries.
bool lies_in(std::string_view token, std::string_view prefix);
/// Whether a component type is in the scope; everything is in an empty one.
bool in_scope(std::string_view component_type, const std::vector<std::string_view>& scope);

/// A requested token stays when it lies in the floor, a token of the floor when it lies in a requested one. No request,
/// or one of which nothing stays, gives the floor; an empty floor holds everything. Each token once.
ResolvedScope resolve_scope(const std::vector<std::string_view>& floor, const std::vector<std::string_view>& requested);

/// `{"floor":[…],"requested"?:[…]}` in, `{"scope":[…],"rejected":[…]}` out. INVALID_DEFINITION for anything else.
Result<std::string> resolve_scope_text(std::string_view request);

}  // namespace host_protocol
