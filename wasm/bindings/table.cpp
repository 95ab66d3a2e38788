#include "table.h"

#include <malloc.h>

#include "boundary.h"
#include "conversions.h"
#include "host_protocol/json_text.h"
#include "host_protocol/vocabulary.h"

namespace viewcap::table {
namespace {

using boundary::guarded;
using boundary::module;
using boundary::registry_of;
using boundary::text_of;
using host_protocol::JsonDocument;
using host_protocol::JsonValue;

constexpr host_protocol::JsonLimits kDocument{std::size_t{64} << 20, 128};
constexpr std::string_view kIgnored = "[5,0]";

std::string internal_text() { return std::string(boundary::kInternalFault); }

int pending_of(Registry& registry) { return registry.outbox().empty() ? 0 : 1; }

/// Runs `body` on the registry; `otherwise` for a handle that is none or when the module fails.
template <class Value, class Body>
Value with_registry(int handle, Value otherwise, Body body) {
    return guarded(otherwise, [&] {
        Registry* registry = registry_of(handle);
        return registry == nullptr ? otherwise : body(*registry);
    });
}

int finished(Registry& registry, const host_protocol::Status& status) {
    return status ? pending_of(registry) : boundary::fail(status.error());
}

std::string answered(Registry& registry, const Answer& answer) { return boundary::answer_text(answer, pending_of(registry)); }

/// The document of a text argument, handed to `body`; its error as text otherwise.
template <class Body>
std::string with_document(const std::string& text, Body body) {
    auto document = JsonDocument::read(std::string(text_of(text)), kDocument);
    return document ? body(document->root()) : boundary::error_text(document.error());
}

}  // namespace

double stage(double bytes) {
    return guarded(0.0, [&] {
        module().staged.resize(static_cast<std::size_t>(bytes));
        module().has_staged = true;
        return static_cast<double>(reinterpret_cast<std::uintptr_t>(module().staged.data()));
    });
}

std::string fault() { return module().fault; }

std::string create_registry(const std::string& text) {
    return guarded(internal_text(), [&] {
        return with_document(text, [](JsonValue options) {
            auto registry = Registry::create(options, &boundary::match_pattern);
            if (!registry) return boundary::error_text(registry.error());
            const int handle = module().next_registry++;
            module().registries.emplace(handle, std::move(*registry));
            return "{\"ok\":" + std::to_string(handle) + "}";
        });
    });
}

void listen(int registry, int mask) {
    if (Registry* found = registry_of(registry)) found->listen(static_cast<unsigned>(mask));
}

std::string intern_contract(int handle, const std::string& text) {
    return with_registry(handle, internal_text(), [&](Registry& registry) {
        return with_document(text, [&](JsonValue object) {
            auto interned = registry.intern_contract(object.find("contract"), object.find("external"));
            if (!interned) return boundary::error_text(interned.error());
            std::string out = "{\"ok\":{\"contract\":" + std::to_string(interned->id) + ",\"capabilities\":[";
            for (std::size_t i = 0; i < interned->capabilities.size(); ++i) {
                if (i > 0) out += ',';
                host_protocol::append_json_string(out, interned->capabilities[i]);
            }
            return out + "]}}";
        });
    });
}

double mount(int handle, int contract, double now, const std::string& text) {
    return with_registry(handle, -1.0, [&](Registry& registry) {
        auto outcome = registry.mount(static_cast<ContractHandle>(contract), text_of(text), now);
        if (!outcome) return static_cast<double>(boundary::fail(outcome.error()));
        return outcome->registration * 2.0 + pending_of(registry);
    });
}

int unmount(int handle, int registration, double now) {
    return with_registry(handle, 0, [&](Registry& registry) {
        registry.unmount(static_cast<RegistrationHandle>(registration), now);
        return pending_of(registry);
    });
}

int update(int handle, int registration, double now, const std::string& text) {
    return with_registry(handle, -1, [&](Registry& registry) {
        return finished(registry, registry.update(static_cast<RegistrationHandle>(registration), text_of(text), now));
    });
}

int gates(int handle, double now, const std::string& text) {
    return with_registry(handle, -1, [&](Registry& registry) { return finished(registry, registry.gates(text_of(text), now)); });
}

std::string begin(int handle, double now, const std::string& text) {
    return with_registry(handle, internal_text(),
                         [&](Registry& registry) { return answered(registry, registry.begin(text_of(text), now)); });
}

std::string advance(int handle, int invocation, double now, int step, const std::string& text) {
    return with_registry(handle, std::string(kIgnored), [&](Registry& registry) {
        const auto at = static_cast<InvocationHandle>(invocation);
        return answered(registry, registry.advance(at, static_cast<AdvanceStep>(step), text_of(text), now));
    });
}

std::string settle(int handle, int invocation, double now, int outcome, const std::string& text) {
    return with_registry(handle, std::string(kIgnored), [&](Registry& registry) {
        const auto at = static_cast<InvocationHandle>(invocation);
        return answered(registry, registry.settle(at, static_cast<SettleOutcome>(outcome), text_of(text), now));
    });
}

std::string timers(int handle, double now) {
    return with_registry(handle, std::string("[0,-1]"), [&](Registry& registry) {
        const double next = registry.expire(now);
        std::string out = pending_of(registry) != 0 ? "[1," : "[0,";
        host_protocol::append_json_number(out, next);
        return out + "]";
    });
}

std::string project(int handle, double now, const std::string& text) {
    return with_registry(handle, internal_text(), [&](Registry& registry) {
        auto view = registry.project(text_of(text), now);
        if (!view) return boundary::error_text(view.error());
        std::string out = pending_of(registry) != 0 ? "[1" : "[0";
        const auto address = [](std::string_view bytes) { return static_cast<double>(reinterpret_cast<std::uintptr_t>(bytes.data())); };
        for (double number : {static_cast<double>(view->view), static_cast<double>(view->generation), static_cast<double>(view->version),
                              address(view->descriptors), static_cast<double>(view->descriptors.size()), address(view->state),
                              static_cast<double>(view->state.size())}) {
            out += ',';
            host_protocol::append_json_number(out, number);
        }
        return out + "]";
    });
}

std::string wire_names(int handle, int view) {
    return with_registry(handle, internal_text(), [&](Registry& registry) { return registry.wire_names(static_cast<std::uint32_t>(view)); });
}

std::string snapshot(int handle, double now, const std::string& text) {
    return with_registry(handle, internal_text(), [&](Registry& registry) {
        auto snapshot = registry.snapshot(text_of(text), now);
        return snapshot ? *snapshot : boundary::error_text(snapshot.error());
    });
}

double version(int handle) {
    return with_registry(handle, -1.0, [](Registry& registry) { return static_cast<double>(registry.version()); });
}

std::string take_outbox(int handle) {
    return with_registry(handle, std::string("[]"), [](Registry& registry) { return registry.outbox().take(); });
}

std::string dispose(int handle, double now) {
    return with_registry(handle, std::string("[]"), [&](Registry& registry) {
        registry.dispose(now);
        std::string out = registry.outbox().take();
        module().registries.erase(handle);
        return out;
    });
}

std::string compile_schema(const std::string& text) {
    return guarded(internal_text(), [&] {
        return with_document(text, [](JsonValue object) {
            host_protocol::SchemaOptions options;
            options.match = &boundary::match_pattern;
            const JsonValue profile = object.find("profile");
            if (profile.is(host_protocol::JsonType::string) && profile.string() == host_protocol::schema_profiles::kFull)
                options.profile = host_protocol::SchemaProfile::full;
            const JsonValue definition = object.find("schema");
            auto schema = host_protocol::Schema::create(std::string(definition ? definition.raw() : std::string_view()), options);
            if (!schema) return boundary::error_text(schema.error());
            const int handle = module().next_schema++;
            module().schemas.emplace(handle, std::move(*schema));
            return "{\"ok\":" + std::to_string(handle) + "}";
        });
    });
}

std::string validate(int handle, const std::string& text) {
    return guarded(internal_text(), [&] {
        const auto schema = module().schemas.find(handle);
        if (schema == module().schemas.end()) return internal_text();
        static host_protocol::JsonReader reader;
        auto value = reader.read(text_of(text), kDocument);
        if (!value) return "[{\"path\":\"\",\"message\":\"" + std::string(value.error().message) + "\"}]";
        std::string out;
        for (const host_protocol::Issue& issue : schema->second.validate(*value)) {
            out += out.empty() ? "[{\"path\":" : ",{\"path\":";
            host_protocol::append_json_string(out, issue.path);
            out += ",\"message\":";
            host_protocol::append_json_string(out, issue.message);
            out += '}';
        }
        return out.empty() ? out : out + "]";
    });
}

void free_schema(int schema) { module().schemas.erase(schema); }

std::string convert(const std::string& name, const std::string& text) {
    return guarded(internal_text(), [&] { return boundary::convert(name, text_of(text)); });
}

double memory() { return static_cast<double>(mallinfo().uordblks); }

}  // namespace viewcap::table
