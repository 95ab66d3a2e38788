// The error table, row by row, as the specification has it.
#include "host_protocol/frame.h"
#include "host_protocol/refusal.h"
#include "protocol_support.h"

using namespace protocol;

TEST_CASE("Each code of the error table has its HTTP status", "[protocol]") {
    const std::vector<std::pair<std::string_view, int>> rows{
        {"PROTOCOL_VERSION_MISMATCH", 409},
        {"PROTOCOL_DECODE_ERROR", 400},
        {"CATALOG_TOO_LARGE", 413},
        {"CATALOG_COLLISION", 409},
        {"MODEL_NOT_CONFIGURED", 503},
        {"NOT_AUTHENTICATED", 401},
        {"NOT_AUTHORIZED", 403},
        {"ORIGIN_REFUSED", 403},
        {"RATE_LIMITED", 429},
        {"STEP_IN_PROGRESS", 409},
        {"HOST_ERROR", 500},
    };
    for (const auto& [code, status] : rows) {
        CHECK(http_status(code) == status);
        CHECK(refuse(code, "m").status == status);
    }
    // What only occurs inside a stream has no status of its own.
    for (const std::string_view code :
         {host_codes::kModelTimeout, host_codes::kModelError, host_codes::kRunLimitExceeded,
          host_codes::kTransportFailed, host_codes::kNoSuchTool})
        CHECK(http_status(code) == 500);
    CHECK(kHostErrorRows.size() == rows.size() + 5);
}

TEST_CASE("Frame types stand in the order of their enumeration", "[protocol]") {
    CHECK(kFrameTypes[static_cast<std::size_t>(FrameType::step_start)] == "step-start");
    CHECK(kFrameTypes[static_cast<std::size_t>(FrameType::reasoning_delta)] == "reasoning-delta");
    CHECK(kFrameTypes[static_cast<std::size_t>(FrameType::step_finish)] == "step-finish");
    CHECK(kFrameTypes[static_cast<std::size_t>(FrameType::error)] == "error");
}
