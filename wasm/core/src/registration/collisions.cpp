#include "registration/collisions.h"

#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {

using host_protocol::JsonType;
using host_protocol::JsonValue;

void Collisions::know(JsonValue paths) {
    if (!paths.is(JsonType::array)) return;
    for (JsonValue path : paths.elements())
        if (path.is(JsonType::string)) paths_.emplace(path.string());
}

std::vector<std::uint32_t> Collisions::of(const Contract& component, const Surface& surface) const {
    std::vector<std::uint32_t> found;
    if (paths_.empty() && !surface.has_references()) return found;
    for (std::uint32_t i = 0; i < component.capabilities.size(); ++i) {
        const std::string path = concat({component.type, ".", component.capabilities[i].name});
        if (paths_.count(path) > 0 || surface.of_type(concat({host_protocol::planes::kDomain, ":", path})) != nullptr)
            found.push_back(i);
    }
    return found;
}

}  // namespace viewcap
