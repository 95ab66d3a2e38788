// What this instance holds for its registries, and how an answer of theirs crosses (crossing.h).
#pragma once

#include <map>
#include <memory>

#include "crossing.h"
#include "viewcap/registry.h"

namespace viewcap::boundary {

struct Module {
    std::map<int, std::unique_ptr<Registry>> registries;
    int next_registry = 1;
};

/// One per instance of the module.
Module& module();

/// Null for a handle that is none.
Registry* registry_of(int handle);

/// Leaves numbers and text of the answer where the caller reads them; gives `kind + 16 * pending`.
int deliver(const Answer& answer, bool pending);

}  // namespace viewcap::boundary
