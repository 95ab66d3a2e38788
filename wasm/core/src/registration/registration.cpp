#include "registration/registration.h"

#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

using host_protocol::reasons::kComponentDisabled;
using host_protocol::reasons::kUnavailable;
constexpr std::size_t kMaxReasonUnits = 300;

/// Sets `slot` to the clipped reason; whether it changed.
bool assign(std::string& slot, std::string_view reason) {
    const std::string_view clipped = host_protocol::clip_utf16(reason.empty() ? kUnavailable : reason, kMaxReasonUnits);
    if (slot == clipped) return false;
    slot = clipped;
    return true;
}

}  // namespace

Registration::Registration(RegistrationHandle handle_in, std::string id_in, std::shared_ptr<const Contract> contract_in,
                           std::string instance_id_in)
    : handle(handle_in),
      id(std::move(id_in)),
      contract(std::move(contract_in)),
      instance_id(std::move(instance_id_in)),
      bits_(contract->capabilities.size(), std::uint8_t{0}) {}

AuditLevel Registration::audit_level(std::uint32_t capability) const {
    const int set = bits_[capability] >> kAuditShift;
    return set != 0 ? static_cast<AuditLevel>(set - 1) : contract->capabilities[capability].audit;
}

void Registration::set_audit_level(std::uint32_t capability, AuditLevel level) {
    const int kept = bits_[capability] & ((1 << kAuditShift) - 1);
    bits_[capability] = static_cast<std::uint8_t>(kept | ((static_cast<int>(level) + 1) << kAuditShift));
}

std::string_view Registration::scope_name() const {
    if (!reference) return contract->type;
    return reference->owner_type.empty() ? std::string_view(contract->capabilities.front().name)
                                         : std::string_view(reference->owner_type);
}

bool Registration::set_note(std::string_view note) {
    if (!reference) return false;
    const std::string_view clipped = host_protocol::clip_utf16(note, kMaxReasonUnits);
    if (reference->note == clipped) return false;
    reference->note = clipped;
    return true;
}

Registration::Reasons& Registration::reasons() {
    if (!reasons_) reasons_ = std::make_unique<Reasons>();
    return *reasons_;
}

std::string_view Registration::reason_in(bool gates, std::uint32_t capability) const {
    if (!reasons_) return kUnavailable;
    const auto& map = gates ? reasons_->gates : reasons_->overrides;
    const auto found = map.find(capability);
    return found == map.end() ? kUnavailable : std::string_view(found->second);
}

Availability Registration::availability_before_gates(std::uint32_t capability) const {
    if (!enabled_) return {false, kComponentDisabled};
    if ((bits_[capability] & kOverrideUnavailable) != 0) return {false, reason_in(false, capability)};
    return {};
}

Availability Registration::availability(std::uint32_t capability) const {
    Availability before = availability_before_gates(capability);
    if (!before.available) return before;
    if ((bits_[capability] & kGateClosed) != 0) return {false, reason_in(true, capability)};
    return {};
}

bool Registration::set_enabled(bool enabled) {
    const bool changed = enabled_ != enabled;
    enabled_ = enabled;
    return changed;
}

bool Registration::set_override(std::uint32_t capability, bool available, std::string_view reason) {
    const std::uint8_t before = bits_[capability];
    auto after = static_cast<std::uint8_t>((before | kOverridden) & ~kOverrideUnavailable);
    bool changed = false;
    if (!available) {
        after |= kOverrideUnavailable;
        changed = assign(reasons().overrides[capability], reason);
    } else if (reasons_) {
        reasons_->overrides.erase(capability);
    }
    bits_[capability] = after;
    return changed || after != before;
}

bool Registration::clear_override(std::uint32_t capability) {
    const std::uint8_t before = bits_[capability];
    bits_[capability] = static_cast<std::uint8_t>(before & ~(kOverridden | kOverrideUnavailable));
    if (reasons_) reasons_->overrides.erase(capability);
    return bits_[capability] != before;
}

bool Registration::set_gate(std::uint32_t capability, bool open, std::string_view reason) {
    const std::uint8_t before = bits_[capability];
    bool changed = false;
    if (open) {
        bits_[capability] = static_cast<std::uint8_t>(before & ~kGateClosed);
        if (reasons_) reasons_->gates.erase(capability);
    } else {
        bits_[capability] = static_cast<std::uint8_t>(before | kGateClosed);
        changed = assign(reasons().gates[capability], reason);
    }
    return changed || bits_[capability] != before;
}

void append_context(std::string& out, const Registration& registration) {
    if (!registration.reference || registration.reference->owner_type.empty()) return;
    append_key(out, "context");
    out += '{';
    append_text_member(out, "type", registration.reference->owner_type);
    append_text_member(out, "instanceId", registration.instance_id);
    out += '}';
}

}  // namespace viewcap
