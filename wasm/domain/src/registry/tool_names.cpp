#include "registry/tool_names.h"

#include <algorithm>
#include <map>

#include "domain/registry.h"
#include "host_protocol/json_out.h"
#include "metadata/field.h"

namespace domain {

using host_protocol::concat;

namespace {

constexpr std::size_t kMaxToolName = 64;

bool is_tool_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// `tool name "a_b" on mcp (adapters.mcp.toolName)`
std::string described(const Capability& capability, std::size_t adapter, std::string_view surface) {
    const std::string& name = capability.tool_names[adapter];
    const std::string origin =
        name == default_tool_name(capability.id) ? "made from the id" : concat({"adapters.", surface, ".toolName"});
    return concat({"tool name ", quoted(name), " on ", surface, " (", origin, ")"});
}

void check_surface(const std::vector<std::shared_ptr<const Capability>>& capabilities, Surface surface,
                   std::size_t adapter, std::vector<std::string>& problems) {
    std::map<std::string_view, const Capability*> holders;
    for (const auto& capability : capabilities) {
        if (!capability->is_exposed_on(surface)) continue;
        const std::string& name = capability->tool_names[adapter];
        const Report report(capability->id, problems);
        if (!is_tool_name(name))
            report.say(concat(
                {described(*capability, adapter, name_of(surface)), " must be 1 to 64 letters, digits, _ or -"}));
        const auto [holder, is_first] = holders.emplace(name, capability.get());
        if (!is_first)
            report.say(concat({described(*capability, adapter, name_of(surface)), " must be unique there; ",
                               quoted(holder->second->id), " holds it already"}));
    }
}

}  // namespace

std::string default_tool_name(std::string_view id) {
    std::string name(id);
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

bool is_tool_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxToolName && std::all_of(name.begin(), name.end(), is_tool_character);
}

void check_tool_names(const std::vector<std::shared_ptr<const Capability>>& capabilities,
                      std::vector<std::string>& problems) {
    check_surface(capabilities, Surface::ai_sdk, 0, problems);
    check_surface(capabilities, Surface::mcp, 1, problems);
}

}  // namespace domain
