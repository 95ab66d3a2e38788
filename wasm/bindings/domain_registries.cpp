// The functions of registries in the domain plane's table.
#include "domain/value_facts.h"
#include "domain_plane.h"
#include "domain_table.h"
#include "host_protocol/json_out.h"

namespace viewcap::domain_table {
namespace {

using host_protocol::JsonValue;

/// `"registry":handle,"origins":[…],"tools":[[aiSdk, mcp]…]`, in the registry's order.
std::string kept(const domain::SharedRegistry& registry) {
    const int handle = plane().next++;
    plane().registries.emplace(handle, registry);
    std::string tools = "[";
    for (std::uint32_t at = 0; at < registry->size(); ++at) {
        if (at > 0) tools += ',';
        const auto& names = registry->at(at).tool_names;
        tools += texts({names[0], names[1]});
    }
    return host_protocol::concat({"\"registry\":", std::to_string(handle),
                                  ",\"origins\":", numbers(registry->origins()), ",\"tools\":", tools, "]"});
}

}  // namespace

int start_registry() {
    return text_of([] {
        return with_document([](JsonValue walk) {
            domain::RegistryBuild build(walk);
            const int handle = plane().next++;
            const std::string convert = numbers(build.to_convert());
            plane().builds.emplace(handle, std::move(build));
            return ok(host_protocol::concat({"\"build\":", std::to_string(handle), ",\"convert\":", convert}));
        });
    });
}

int finish_registry(int handle) {
    return text_of([&] {
        return with_document([&](JsonValue failures) {
            const auto found = plane().builds.find(handle);
            if (found == plane().builds.end()) return boundary::error_text(gone("registry"));
            // [[position, sentence]…], written by our own glue.
            for (JsonValue failure : failures.elements()) {
                JsonValue parts[2];
                std::size_t count = 0;
                for (JsonValue part : failure.elements())
                    if (count < 2) parts[count++] = part;
                if (!domain::is_number(parts[0])) continue;
                found->second.conversion_failed(host_protocol::handle_of(parts[0].number()),
                                                host_protocol::text_or(parts[1], ""));
            }
            auto registry = found->second.finish();
            plane().builds.erase(found);
            return registry ? ok(kept(*registry)) : boundary::error_text(registry.error());
        });
    });
}

int filter_registry(int handle) {
    return text_of([&] {
        return with_registry(handle, [](const domain::SharedRegistry& registry) {
            return with_document([&](JsonValue query) {
                auto filtered = registry->filter(query);
                return filtered ? ok(kept(*filtered)) : boundary::error_text(filtered.error());
            });
        });
    });
}

int keep_registry(int handle) {
    return text_of([&] {
        return with_registry(handle, [](const domain::SharedRegistry& registry) {
            return with_document([&](JsonValue list) {
                std::vector<std::uint32_t> positions;
                for (JsonValue position : list.elements())
                    positions.push_back(host_protocol::handle_of(position.number()));
                return ok(kept(registry->keep(positions)));
            });
        });
    });
}

int inspect_registry(int handle) {
    return text_of(
        [&] { return with_registry(handle, [](const domain::SharedRegistry& shared) { return shared->inspect(); }); });
}

void free_registry(int registry) { plane().registries.erase(registry); }

}  // namespace viewcap::domain_table
