#include "host_protocol/ids.h"

#include "host_protocol/text.h"

namespace host_protocol {
namespace {

constexpr std::size_t kMaxIdUnits = 128;
constexpr std::size_t kMaxInstanceIdLength = 128;
constexpr std::string_view kViewPrefix = "view:";
constexpr std::string_view kDomainPrefix = "domain:";

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_component_type(std::string_view text) {
    bool at_start = true;
    for (char c : text) {
        if (at_start ? !is_lower(c) : !(is_lower(c) || is_digit(c) || c == '-' || c == '.')) return false;
        at_start = c == '.';
    }
    return !at_start && text.size() <= kMaxIdUnits;
}

bool is_capability_name(std::string_view text) {
    if (text.empty() || !is_lower(text.front()) || text.size() > kMaxIdUnits) return false;
    for (char c : text) {
        if (!is_lower(c) && !is_upper(c) && !is_digit(c)) return false;
    }
    return true;
}

bool is_instance_id(std::string_view text) {
    if (text.empty() || text.size() > kMaxInstanceIdLength) return false;
    for (char c : text) {
        if (!is_lower(c) && !is_upper(c) && !is_digit(c) && c != '-' && c != '_') return false;
    }
    return true;
}

std::optional<CapabilityId> parse_capability_id(std::string_view id) {
    // Three bytes of UTF-8 per code unit at most: longer than that needs no counting.
    if (id.size() > 3 * kMaxIdUnits || !is_utf8(id) || utf16_length(id) > kMaxIdUnits) return std::nullopt;
    if (id.substr(0, kDomainPrefix.size()) == kDomainPrefix) {
        const std::string_view path = id.substr(kDomainPrefix.size());
        if (path.empty() || has_control_character(path)) return std::nullopt;
        return CapabilityId{Plane::domain, {}, {}, path};
    }
    if (id.substr(0, kViewPrefix.size()) != kViewPrefix) return std::nullopt;
    const std::string_view body = id.substr(kViewPrefix.size());
    const std::size_t dot = body.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const CapabilityId parts{Plane::view, body.substr(0, dot), body.substr(dot + 1), {}};
    if (!is_component_type(parts.component_type) || !is_capability_name(parts.name)) return std::nullopt;
    return parts;
}

}  // namespace host_protocol
