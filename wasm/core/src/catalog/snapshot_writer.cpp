#include "catalog/snapshot_writer.h"

#include <algorithm>

#include "contract/fields.h"
#include "host_protocol/heap_sort.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

namespace codes = host_protocol::definition_codes;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

/// What the consumer sees of one registration.
struct Sight {
    const Registration& registration;
    const Votes& votes;
    bool include_unavailable;

    const Vote* vote(std::uint32_t capability) const { return votes.find(registration.handle, capability); }
    bool hides(std::uint32_t capability) const {
        const Vote* found = vote(capability);
        return found != nullptr && found->hides;
    }
    /// A component all of whose capabilities are hidden is hidden itself.
    bool hidden() const {
        const auto count = static_cast<std::uint32_t>(registration.contract->capabilities.size());
        for (std::uint32_t i = 0; i < count; ++i)
            if (!hides(i)) return false;
        return count > 0;
    }
};

void append_availability(std::string& out, const Availability& availability) {
    append_bool_member(out, "available", availability.available);
    if (!availability.available) append_text_member(out, "unavailableReason", availability.reason);
}

void append_capabilities(std::string& out, const Sight& sight, std::uint32_t begin, std::uint32_t end) {
    out += '[';
    for (std::uint32_t i = begin; i < end; ++i) {
        if (sight.hides(i)) continue;
        const Availability availability = availability_under(sight.vote(i), sight.registration, i);
        if (!availability.available && !sight.include_unavailable) continue;
        if (out.back() != '[') out += ',';
        out += sight.registration.contract->capabilities[i].snapshot_head;
        append_availability(out, availability);
        out += '}';
    }
    out += ']';
}

std::string component_text(const Sight& sight) {
    const Registration& registration = sight.registration;
    const Contract& contract = *registration.contract;
    std::string out = "{";
    append_text_member(out, "type", contract.type);
    append_text_member(out, "instanceId", registration.instance_id);
    append_text_member(out, "registrationId", registration.id);
    append_text_member(out, "description", contract.description);
    if (!registration.parent.empty()) append_json_member(out, "parent", registration.parent);
    if (!contract.meta.empty()) append_json_member(out, "meta", contract.meta);
    if (!contract.tags.empty()) append_json_member(out, "tags", contract.tags);
    append_key(out, "observations");
    append_capabilities(out, sight, 0, contract.observation_count);
    append_key(out, "actions");
    append_capabilities(out, sight, contract.observation_count,
                        static_cast<std::uint32_t>(contract.capabilities.size()));
    return out + "}";
}

std::string procedure_text(const Sight& sight, const Availability& availability) {
    const Registration& registration = sight.registration;
    const Capability& capability = registration.contract->capabilities.front();
    const ReferenceFacts& facts = *registration.reference;
    std::string out = capability.snapshot_head;
    if (!facts.note.empty()) append_text_member(out, "contextualNote", facts.note);
    out += capability.snapshot_schemas;
    append_availability(out, availability);
    out += capability.snapshot_bound;
    append_text_member(out, "registrationId", registration.id);
    append_context(out, registration);
    const std::string& meta = facts.meta.empty() ? capability.meta : facts.meta;
    if (!meta.empty()) append_json_member(out, "meta", meta);
    return out + "}";
}

/// A JSON array that takes elements while they fit, in the order given; the rest is counted.
class Shelf {
  public:
    Shelf(std::size_t room, std::size_t most) : room_(room), most_(most) {}
    /// `write` gives the element's text; it is not asked once something was dropped.
    template <class Write>
    void add(Write write) {
        const std::string text = dropped_ == 0 && kept_ < most_ ? write() : std::string();
        if (text.empty() || out_.size() + text.size() + 2 > room_) {
            ++dropped_;
            return;
        }
        if (kept_++ > 0) out_ += ',';
        out_ += text;
    }
    std::string text() const { return out_ + "]"; }
    std::size_t dropped() const { return dropped_; }

  private:
    std::string out_ = "[";
    std::size_t room_;
    std::size_t most_;
    std::size_t kept_ = 0;
    std::size_t dropped_ = 0;
};

std::string truncated_text(std::size_t components, std::size_t procedures) {
    std::string out;
    if (components + procedures == 0) return out;
    out = ",\"truncated\":{\"droppedComponents\":" + std::to_string(components);
    if (procedures > 0) out += ",\"droppedProcedures\":" + std::to_string(procedures);
    return out + "}";
}

}  // namespace

std::string write_snapshot(const Surface& surface, const std::string& surface_id, const SnapshotRequest& request,
                           const Votes& votes) {
    std::string head = "{";
    append_text_member(head, "surfaceId", surface_id);
    append_text_member(head, "surfaceVersion", std::to_string(surface.version()));
    append_text_member(head, "capturedAt", request.captured_at);
    if (!request.route.empty()) append_text_member(head, "route", request.route);
    append_key(head, "components");

    const std::vector<const Registration*> list = surface.ordered(request.scope);
    // What maxBytes leaves beside the frame, the widest `truncated` included.
    constexpr std::size_t kTail =
        std::string_view(
            ",\"procedures\":,\"truncated\":{\"droppedComponents\":4294967295,\"droppedProcedures\":4294967295}}")
            .size();
    const std::size_t frame = head.size() + kTail;
    const std::size_t room = request.max_bytes > frame ? request.max_bytes - frame : 0;
    constexpr std::size_t kEmptyArray = 2;
    Shelf procedures(room > kEmptyArray ? room - kEmptyArray : 0, list.size());
    for (const Registration* registration : list) {
        const Sight sight{*registration, votes, request.include_unavailable};
        if (!registration->reference || sight.hidden()) continue;
        const Availability availability = availability_under(sight.vote(0), *registration, 0);
        if (availability.available || request.include_unavailable)
            procedures.add([&] { return procedure_text(sight, availability); });
    }
    const std::string procedures_text = procedures.text();
    Shelf components(room > procedures_text.size() ? room - procedures_text.size() : 0, request.max_components);
    for (const Registration* registration : list) {
        const Sight sight{*registration, votes, request.include_unavailable};
        if (!registration->reference && !sight.hidden()) components.add([&] { return component_text(sight); });
    }
    return head + components.text() + ",\"procedures\":" + procedures_text +
           truncated_text(components.dropped(), procedures.dropped()) + "}";
}

Result<std::vector<std::string>> read_scope(JsonValue list) {
    std::vector<std::string> scope;
    if (!list) return scope;
    FieldReader fields(list, "scope");
    bool good = list.is(JsonType::array);
    if (good) {
        for (JsonValue element : list.elements()) {
            good = good && element.is(JsonType::string) && !element.string().empty();
            if (good) scope.emplace_back(element.string());
        }
    }
    if (!good) {
        fields.refuse(codes::kInvalidDefinition, "",
                      "must be a list of component-type prefixes, such as [\"invoices\"]");
        return fields.error();
    }
    host_protocol::heap_sort(scope.begin(), scope.end());
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
    return scope;
}

Result<SnapshotRequest> read_snapshot_request(JsonValue object) {
    SnapshotRequest request;
    FieldReader fields(object, "snapshot");
    fields.allow({"gates", "notes", "votes", "scope", "includeUnavailable", "budget", "capturedAt", "route"});
    auto scope = read_scope(object.find("scope"));
    if (!scope) return scope.error();
    request.scope = std::move(*scope);
    request.include_unavailable = fields.flag("includeUnavailable", true);
    request.captured_at = fields.required_text("capturedAt", 64);
    request.route = fields.optional_text("route", "", 4096);
    if (fields.failed()) return fields.error();
    if (const JsonValue budget = object.find("budget")) {
        FieldReader limits(budget, "snapshot budget");
        if (!budget.is(JsonType::object)) {
            limits.refuse(codes::kInvalidDefinition, "", concat({"must be an object, found ", kind_of(budget)}));
            return limits.error();
        }
        limits.allow({"maxComponents", "maxBytes"});
        request.max_components = limits.count("maxComponents", request.max_components);
        request.max_bytes = limits.count("maxBytes", request.max_bytes);
        if (limits.failed()) return limits.error();
    }
    return request;
}

}  // namespace viewcap
