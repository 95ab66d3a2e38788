// The facade: brings the parts together and owns no rule of its own beyond their order.
#include "viewcap/registry.h"

#include <algorithm>

#include "audit/event_log.h"
#include "catalog/projection.h"
#include "catalog/snapshot_writer.h"
#include "contract/contract_store.h"
#include "host_protocol/vocabulary.h"
#include "invocation/pipeline.h"
#include "json_out.h"
#include "registration/mounting.h"
#include "registration/surface.h"

namespace viewcap {
namespace {

using host_protocol::Error;
using host_protocol::JsonLimits;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;
using host_protocol::Status;

/// Texts that the JavaScript side makes of an author's values: bounded well above what any limit lets pass.
constexpr JsonLimits kDocument{std::size_t{16} << 20, 64};
/// Projections kept: one per scope that is in use.
constexpr std::size_t kMaxViews = 8;

Error unreadable(std::string_view what, const Error& fault) {
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                     std::string(what) + " is not readable: " + fault.message, fault.path);
}

}  // namespace

struct Registry::Impl {
    explicit Impl(RegistryOptions given)
        : options(std::move(given)),
          contracts(options),
          surface(options.limits),
          log(outbox),
          pipeline(options, surface, outbox, log) {}

    /// Time never runs backwards: what has expired stays expired.
    double at(double now) {
        latest = std::max(latest, now);
        return latest;
    }
    void moved() {
        surface.bump();
        log.surface_changed(surface.version());
    }
    void remove(Registration& registration, double now);
    void note_availability(const Registration& registration, std::uint32_t capability, bool before);
    Status take_gate(JsonValue gate);
    Status take_gates(JsonValue list);
    Projection& view_of(std::vector<std::string> scope, std::uint32_t& index);

    RegistryOptions options;
    Outbox outbox;
    ContractStore contracts;
    Surface surface;
    EventLog log;
    Pipeline pipeline;
    std::vector<Projection> views;
    std::size_t next_view = 0;
    std::uint32_t generations = 0;
    host_protocol::JsonReader reader;
    double latest = 0;
};

void Registry::Impl::remove(Registration& registration, double now) {
    const std::unique_ptr<Registration> gone = surface.remove(registration, now);
    // An idle registry holds no bytes of what it once offered.
    if (surface.empty()) {
        std::vector<Projection>().swap(views);
        next_view = 0;
    }
    surface.bump();
    pipeline.unmounted(*gone, now);
    log.unregistered(*gone, now);
    log.surface_changed(surface.version());
}

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
    if (count < 3)
        return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                         "a gate needs three numbers");
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

Projection& Registry::Impl::view_of(std::vector<std::string> scope, std::uint32_t& index) {
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (views[i].scope() != scope) continue;
        index = static_cast<std::uint32_t>(i);
        return views[i];
    }
    index = static_cast<std::uint32_t>(next_view);
    if (views.size() < kMaxViews)
        views.emplace_back(std::move(scope));
    else
        views[next_view] = Projection(std::move(scope));
    next_view = (next_view + 1) % kMaxViews;
    return views[index];
}

Registry::Registry(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Registry::~Registry() = default;

Result<std::unique_ptr<Registry>> Registry::create(JsonValue options, host_protocol::PatternMatch match) {
    auto read = read_options(options, match);
    if (!read) return read.error();
    return std::unique_ptr<Registry>(new Registry(std::make_unique<Impl>(std::move(*read))));
}

void Registry::listen(unsigned mask) { impl_->log.listen(mask); }
std::uint64_t Registry::version() const { return impl_->surface.version(); }
Outbox& Registry::outbox() { return impl_->outbox; }

Result<InternedContract> Registry::intern_contract(JsonValue contract, JsonValue external) {
    auto handle = impl_->contracts.intern(contract, external);
    if (!handle) return handle.error();
    InternedContract interned{*handle, {}};
    for (const Capability& capability : impl_->contracts.find(*handle)->capabilities)
        interned.capabilities.push_back(capability.name);
    return interned;
}

Result<MountOutcome> Registry::mount(ContractHandle handle, std::string_view text, double now_in) {
    Impl& self = *impl_;
    const double now = self.at(now_in);
    std::shared_ptr<const Contract> contract = self.contracts.find(handle);
    if (!contract)
        return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                         "no contract has this handle");
    auto object = self.reader.read(text, kDocument);
    if (!object) return unreadable("the registration", object.error());
    auto request = read_mount_request(*object, *contract);
    if (!request) return request.error();
    if (self.surface.by_id(request->registration_id) != nullptr)
        return host_protocol::make_error(
            host_protocol::definition_codes::kInvalidDefinition,
            concat({"component '", contract->type, "': a registration id is used once, found one that is live"}));
    if (request->refused_by_guard) {
        self.log.rejected(contract->type, request->instance_id, host_protocol::rejections::kGuard, now);
        return MountOutcome{};
    }
    if (Registration* holder = self.surface.by_instance(contract->type, request->instance_id)) {
        if (self.options.on_duplicate == OnDuplicate::reject) {
            self.log.rejected(contract->type, request->instance_id, host_protocol::rejections::kDuplicate, now);
            return MountOutcome{};
        }
        self.remove(*holder, now);
    }
    Registration& added =
        self.surface.add(std::move(request->registration_id), std::move(contract), std::move(request->instance_id));
    added.parent = std::move(request->parent);
    added.set_enabled(request->enabled);
    self.surface.bump();
    self.log.registered(added, now);
    self.log.surface_changed(self.surface.version());
    return MountOutcome{added.handle};
}

void Registry::unmount(RegistrationHandle handle, double now) {
    if (Registration* registration = impl_->surface.by_handle(handle)) impl_->remove(*registration, impl_->at(now));
}

Status Registry::update(RegistrationHandle handle, std::string_view text, double now) {
    Impl& self = *impl_;
    self.at(now);
    Registration* registration = self.surface.by_handle(handle);
    if (registration == nullptr) return host_protocol::ok();
    auto patch = self.reader.read(text, kDocument);
    if (!patch) return unreadable("the update", patch.error());
    std::vector<std::uint8_t> before;
    for (std::uint32_t i = 0; i < registration->contract->capabilities.size(); ++i)
        before.push_back(registration->availability(i).available ? 1 : 0);
    auto outcome = apply_update(*registration, *patch);
    if (!outcome) return outcome.error();
    for (std::uint32_t capability : outcome->touched)
        self.note_availability(*registration, capability, before[capability] != 0);
    if (outcome->effective) self.moved();
    return host_protocol::ok();
}

Status Registry::gates(std::string_view text, double now) {
    impl_->at(now);
    auto list = impl_->reader.read(text, kDocument);
    if (!list) return unreadable("the gates", list.error());
    return impl_->take_gates(*list);
}

Answer Registry::begin(std::string_view envelope, double now) {
    return impl_->pipeline.begin(envelope, impl_->at(now));
}

Answer Registry::advance(InvocationHandle invocation, AdvanceStep step, std::string_view text, double now) {
    return impl_->pipeline.advance(invocation, step, text, impl_->at(now));
}

Answer Registry::settle(InvocationHandle invocation, SettleOutcome outcome, std::string_view text, double now) {
    return impl_->pipeline.settle(invocation, outcome, text, impl_->at(now));
}

double Registry::expire(double now) { return impl_->pipeline.expire(impl_->at(now)); }

bool Registry::resolve_confirmation(std::string_view text, double now) {
    auto decision = impl_->reader.read(text, kDocument);
    if (!decision) return false;
    const JsonValue id = decision->find("id");
    const JsonValue approved = decision->find("approved");
    const bool yes = approved.is(JsonType::boolean) && approved.boolean();
    return id.is(JsonType::string) && impl_->pipeline.confirmations().resolve(id.string(), yes, impl_->at(now));
}

std::string Registry::confirmations(double now) { return impl_->pipeline.confirmations().pending(impl_->at(now)); }

Result<ProjectionView> Registry::project(std::string_view text, double now) {
    Impl& self = *impl_;
    self.at(now);
    std::vector<std::string> scope;
    if (!text.empty()) {
        auto request = self.reader.read(text, kDocument);
        if (!request) return unreadable("the projection", request.error());
        if (Status status = self.take_gates(request->find("gates")); !status) return status.error();
        auto read = read_scope(request->find("scope"));
        if (!read) return read.error();
        scope = std::move(*read);
    }
    ProjectionView view;
    Projection& projection = self.view_of(std::move(scope), view.view);
    projection.refresh(self.surface, self.generations);
    view.generation = projection.generation();
    view.version = self.surface.version();
    view.descriptors = projection.bytes();
    view.state = projection.state();
    return view;
}

std::string Registry::wire_names(std::uint32_t view) {
    if (view >= impl_->views.size()) return "{}";
    impl_->views[view].refresh(impl_->surface, impl_->generations);
    return impl_->views[view].names();
}

Result<std::string> Registry::snapshot(std::string_view text, double now) {
    Impl& self = *impl_;
    self.at(now);
    auto object = self.reader.read(text, kDocument);
    if (!object) return unreadable("the snapshot request", object.error());
    if (Status status = self.take_gates(object->find("gates")); !status) return status.error();
    auto request = read_snapshot_request(*object);
    if (!request) return request.error();
    return write_snapshot(self.surface, self.options.surface_id, *request);
}

void Registry::dispose(double now_in) {
    const double now = impl_->at(now_in);
    impl_->pipeline.dispose(now);
    for (const Registration* registration : impl_->surface.ordered({}))
        impl_->remove(*impl_->surface.by_handle(registration->handle), now);
}

}  // namespace viewcap
