#include "table.h"

#include "boundary.h"
#include "conversions.h"
#include "host_protocol/json_text.h"
#include "host_protocol/vocabulary.h"

namespace viewcap::table {
namespace {

using boundary::crossing;
using boundary::guarded;
using boundary::module;
using boundary::registry_of;
using boundary::take_text;
using host_protocol::JsonDocument;
using host_protocol::JsonValue;

constexpr host_protocol::JsonLimits kDocument{std::size_t{64} << 20, 128};
constexpr int kIgnored = static_cast<int>(AnswerKind::ignored);
/// What the number-giving functions answer when the author made a mistake or the module failed: `fault()` says which.
constexpr int kFault = -1;

std::string internal_text() { return std::string(boundary::kInternalFault); }

int leave(std::string text) { return boundary::leave_text(std::move(text)); }

int pending_of(Registry& registry) { return registry.outbox().empty() ? 0 : 1; }

/// Runs `body` on the registry; `unknown` for a handle that is none, `failed` when the module fails.
template <class Value, class Body>
Value with_registry(int handle, Value unknown, Value failed, Body body) {
    return guarded(failed, [&]() -> Value {
        if (Registry* registry = registry_of(handle)) return body(*registry);
        take_text();  // not left for the next call
        return unknown;
    });
}

template <class Value, class Body>
Value with_registry(int handle, Value otherwise, Body body) {
    return with_registry(handle, otherwise, otherwise, body);
}

int finished(Registry& registry, const host_protocol::Status& status) {
    return status ? pending_of(registry) : boundary::fail(status.error());
}

int answered(Registry& registry, const Answer& answer) { return boundary::deliver(answer, pending_of(registry) != 0); }

/// The document of the call's text, handed to `body`; its error as text otherwise.
template <class Body>
std::string with_document(Body body) {
    auto document = JsonDocument::read(std::string(take_text()), kDocument);
    return document ? body(document->root()) : boundary::error_text(document.error());
}

}  // namespace

int create_registry() {
    return leave(guarded(internal_text(), [&] {
        return with_document([](JsonValue options) {
            auto registry = Registry::create(options, &boundary::match_pattern);
            if (!registry) return boundary::error_text(registry.error());
            const int handle = module().next_registry++;
            module().registries.emplace(handle, std::move(*registry));
            return "{\"ok\":" + std::to_string(handle) + "}";
        });
    }));
}

void listen(int registry, int mask) {
    if (Registry* found = registry_of(registry)) found->listen(static_cast<unsigned>(mask));
}

int intern_contract(int handle) {
    return leave(with_registry(handle, internal_text(), [&](Registry& registry) {
        return with_document([&](JsonValue object) {
            auto interned = object.find("procedure")
                                ? registry.intern_procedure(object)
                                : registry.intern_contract(object.find("contract"), object.find("external"));
            if (!interned) return boundary::error_text(interned.error());
            std::string out = "{\"ok\":{\"contract\":" + std::to_string(interned->id) + ",\"capabilities\":[";
            for (std::size_t i = 0; i < interned->capabilities.size(); ++i) {
                if (i > 0) out += ',';
                host_protocol::append_json_string(out, interned->capabilities[i]);
            }
            return out + "]}}";
        });
    }));
}

double mount(int handle, int contract, double now) {
    return with_registry(handle, -1.0, [&](Registry& registry) {
        auto outcome = registry.mount(static_cast<ContractHandle>(contract), take_text(), now);
        if (!outcome) return static_cast<double>(boundary::fail(outcome.error()));
        return outcome->registration * 2.0 + pending_of(registry);
    });
}

int unmount(int handle, int registration, double now) {
    return with_registry(handle, 0, kFault, [&](Registry& registry) {
        registry.unmount(static_cast<RegistrationHandle>(registration), now);
        return pending_of(registry);
    });
}

int update(int handle, int registration, double now) {
    return with_registry(handle, -1, [&](Registry& registry) {
        return finished(registry, registry.update(static_cast<RegistrationHandle>(registration), take_text(), now));
    });
}

int gates(int handle, double now) {
    return with_registry(handle, -1,
                         [&](Registry& registry) { return finished(registry, registry.gates(take_text(), now)); });
}

int begin(int handle, double now) {
    return with_registry(handle, kFault,
                         [&](Registry& registry) { return answered(registry, registry.begin(take_text(), now)); });
}

int advance(int handle, int invocation, double now, int step) {
    return with_registry(handle, kIgnored, kFault, [&](Registry& registry) {
        const auto at = static_cast<InvocationHandle>(invocation);
        return answered(registry, registry.advance(at, static_cast<AdvanceStep>(step), take_text(), now));
    });
}

int settle(int handle, int invocation, double now, int outcome) {
    return with_registry(handle, kIgnored, kFault, [&](Registry& registry) {
        const auto at = static_cast<InvocationHandle>(invocation);
        return answered(registry, registry.settle(at, static_cast<SettleOutcome>(outcome), take_text(), now));
    });
}

int timers(int handle, double now) {
    return with_registry(handle, 0, kFault, [&](Registry& registry) {
        crossing().area.numbers[0] = registry.expire(now);
        return pending_of(registry);
    });
}

int project(int handle, double now) {
    return with_registry(handle, kFault, [&](Registry& registry) {
        auto view = registry.project(take_text(), now);
        if (!view) return boundary::fail(view.error());
        const auto address = [](std::string_view bytes) {
            return static_cast<double>(reinterpret_cast<std::uintptr_t>(bytes.data()));
        };
        double* numbers = crossing().area.numbers;
        numbers[0] = view->view;
        numbers[1] = view->generation;
        numbers[2] = static_cast<double>(view->version);
        numbers[3] = address(view->descriptors);
        numbers[4] = static_cast<double>(view->descriptors.size());
        numbers[5] = address(view->state);
        numbers[6] = static_cast<double>(view->state.size());
        return pending_of(registry);
    });
}

int wire_names(int handle, int view) {
    return leave(with_registry(handle, internal_text(), [&](Registry& registry) {
        return registry.wire_names(static_cast<std::uint32_t>(view));
    }));
}

int snapshot(int handle, double now) {
    return leave(with_registry(handle, internal_text(), [&](Registry& registry) {
        auto snapshot = registry.snapshot(take_text(), now);
        return snapshot ? *snapshot : boundary::error_text(snapshot.error());
    }));
}

double version(int handle) {
    return with_registry(handle, -1.0, [](Registry& registry) { return static_cast<double>(registry.version()); });
}

int resolve_confirmation(int handle, double now) {
    return with_registry(handle, 0, kFault, [&](Registry& registry) {
        const bool decided = registry.resolve_confirmation(take_text(), now);
        return (decided ? 1 : 0) + 2 * pending_of(registry);
    });
}

int confirmations(int handle, double now) {
    return leave(
        with_registry(handle, std::string("[]"), [&](Registry& registry) { return registry.confirmations(now); }));
}

void known_paths(int handle) {
    with_registry(handle, 0, [&](Registry& registry) {
        registry.known_paths(take_text());
        return 0;
    });
}

int rebind(int handle, int registration, int contract, double now) {
    return with_registry(handle, -1, [&](Registry& registry) {
        return finished(registry, registry.rebind(static_cast<RegistrationHandle>(registration),
                                                  static_cast<ContractHandle>(contract), now));
    });
}

int take_outbox(int handle) {
    return leave(with_registry(handle, std::string("[]"), [](Registry& registry) { return registry.outbox().take(); }));
}

int dispose(int handle, double now) {
    return leave(with_registry(handle, std::string("[]"), [&](Registry& registry) {
        registry.dispose(now);
        std::string out = registry.outbox().take();
        module().registries.erase(handle);
        return out;
    }));
}

int convert(int conversion) {
    return leave(guarded(internal_text(), [&] { return boundary::convert(conversion, take_text()); }));
}

}  // namespace viewcap::table
