// The facade's view of what is live: contracts, mounts, updates, ends.
#include "registry_impl.h"

namespace viewcap {

using host_protocol::Error;
using host_protocol::JsonValue;
using host_protocol::Result;
using host_protocol::Status;

namespace codes = host_protocol::definition_codes;

namespace {

Error mistake(std::string message) { return host_protocol::make_error(codes::kInvalidDefinition, std::move(message)); }

}  // namespace

Result<InternedContract> Registry::Impl::interned(const Result<ContractHandle>& handle) const {
    if (!handle) return handle.error();
    InternedContract contract{*handle, {}};
    for (const Capability& capability : contracts.find(*handle)->capabilities)
        contract.capabilities.push_back(capability.name);
    return contract;
}

Result<InternedContract> Registry::intern_contract(JsonValue contract, JsonValue external) {
    return impl_->interned(impl_->contracts.intern(contract, external));
}

Result<InternedContract> Registry::intern_procedure(JsonValue request) {
    return impl_->interned(impl_->contracts.intern_procedure(request));
}

void Registry::known_paths(std::string_view text) {
    if (auto paths = impl_->reader.read(text, kDocument)) impl_->collisions.know(*paths);
}

Status Registry::Impl::check_names(const Contract& contract, const std::vector<std::uint32_t>& found) const {
    if (found.empty() || options.duplicate_suffix != SuffixPolicy::error) return host_protocol::ok();
    const std::string& name = contract.capabilities[found.front()].name;
    return host_protocol::make_error(
        codes::kPlaneViolation, concat({"component '", contract.type, "': '", name, "' is named like the procedure '",
                                        contract.type, ".", name, "'; rename one, or set duplicateSuffixPolicy"}));
}

Result<MountOutcome> Registry::mount(ContractHandle handle, std::string_view text, double now_in) {
    Impl& self = *impl_;
    const double now = self.at(now_in);
    std::shared_ptr<const Contract> contract = self.contracts.find(handle);
    if (!contract) return mistake("no contract has this handle");
    auto object = self.reader.read(text, kDocument);
    if (!object) return unreadable("the registration", object.error());
    auto request = read_mount_request(*object, *contract, self.options);
    if (!request) return request.error();
    if (self.surface.by_id(request->registration_id) != nullptr)
        return mistake(
            concat({"component '", contract->type, "': a registration id is used once, found one that is live"}));
    if (request->refused_by_guard) {
        self.log.rejected(*contract, request->instance_id, host_protocol::rejections::kGuard, now);
        return MountOutcome{};
    }
    // Many references to one procedure live side by side; of components one per instance.
    const bool component = !contract->is_procedure();
    Registration* holder = component ? self.surface.by_instance(contract->type, request->instance_id) : nullptr;
    if (holder != nullptr && self.options.on_duplicate == OnDuplicate::reject) {
        self.log.rejected(*contract, request->instance_id, host_protocol::rejections::kDuplicate, now);
        return MountOutcome{};
    }
    std::vector<std::uint32_t> collisions;
    if (component && self.options.duplicate_suffix != SuffixPolicy::off)
        collisions = self.collisions.of(*contract, self.surface);
    if (Status status = self.check_names(*contract, collisions); !status) return status.error();
    if (holder != nullptr) self.remove(*holder, now);
    Registration& added = viewcap::mount(self.surface, std::move(*request), std::move(contract));
    self.surface.bump();
    self.log.registered(added, now);
    for (std::uint32_t capability : collisions) self.log.collision_suspected(added, capability, now);
    self.log.surface_changed(self.surface.version());
    return MountOutcome{added.handle};
}

Status Registry::rebind(RegistrationHandle handle, ContractHandle contract_handle, double now) {
    Impl& self = *impl_;
    self.at(now);
    std::shared_ptr<const Contract> contract = self.contracts.find(contract_handle);
    Registration* reference = self.surface.by_handle(handle);
    if (reference == nullptr) return host_protocol::ok();
    if (!contract || !reference->reference || contract->type != reference->contract->type)
        return mistake(concat({"'", reference->contract->type,
                               "': only a reference to a procedure takes another contract, and only one of the same "
                               "procedure"}));
    if (contract == reference->contract) return host_protocol::ok();
    self.surface.rebind(*reference, std::move(contract));
    self.moved();
    return host_protocol::ok();
}

void Registry::Impl::remove_one(Registration& registration, double now) {
    const std::unique_ptr<Registration> gone = surface.remove(registration, now);
    // An idle registry holds no bytes of what it once offered.
    if (surface.empty()) views.clear();
    surface.bump();
    pipeline.unmounted(*gone, now);
    log.unregistered(*gone, now);
    log.surface_changed(surface.version());
}

void Registry::Impl::remove(Registration& registration, double now) {
    // The references first: what they offer is about a component that is still there.
    while (Registration* reference = surface.owned_by(registration)) {
        const RegistrationHandle handle = reference->handle;
        remove_one(*reference, now);
        outbox.gone(handle);
    }
    remove_one(registration, now);
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

void Registry::dispose(double now_in) {
    const double now = impl_->at(now_in);
    impl_->pipeline.dispose(now);
    std::vector<RegistrationHandle> live;
    for (const Registration* registration : impl_->surface.ordered({})) live.push_back(registration->handle);
    for (RegistrationHandle handle : live) unmount(handle, now);
}

}  // namespace viewcap
