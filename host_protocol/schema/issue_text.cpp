#include "schema/issue_text.h"

#include "host_protocol/text.h"

namespace host_protocol::schema_detail {
namespace {

constexpr std::size_t kMaxListed = 160;

std::string clipped(std::string_view text) {
    const std::string_view kept = clip_utf16(text, kMaxListed);
    return std::string(kept) + (kept.size() < text.size() ? "…" : "");
}

}  // namespace

std::string type_text(const Rule& rule) {
    std::string text = "must be ";
    append_type_names(text, rule.types);
    return text + " (type)";
}

std::string values_text(const Program& program, const Rule& rule) {
    if (rule.value_count == 0) return "no value is allowed here (enum)";
    std::string listed;
    for (std::uint32_t i = 0; i < rule.value_count && listed.size() <= kMaxListed; ++i) {
        if (i > 0) listed += ", ";
        listed += program.values[rule.values + i].raw();
    }
    return rule.is_const ? "must be " + clipped(listed) + " (const)" : "must be one of " + clipped(listed) + " (enum)";
}

std::string pattern_text(const Rule& rule) { return "must match " + clipped(rule.pattern) + " (pattern)"; }

std::string undeclared_text(const Program& program, const Rule& rule) {
    std::string listed;
    for (std::uint32_t i = 0; i < rule.property_count && listed.size() <= kMaxListed; ++i) {
        const Property& property = program.properties[rule.properties + i];
        if (!property.declared) continue;
        if (!listed.empty()) listed += ", ";
        listed += property.name;
    }
    if (listed.empty()) return "no member is allowed here (additionalProperties)";
    return "is not allowed here; declared are " + clipped(listed) + " (additionalProperties)";
}

std::string bound_text(std::string_view wanted, double bound, std::string_view unit, std::string_view keyword) {
    std::string text(wanted);
    append_json_number(text, bound);
    text += unit;
    text += " (";
    text += keyword;
    return text + ")";
}

}  // namespace host_protocol::schema_detail
