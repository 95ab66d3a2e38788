// What the tests of procedures share: one procedure, its references, and how they are mounted.
#pragma once

#include <string>

#include "calls.h"

namespace viewcap_test {

inline constexpr const char* kDisableInput =
    R"({"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"},"description":"Device ids."},"reason":{"type":"string"}},"required":["ids","reason"],"additionalProperties":false})";

/// A contract for devices.disable; `more` are members besides id, description and input, with a leading comma.
inline std::string disable(const std::string& more = R"(,"effect":"server-mutation")") {
    return std::string(R"({"id":"domain:devices.disable","description":"Disable devices.","input":)") + kDisableInput +
           more + "}";
}

/// The request of a reference to `contract`; `more` with a leading comma.
inline std::string reference_of(const std::string& contract, const std::string& more = "") {
    return R"({"procedure":)" + contract + more + "}";
}

inline host_protocol::Result<viewcap::InternedContract> try_intern(TestSurface& surface, const std::string& request) {
    const auto read = document(request);
    return surface.registry->intern_procedure(read.root());
}

inline viewcap::ContractHandle intern_reference(TestSurface& surface, const std::string& request) {
    auto interned = try_intern(surface, request);
    if (!interned) INFO(interned.error().message);
    REQUIRE(interned);
    return interned->id;
}

/// The code of the refusal, and what its message has to name.
inline std::string refusal(TestSurface& surface, const std::string& request, const std::string& named = "") {
    const auto interned = try_intern(surface, request);
    if (interned) return "accepted";
    INFO(interned.error().message);
    CHECK(interned.error().message.find(named) != std::string::npos);
    return std::string(interned.error().code);
}

/// `fields` with a leading comma.
inline viewcap::RegistrationHandle refer(TestSurface& surface, const std::string& id, const std::string& fields = "",
                                         const std::string& request = reference_of(disable())) {
    auto outcome = surface.registry->mount(intern_reference(surface, request),
                                           R"({"registrationId":")" + id + "\"" + fields + "}", surface.now);
    if (!outcome) INFO(outcome.error().message);
    REQUIRE(outcome);
    return outcome->registration;
}

inline std::string owned(const std::string& instance, const std::string& type = "invoices.pending") {
    return R"(,"owner":{"type":")" + type + R"(","instanceId":")" + instance + "\"}";
}

/// A call of a procedure; `fields` with a leading comma.
inline viewcap::Answer call(TestSurface& surface, const std::string& fields = "",
                            const std::string& id = "domain:devices.disable") {
    return surface.registry->begin(R"({"freshId":"inv_p)" + std::to_string(++surface.fresh) + R"(","capabilityId":")" +
                                       id + R"(","input":{"ids":[],"reason":"r"})" + fields + "}",
                                   surface.now);
}

inline std::string project(TestSurface& surface, const std::string& request = "") {
    const auto view = surface.registry->project(request, surface.now);
    REQUIRE(view);
    return std::string(view->descriptors);
}
inline std::string state(TestSurface& surface, const std::string& request = "") {
    const auto view = surface.registry->project(request, surface.now);
    REQUIRE(view);
    return std::string(view->state);
}
/// `more` with a leading comma.
inline std::string snapshot(TestSurface& surface, const std::string& more = "") {
    auto text = surface.registry->snapshot(R"({"capturedAt":"t")" + more + "}", surface.now);
    REQUIRE(text);
    return *text;
}

}  // namespace viewcap_test
