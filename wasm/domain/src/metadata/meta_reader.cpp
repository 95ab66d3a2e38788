// The fields of meta.agent itself; its sections are in meta_sections.cpp.
#include "metadata/meta_reader.h"

#include "domain/registry.h"
#include "host_protocol/json_out.h"
#include "metadata/policy_facts.h"

namespace domain {

using host_protocol::concat;
using host_protocol::JsonValue;

namespace {

/// What JavaScript's trim takes away beyond ASCII, in UTF-8.
constexpr std::string_view kWideBlanks[] = {
    "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84",
    "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
    "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};

std::size_t blank_at(std::string_view text) {
    if (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')) return 1;
    for (std::string_view blank : kWideBlanks)
        if (text.starts_with(blank)) return blank.size();
    return 0;
}

bool is_blank(std::string_view text) {
    while (!text.empty()) {
        const std::size_t step = blank_at(text);
        if (step == 0) return false;
        text.remove_prefix(step);
    }
    return true;
}

}  // namespace

void MetaReader::read(JsonValue meta) {
    capability_.tool_names[0] = capability_.tool_names[1] = default_tool_name(capability_.id);
    if (!is_record(meta)) return report_.say_must_be({"meta.agent", meta}, kObject);
    read_description(field_of(meta, "description"));
    read_expose(field_of(meta, "expose"));
    const Field effect = field_of(meta, "sideEffect");
    const int effect_at = read_word(effect, listed(kSideEffects),
                                    is_text(effect.value) ? position_in(kSideEffects, effect.value.string()) : -1);
    if (effect_at >= 0) capability_.side_effect = static_cast<SideEffect>(effect_at);
    const Field risk = field_of(meta, "risk");
    const int risk_at =
        read_word(risk, listed(kRisks), is_text(risk.value) ? position_in(kRisks, risk.value.string()) : -1);
    if (risk_at >= 0) capability_.risk = static_cast<std::uint8_t>(risk_at);
    read_tags(field_of(meta, "tags"));
    read_positive(field_of(meta, "timeoutMs"), capability_.timeout_ms);
    read_flag(field_of(meta, "idempotent"), capability_.idempotent);
    read_retry(meta);
    read_approval(meta);
    read_redact(meta);
    read_policies(field_of(meta, "policies"));
    read_adapters(meta);
}

void MetaReader::read_description(Field description) {
    if (!is_text(description.value) || is_blank(description.value.string()))
        return report_.say_must_be(description, "a string that is not blank");
    capability_.description = description.value.string();
}

void MetaReader::read_expose(Field expose) {
    if (!is_record(expose.value)) return report_.say_must_be(expose, "an object of surfaces, each true or false");
    for (const auto& member : expose.value.members()) {
        const std::string_view key = authors_key(member.key);
        const auto surface = surface_named(key);
        if (!surface) {
            report_.say(concat({"expose must hold known surfaces only (", listed(kSurfaces), "); found the key ",
                                quoted_in_short(key)}));
        } else if (!is_boolean(member.value)) {
            // A surface that is undefined is one that is not named.
            if (fact_of(member.value) != "undefined")
                report_.say(must_be(concat({"expose.", key}), kFlag, member.value));
        } else if (member.value.boolean()) {
            capability_.exposed = static_cast<std::uint8_t>(capability_.exposed | bit(*surface));
        }
    }
}

int MetaReader::read_word(Field word, std::string_view allowed, int position) {
    if (position < 0) report_.say_must_be(word, concat({"one of ", allowed}));
    return position;
}

void MetaReader::read_tags(Field tags) {
    if (!tags) return;
    if (!is_list(tags.value)) return report_.say_must_be(tags, "an array of strings");
    for (JsonValue tag : tags.value.elements()) {
        if (!is_text(tag)) {
            capability_.tags.clear();
            return report_.say(concat({"tags must be an array of strings; found in it ", found(tag)}));
        }
        capability_.tags.emplace_back(tag.string());
    }
}

void MetaReader::read_policies(Field policies) {
    if (!policies) return;
    if (!is_list(policies.value)) return report_.say_must_be(policies, "an array of policies");
    std::size_t at = 0;
    bool is_expanded = false;
    for (JsonValue item : policies.value.elements()) {
        // From the first composite on, positions are no longer those of the author's list.
        is_expanded = is_expanded || host_protocol::is_true(item.find("composite"));
        const std::string place = concat({is_expanded ? "expanded " : "", "policies[", std::to_string(at++), "]"});
        Policy policy;
        const std::string fault = read_policy(item, place, PolicyOwner::capability, policy);
        if (fault.empty())
            capability_.policies.push_back(std::move(policy));
        else
            report_.say(fault);
    }
}

void MetaReader::read_flag(Field field, bool& into) {
    if (!field) return;
    if (!is_boolean(field.value)) return report_.say_must_be(field, kFlag);
    into = field.value.boolean();
}

void MetaReader::read_positive(Field field, std::optional<double>& into) {
    if (!field) return;
    if (!is_positive(field.value)) return report_.say_must_be(field, kPositive);
    into = field.value.number();
}

bool MetaReader::read_function(Field field) {
    if (!field) return false;
    if (!is_function(field.value)) report_.say_must_be(field, "a function");
    return is_function(field.value);
}

}  // namespace domain
