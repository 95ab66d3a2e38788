// The facade: executions and listings by handle. No rule lives here.
#include "domain/runtime.h"

#include "domain/approval.h"
#include "domain/value_facts.h"
#include "execution/execution.h"
#include "host_protocol/json_out.h"

namespace domain {

using host_protocol::JsonDocument;
using host_protocol::JsonReader;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

namespace {

struct Listing {
    Discovery discovery;
    Surface surface;
    ActorFacts actor;
};

}  // namespace

struct GovernedRuntime::Impl {
    Impl(SharedRegistry shared, RuntimeOptions checked)
        : registry(std::move(shared)), options(std::move(checked)), warnings(startup_warnings(*registry, options)) {
        audit.listen(options.has_sinks);
    }

    SharedRegistry registry;
    RuntimeOptions options;
    std::vector<std::string> warnings;
    AuditLog audit;
    JsonReader reader;
    std::map<ExecutionHandle, Execution> executions;
    std::map<std::uint32_t, Listing> listings;
    std::uint32_t next_handle = 1;

    std::uint32_t new_handle() {
        // After the last number it starts anew; whoever is still open keeps his.
        while (next_handle == 0 || executions.count(next_handle) > 0 || listings.count(next_handle) > 0) ++next_handle;
        return next_handle++;
    }
    Step kept_while_open(Execution& execution, ExecutionHandle handle, Step step) {
        if (execution.has_ended()) executions.erase(handle);
        return step;
    }
    template <class Start>
    Step open(std::string_view request, double now, Start start) {
        const auto root = reader.read(request, kToldLimits);
        if (!root || !root->is(JsonType::array) || root->size() == 0) return {};
        const ExecutionHandle handle = new_handle();
        const std::string id(host_protocol::text_or(*root->elements().begin(), ""));
        const auto at = executions.emplace(handle, Execution({*registry, options, audit}, handle, id, now)).first;
        return kept_while_open(at->second, handle, start(at->second, *root));
    }
    DiscoveryStep advance(std::uint32_t handle, Listing& listing, double clock, double now);
};

Result<std::unique_ptr<GovernedRuntime>> GovernedRuntime::create(SharedRegistry registry, JsonValue facts) {
    auto options = read_runtime_options(facts);
    if (!options) return options.error();
    return std::unique_ptr<GovernedRuntime>(
        new GovernedRuntime(std::make_unique<Impl>(std::move(registry), std::move(*options))));
}

GovernedRuntime::GovernedRuntime(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GovernedRuntime::~GovernedRuntime() = default;

const std::vector<std::string>& GovernedRuntime::warnings() const { return impl_->warnings; }
const CapabilityRegistry& GovernedRuntime::registry() const { return *impl_->registry; }
double GovernedRuntime::policy_timeout_ms() const { return impl_->options.policy_timeout_ms; }
AuditLog& GovernedRuntime::audit() { return impl_->audit; }
std::size_t GovernedRuntime::open_count() const { return impl_->executions.size() + impl_->listings.size(); }

std::vector<std::uint32_t> GovernedRuntime::batch_positions(std::uint32_t capability, Phase phase) const {
    std::vector<std::uint32_t> positions;
    if (capability >= impl_->registry->size() || phase > Phase::execution) return positions;
    std::uint32_t at = 0;
    const std::vector<Policy>* lists[] = {&impl_->options.policies, &impl_->registry->at(capability).policies};
    for (const std::vector<Policy>* list : lists)
        for (const Policy& policy : *list) {
            if (policy.applies_to(phase)) positions.push_back(at);
            ++at;
        }
    return positions;
}

Step GovernedRuntime::begin(std::string_view request, double now) {
    return impl_->open(request, now,
                       [now](Execution& execution, JsonValue root) { return execution.begin(root, now); });
}

Step GovernedRuntime::resume(std::string_view request, double now) {
    return impl_->open(request, now,
                       [now](Execution& execution, JsonValue root) { return execution.resume(root, now); });
}

Step GovernedRuntime::tell(ExecutionHandle handle, Told told, std::string_view text, bool aborted, double now) {
    const auto found = impl_->executions.find(handle);
    if (found == impl_->executions.end()) return {};
    return impl_->kept_while_open(found->second, handle, found->second.tell(told, text, aborted, now));
}

Result<DiscoveryStep> GovernedRuntime::describe(std::string_view request, double clock, double now) {
    const auto root = impl_->reader.read(request, kToldLimits);
    if (!root) return root.error();
    JsonValue parts[3];
    std::size_t count = 0;
    if (root->is(JsonType::array))
        for (JsonValue part : root->elements())
            if (count < 3) parts[count++] = part;
    ActorFacts actor = read_actor(parts[1]);
    if (!actor.is_well_formed)
        return host_protocol::make_error(
            "INVALID_DEFINITION",
            host_protocol::concat({"actor is ", found(parts[1]),
                                   "; an object with a non-empty id and a kind of user, service, automation or "
                                   "anonymous is needed"}),
            "actor");
    auto scope = read_scope(parts[2].is(JsonType::null) ? JsonValue() : parts[2]);
    if (!scope) return scope.error();
    const auto surface = surface_named(host_protocol::text_or(parts[0], ""));
    if (!surface)
        return host_protocol::make_error("INVALID_DEFINITION",
                                         host_protocol::concat({"surface is ", found(parts[0]),
                                                                "; direct, aiSdk, mcp, workflow or test is allowed"}),
                                         "surface");
    const std::uint32_t handle = impl_->new_handle();
    Listing listing{Discovery(impl_->registry, impl_->options, *surface, *scope, clock), *surface, std::move(actor)};
    const auto at = impl_->listings.emplace(handle, std::move(listing)).first;
    return impl_->advance(handle, at->second, clock, now);
}

DiscoveryStep GovernedRuntime::Impl::advance(std::uint32_t handle, Listing& listing, double clock, double now) {
    DiscoveryStep step;
    step.discovery = handle;
    if (const auto candidate = listing.discovery.take(clock)) {
        step.kind = DiscoveryStep::Kind::run;
        step.capability = *candidate;
        step.timeout_ms = listing.discovery.batch_timeout(clock);
        return step;
    }
    if (listing.discovery.is_over_budget()) {
        step.kind = DiscoveryStep::Kind::over_budget;
        listings.erase(handle);
        return step;
    }
    if (!listing.discovery.is_finished()) {
        step.kind = DiscoveryStep::Kind::wait;
        return step;
    }
    step.kind = DiscoveryStep::Kind::finished;
    step.listing = listing.discovery.listing();
    if (audit.wanted()) {
        std::vector<std::string_view> ids;
        for (const Listed& listed : step.listing) ids.push_back(registry->at(listed.capability).id);
        audit.discovered(name_of(listing.surface), listing.actor, ids, options.verbose_audit, now);
    }
    listings.erase(handle);
    return step;
}

DiscoveryStep GovernedRuntime::next_candidate(std::uint32_t handle, double clock, double now) {
    const auto found = impl_->listings.find(handle);
    return found == impl_->listings.end() ? DiscoveryStep{} : impl_->advance(handle, found->second, clock, now);
}

DiscoveryStep GovernedRuntime::reported(std::uint32_t handle, std::uint32_t capability, std::string_view outcomes,
                                        double clock, double now) {
    const auto found = impl_->listings.find(handle);
    if (found == impl_->listings.end() || capability >= impl_->registry->size()) return {};
    const auto batch = batch_of(impl_->options.policies, impl_->registry->at(capability), Phase::discovery);
    BatchOutcome outcome;
    if (outcomes.empty()) {
        outcome = combine(batch, JsonValue());
    } else if (const auto read = impl_->reader.read(outcomes, kToldLimits)) {
        outcome = combine(batch, *read);
    } else {
        outcome.verdict = Verdict::failure;
    }
    found->second.discovery.report(capability, outcome, clock);
    return impl_->advance(handle, found->second, clock, now);
}

void GovernedRuntime::approval_decided(std::string_view text, double now) {
    if (!impl_->audit.wanted()) return;
    const auto document = JsonDocument::read(std::string(text), kToldLimits);
    if (!document) return;
    const JsonValue root = document->root();
    const auto record = read_stored_approval(root.find("record"));
    if (!record) return;
    const ActorFacts approver = read_actor(root.find("approver"));
    const Envelope call{record->surface, &approver, {}, record->capability_id, {}, record->input_hash};
    impl_->audit.decided(host_protocol::is_true(root.find("approved")), call, record->id,
                         host_protocol::text_or(root.find("comment"), ""), now);
}

}  // namespace domain
