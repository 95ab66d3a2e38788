#include "metadata/policy_facts.h"

#include "host_protocol/json_out.h"
#include "metadata/field.h"

namespace domain {

using host_protocol::concat;
using host_protocol::JsonValue;

namespace {

std::string read_phases(Field phases, PolicyOwner owner, Policy& policy) {
    if (!phases && owner == PolicyOwner::capability) {
        policy.phases = bit(Phase::invocation);
        return {};
    }
    const std::string allowed = concat({"an array of phases (", listed(kPhases), ")"});
    if (!is_list(phases.value)) return must_be(phases.place, allowed, phases.value);
    policy.phases = 0;
    for (JsonValue item : phases.value.elements()) {
        const int at = is_text(item) ? position_in(kPhases, item.string()) : -1;
        if (at < 0) return concat({phases.place, " must be ", allowed, "; found in it ", found(item)});
        policy.phases = static_cast<std::uint8_t>(policy.phases | bit(static_cast<Phase>(at)));
    }
    return {};
}

}  // namespace

std::string read_policy(JsonValue item, std::string_view place, PolicyOwner owner, Policy& policy) {
    if (!is_record(item)) return must_be(place, "a policy, which is an object", item);
    const std::string name_place = concat({place, ".name"});
    const Field name = field_of(item, name_place);
    const bool may_be_empty = owner == PolicyOwner::capability;
    if (!is_text(name.value) || (name.value.string().empty() && !may_be_empty))
        return must_be(name_place, may_be_empty ? "a string" : "a non-empty string", name.value);
    policy.name = name.value.string();
    if (owner == PolicyOwner::capability) {
        const std::string evaluate_place = concat({place, ".evaluate"});
        const Field evaluate = field_of(item, evaluate_place);
        if (!is_function(evaluate.value)) return must_be(evaluate_place, "a function", evaluate.value);
    }
    const std::string phases_place = concat({place, ".phases"});
    return read_phases(field_of(item, phases_place), owner, policy);
}

}  // namespace domain
