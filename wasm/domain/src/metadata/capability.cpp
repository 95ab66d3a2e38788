#include "domain/capability.h"

#include "metadata/field.h"

namespace domain {

std::optional<Surface> surface_named(std::string_view name) {
    const int at = position_in(kSurfaces, name);
    if (at < 0) return std::nullopt;
    return static_cast<Surface>(at);
}

}  // namespace domain
