// The facade's view of the catalog: what `when()` and `describe()` say now, projections, snapshots.
#include "catalog/snapshot_writer.h"
#include "registry_impl.h"

namespace viewcap {

using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;
using host_protocol::Status;

namespace {

Status no_report(std::string_view message) {
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition, std::string(message));
}

}  // namespace

void Registry::Impl::note_availability(const Registration& registration, std::uint32_t capability, bool before) {
    surface.note_change(registration.handle, capability);
    const bool after = registration.availability(capability).available;
    if (after != before) log.availability_changed(registration, capability, after);
}

Status Registry::Impl::take_gate(JsonValue gate) {
    std::uint32_t parts[3] = {0, 0, 0};
    std::size_t count = 0;
    std::string_view reason;
    if (gate.is(JsonType::array)) {
        for (JsonValue part : gate.elements()) {
            if (count < 3 && part.is(JsonType::number)) parts[count] = handle_of(part.number());
            if (count == 3 && part.is(JsonType::string)) reason = part.string();
            ++count;
        }
    }
    if (count < 3) return no_report("a gate needs three numbers");
    Registration* registration = surface.by_handle(parts[0]);
    if (registration == nullptr || parts[1] >= registration->contract->capabilities.size()) return host_protocol::ok();
    const bool before = registration->availability(parts[1]).available;
    if (registration->set_gate(parts[1], parts[2] != 0, reason)) note_availability(*registration, parts[1], before);
    return host_protocol::ok();
}

Status Registry::Impl::take_gates(JsonValue list) {
    if (!list.is(JsonType::array)) return host_protocol::ok();
    for (JsonValue gate : list.elements())
        if (Status status = take_gate(gate); !status) return status;
    return host_protocol::ok();
}

Status Registry::Impl::take_notes(JsonValue list) {
    if (!list.is(JsonType::array)) return host_protocol::ok();
    for (JsonValue note : list.elements()) {
        JsonValue parts[2];
        std::size_t count = 0;
        if (note.is(JsonType::array))
            for (JsonValue part : note.elements())
                if (count++ < 2) parts[count - 1] = part;
        const bool silent = parts[1].is(JsonType::null);
        if (count != 2 || !parts[0].is(JsonType::number) || (!silent && !parts[1].is(JsonType::string)))
            return no_report("a note is [registration, text or null]");
        Registration* registration = surface.by_handle(handle_of(parts[0].number()));
        if (registration != nullptr && registration->set_note(silent ? std::string_view() : parts[1].string()))
            surface.note_said();
    }
    return host_protocol::ok();
}

Status Registry::gates(std::string_view text, double now) {
    impl_->at(now);
    auto list = impl_->reader.read(text, kDocument);
    if (!list) return unreadable("the gates", list.error());
    return impl_->take_gates(*list);
}

Result<ProjectionView> Registry::project(std::string_view text, double now) {
    Impl& self = *impl_;
    self.at(now);
    std::vector<std::string> scope;
    JsonValue votes;
    std::string_view consumer;
    if (!text.empty()) {
        auto request = self.reader.read(text, kDocument);
        if (!request) return unreadable("the projection", request.error());
        if (Status status = self.take_gates(request->find("gates")); !status) return status.error();
        if (Status status = self.take_notes(request->find("notes")); !status) return status.error();
        auto read = read_scope(request->find("scope"));
        if (!read) return read.error();
        scope = std::move(*read);
        votes = request->find("votes");
        const JsonValue named = request->find("consumer");
        // Without votes everybody sees the same.
        if (votes && named.is(JsonType::string)) consumer = named.string();
    }
    ProjectionView view;
    Projection& projection = self.views.of(std::move(scope), consumer, view.view);
    if (Status status = projection.vote(votes); !status) return status.error();
    projection.refresh(self.surface, self.views.generations());
    view.generation = projection.generation();
    view.version = self.surface.version();
    view.descriptors = projection.bytes();
    view.state = projection.state();
    return view;
}

std::string Registry::wire_names(std::uint32_t index) {
    Projection* view = impl_->views.at(index);
    if (view == nullptr) return "{}";
    view->refresh(impl_->surface, impl_->views.generations());
    return view->names();
}

Result<std::string> Registry::snapshot(std::string_view text, double now) {
    Impl& self = *impl_;
    self.at(now);
    auto object = self.reader.read(text, kDocument);
    if (!object) return unreadable("the snapshot request", object.error());
    if (Status status = self.take_gates(object->find("gates")); !status) return status.error();
    if (Status status = self.take_notes(object->find("notes")); !status) return status.error();
    auto votes = Votes::read(object->find("votes"));
    if (!votes) return votes.error();
    auto request = read_snapshot_request(*object);
    if (!request) return request.error();
    return write_snapshot(self.surface, self.options.surface_id, *request, *votes);
}

}  // namespace viewcap
