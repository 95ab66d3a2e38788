// A call as it arrives: the envelope of `begin`, checked field by field (spec: invocation.md §1, "Envelope").
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/limits.h"
#include "schema/schema.h"
#include "viewcap/effects.h"

namespace viewcap {

struct Envelope {
    std::string_view capability_id;  // empty: absent or no string
    std::string_view invocation_id;  // the caller's, else the fresh one
    std::string_view instance_id;
    std::string_view registration_id;
    std::string_view surface_version;
    std::string_view confirmation_id;
    /// The ids above as they stood in the text, for request_text(): capability, registration, instance, version,
    /// confirmation.
    std::array<std::string_view, 5> raw_ids;
    std::string consumer_key;
    std::string_view consumer_id;
    host_protocol::JsonValue input;  // absent: none
    /// Why the input is none (not a JSON value, too large, too deep): answered in phase 5, never fingerprinted.
    std::optional<host_protocol::Issue> input_problem;
    /// A malformed envelope: answered at once.
    std::vector<host_protocol::Issue> issues;
    std::uint32_t timeout_ms = 0;  // 0: the capability's own
    std::vector<InvocationHandle> running;
};

/// Reads the envelope out of `reader`, which keeps what the result points into.
Envelope read_envelope(host_protocol::JsonReader& reader, std::string_view text, const host_protocol::Limits& limits);

/// The request as issued: capability, registration, instance, surface version, confirmation, input. Short ones as they
/// came, long ones as the digest of their canonical form.
std::string request_text(const Envelope& envelope);
/// Whether two such texts mean the same request, however their JSON was written.
bool same_request(std::string_view one, std::string_view other);

}  // namespace viewcap
