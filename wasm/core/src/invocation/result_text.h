// The result of an invocation as JSON text (spec: invocation.md, opening).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "invocation/failure.h"

namespace viewcap {

struct ResultHead {
    std::string_view invocation_id;
    std::string_view capability_id;
    std::uint64_t version = 0;
    bool changed = false;
};

/// `output` is JSON text; empty: no output.
std::string ok_result(const ResultHead& head, std::string_view output);
std::string error_result(const ResultHead& head, const Failure& failure);

}  // namespace viewcap
