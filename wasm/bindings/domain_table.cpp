#include "domain_table.h"

#include <cmath>

#include "domain/approval.h"
#include "domain_plane.h"
#include "host_protocol/json_out.h"
#include "host_protocol/wire_names.h"

namespace viewcap::domain_table {
namespace {

using boundary::crossing;
using boundary::guarded;
using boundary::take_text;
using host_protocol::JsonValue;

constexpr int kFault = -1;
/// An answer's code is what is asked, and this where events wait.
constexpr int kEventsWait = 16;

template <class Body>
int with_runtime(int handle, Body body) {
    return guarded(kFault, [&] {
        const auto found = plane().runtimes.find(handle);
        if (found != plane().runtimes.end()) return body(*found->second);
        take_text();
        return boundary::fail(gone("runtime"));
    });
}

/// Times come from a clock of the application's; what is none would be no number in an event either.
double finite(double time) { return std::isfinite(time) ? time : 0; }

int events_of(domain::GovernedRuntime& runtime) { return runtime.audit().empty() ? 0 : kEventsWait; }

int answered(domain::GovernedRuntime& runtime, domain::Step step) {
    double* out = crossing().area.numbers;
    out[0] = step.execution;
    out[1] = static_cast<double>(step.capability);
    out[2] = step.number;
    out[boundary::kTextBytes] = step.text.empty() ? 0 : boundary::leave_text(std::move(step.text));
    return static_cast<int>(step.ask) + events_of(runtime);
}

int answered(domain::GovernedRuntime& runtime, const domain::DiscoveryStep& step) {
    double* out = crossing().area.numbers;
    out[0] = step.discovery;
    out[1] = step.capability;
    out[2] = step.timeout_ms;
    out[boundary::kTextBytes] = 0;
    if (step.kind == domain::DiscoveryStep::Kind::finished) {
        // Each capability's position, doubled; odd where an approval is needed.
        std::vector<std::uint32_t> listing;
        for (const domain::Listed& listed : step.listing)
            listing.push_back(listed.capability * 2 + (listed.requires_approval ? 1 : 0));
        out[boundary::kTextBytes] = boundary::leave_text(numbers(listing));
    }
    return static_cast<int>(step.kind) + events_of(runtime);
}

}  // namespace

int create_runtime(int handle) {
    return text_of([&] {
        return with_registry(handle, [](const domain::SharedRegistry& registry) {
            return with_document([&](JsonValue facts) {
                auto runtime = domain::GovernedRuntime::create(registry, facts);
                if (!runtime) return boundary::error_text(runtime.error());
                const int created = plane().next++;
                const std::string warnings = texts((*runtime)->warnings());
                const double timeout = (*runtime)->policy_timeout_ms();
                plane().runtimes.emplace(created, std::move(*runtime));
                std::string members = "\"runtime\":" + std::to_string(created) + ",\"warnings\":" + warnings;
                host_protocol::append_number_member(members, "policyTimeoutMs", timeout);
                return ok(members);
            });
        });
    });
}

int batch(int handle, int capability, int phase) {
    return with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        return boundary::leave_text(numbers(
            runtime.batch_positions(static_cast<std::uint32_t>(capability), static_cast<domain::Phase>(phase))));
    });
}

int begin(int handle, double now) {
    return with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        return answered(runtime, runtime.begin(take_text(), finite(now)));
    });
}

int resume(int handle, double now) {
    return with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        return answered(runtime, runtime.resume(take_text(), finite(now)));
    });
}

int tell(int handle, int execution, int told, int aborted, double now) {
    return with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        return answered(runtime, runtime.tell(static_cast<domain::ExecutionHandle>(execution),
                                              static_cast<domain::Told>(told), take_text(), aborted != 0, finite(now)));
    });
}

int describe(int handle, double clock, double now) {
    return with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        auto step = runtime.describe(take_text(), finite(clock), finite(now));
        return step ? answered(runtime, *step) : boundary::fail(step.error());
    });
}

int next_candidate(int handle, int discovery, double clock, double now) {
    return with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        return answered(runtime,
                        runtime.next_candidate(static_cast<std::uint32_t>(discovery), finite(clock), finite(now)));
    });
}

int reported(int handle, int discovery, int capability, double clock, double now) {
    return with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        return answered(runtime,
                        runtime.reported(static_cast<std::uint32_t>(discovery), static_cast<std::uint32_t>(capability),
                                         take_text(), finite(clock), finite(now)));
    });
}

int take_events(int handle) {
    return with_runtime(handle,
                        [](domain::GovernedRuntime& runtime) { return boundary::leave_text(runtime.audit().take()); });
}

void approval_decided(int handle, double now) {
    with_runtime(handle, [&](domain::GovernedRuntime& runtime) {
        runtime.approval_decided(take_text(), finite(now));
        return 0;
    });
}

void free_runtime(int runtime) { plane().runtimes.erase(runtime); }

int check_decision(double now) {
    return text_of([&] {
        return with_document([&](JsonValue facts) {
            const auto checked = domain::check_decision(facts, finite(now));
            return checked ? ok("") : boundary::error_text(checked.error());
        });
    });
}

int approval_status(double expires_at, double now) {
    return text_of([&] {
        const auto status = domain::approval_status_named(take_text());
        return std::string(status ? domain::kApprovalStatuses[static_cast<std::size_t>(
                                        domain::status_at(*status, finite(expires_at), finite(now)))]
                                  : std::string_view());
    });
}

int outward_error() {
    return text_of([] {
        return with_document([](JsonValue error) {
            domain::Failure failure = domain::failure_of(host_protocol::text_or(error.find("code"), ""));
            failure.message = host_protocol::text_or(error.find("publicMessage"), failure.message);
            failure.retryable = host_protocol::is_true(error.find("retryable"));
            failure.exposed = host_protocol::is_true(error.find("exposeToModel"));
            if (const JsonValue details = error.find("details")) failure.details = details.raw();
            return domain::outward_text(failure);
        });
    });
}

int wire_name() {
    return text_of([] { return host_protocol::encode_wire_name(take_text()); });
}

}  // namespace viewcap::domain_table
