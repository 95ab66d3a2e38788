// What this instance of the domain module holds, and what its functions share (crossing.h).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossing.h"
#include "domain/registry.h"
#include "domain/runtime.h"
#include "host_protocol/json_text.h"

namespace viewcap::domain_table {

struct Plane {
    std::map<int, domain::RegistryBuild> builds;
    std::map<int, domain::SharedRegistry> registries;
    std::map<int, std::unique_ptr<domain::GovernedRuntime>> runtimes;
    int next = 1;
};

/// One per instance of the module.
Plane& plane();

/// `this registry is gone`, `this runtime is gone`
host_protocol::Error gone(std::string_view what);
std::string numbers(const std::vector<std::uint32_t>& list);
std::string texts(const std::vector<std::string>& list);
/// `{"ok":{members}}`
std::string ok(std::string_view members);

/// A text as the answer; an exception becomes the internal fault's.
template <class Body>
int text_of(Body body) {
    return boundary::leave_text(boundary::guarded(std::string(boundary::kInternalFault), body));
}

/// The document of the call's text, handed to `body`; its error as text otherwise.
template <class Body>
std::string with_document(Body body) {
    constexpr host_protocol::JsonLimits kDocument{std::size_t{64} << 20, 128};
    auto document = host_protocol::JsonDocument::read(std::string(boundary::take_text()), kDocument);
    return document ? body(document->root()) : boundary::error_text(document.error());
}

template <class Body>
std::string with_registry(int handle, Body body) {
    const auto found = plane().registries.find(handle);
    if (found != plane().registries.end()) return body(found->second);
    boundary::take_text();
    return boundary::error_text(gone("registry"));
}

}  // namespace viewcap::domain_table
