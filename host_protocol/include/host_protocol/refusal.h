// How the host protocol says no: an HTTP status beside the error (spec: host-protocol.md, "Step request").
//
//     Admitted<StepRequest> decoded = decode_step_request(body);
//     if (const Refusal* refusal = refusal_of(decoded)) return respond(refusal->status, refusal->error);
//
// Every code is a row of protocol_vocabulary.h. A message says what was found and what is allowed, and never repeats a
// value of the request: it may reach a model.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "host_protocol/error.h"
#include "host_protocol/json_text.h"
#include "host_protocol/protocol_vocabulary.h"
#include "host_protocol/result.h"

namespace host_protocol {

struct Refusal {
    int status;
    Error error;  // path: a JSON Pointer into the body, for decode errors
};

template <class T>
using Admitted = std::variant<T, Refusal>;

template <class T>
const Refusal* refusal_of(const Admitted<T>& admitted) {
    return std::get_if<Refusal>(&admitted);
}

/// The status of the code's row; 500 for a code that has none.
int http_status(std::string_view code);
Refusal refuse(std::string_view code, std::string message, std::string path = {});

/// `{"ok":false,"status":…,"error":{"code":…,"message":…,"path"?:…}}`
std::string refusal_json(const Refusal& refusal);
/// `{"error":{"code":…,"message":…}}`, the body of every error response.
std::string error_body(std::string_view code, std::string_view message);

/// The overrides of `object` over the defaults; absent: all defaults, unknown names are ignored. INVALID_DEFINITION for
/// a limit that is no integer from 1 to 2^30.
Result<ProtocolLimits> read_protocol_limits(JsonValue object);

}  // namespace host_protocol
