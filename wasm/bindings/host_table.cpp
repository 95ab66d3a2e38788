// The server's half of the host protocol in the table: the full module has it, a page's lean one does not.
#include <emscripten/bind.h>

#include "crossing.h"
#include "host_protocol/catalog_merge.h"
#include "host_protocol/frame.h"
#include "host_protocol/state_block.h"
#include "host_protocol/step_request.h"

namespace viewcap::table {
namespace {

using boundary::guarded;
using boundary::take_text;

/// A text or, for -1, a fault: a frame may look like any text.
int left(host_protocol::Result<std::string> text) {
    if (!text) return boundary::fail(text.error());
    return boundary::leave_counted(std::move(*text));
}

template <class Body>
int with_text(Body body) {
    constexpr int kFault = -1;
    return guarded(kFault, [&] { return left(body(take_text())); });
}

int decode_step_request(int max_body_bytes, int max_frontend_tools, int max_messages) {
    return with_text([&](std::string_view body) -> host_protocol::Result<std::string> {
        host_protocol::ProtocolLimits limits;
        limits.max_body_bytes = static_cast<std::uint32_t>(max_body_bytes);
        limits.max_frontend_tools = static_cast<std::uint32_t>(max_frontend_tools);
        limits.max_messages = static_cast<std::uint32_t>(max_messages);
        return host_protocol::decode_step_request_text(std::string(body), limits);
    });
}

int compose_catalog() { return with_text(host_protocol::compose_catalog_text); }

int render_state_block() { return with_text(host_protocol::render_state_block_text); }

int encode_frame(int max_frame_bytes) {
    return with_text([&](std::string_view frame) {
        host_protocol::ProtocolLimits limits;
        limits.max_frame_bytes = static_cast<std::uint32_t>(max_frame_bytes);
        return host_protocol::encode_frame(frame, limits);
    });
}

}  // namespace
}  // namespace viewcap::table

EMSCRIPTEN_BINDINGS(viewcap_host) {
    namespace table = viewcap::table;
    using emscripten::function;
    function("decodeStepRequest", &table::decode_step_request);
    function("composeCatalog", &table::compose_catalog);
    function("renderStateBlock", &table::render_state_block);
    function("encodeFrame", &table::encode_frame);
}
