// A code with what it brings by default, and the two shapes in which an error may leave (spec: domain.md §9).
#include "domain/failure.h"

#include "failure/issues.h"
#include "host_protocol/json_out.h"

namespace domain {
namespace {

using host_protocol::append_bool_member;
using host_protocol::append_json_member;
using host_protocol::append_text_member;

const ErrorRow& row_of(std::string_view code) {
    static_assert(kErrorRows.back().code == codes::kInternalError, "unknown codes fall back to the last row");
    for (const ErrorRow& row : kErrorRows)
        if (row.code == code) return row;
    return kErrorRows.back();
}

std::string outward_shape(std::string_view code, std::string_view message, bool retryable, std::string_view details) {
    std::string out = "{";
    append_text_member(out, "code", code);
    append_text_member(out, "message", message);
    append_bool_member(out, "retryable", retryable);
    if (!details.empty()) append_json_member(out, "details", details);
    return out + '}';
}

/// Of the details of an INPUT_INVALID only the issues leave, and of an issue only its path and message.
std::string outward_details(const Failure& failure) {
    if (failure.code != codes::kInputInvalid || failure.details.empty()) return {};
    const auto read = host_protocol::JsonDocument::read(failure.details, {kMaxIssuesBytes, kMaxIssuesDepth});
    return read ? issues_text(read->root().find("issues")) : std::string();
}

}  // namespace

Failure failure_of(std::string_view code) {
    const ErrorRow& row = row_of(code);
    return {row.code, row.stage, std::string(row.message), row.retryable, row.expose, {}, false};
}

Failure failure_of(std::string_view code, std::string_view stage) {
    Failure failure = failure_of(code);
    failure.stage = stage;
    return failure;
}

std::string failure_text(const Failure& failure) {
    std::string out = "{";
    append_text_member(out, "code", failure.code);
    append_text_member(out, "stage", failure.stage);
    append_text_member(out, "publicMessage", failure.message);
    append_bool_member(out, "retryable", failure.retryable);
    append_bool_member(out, "exposeToModel", failure.exposed);
    if (!failure.details.empty()) append_json_member(out, "details", failure.details);
    if (failure.is_own) append_bool_member(out, "own", true);
    return out + '}';
}

std::string outward_text(const Failure& failure) {
    // Concealed is concealed: neither the code nor whether a retry could help tells one cause from another.
    if (!failure.exposed) return outward_shape(codes::kInternalError, kGenericMessage, false, {});
    return outward_shape(failure.code, failure.message, failure.retryable, outward_details(failure));
}

}  // namespace domain
