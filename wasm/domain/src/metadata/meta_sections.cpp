// The sections of meta.agent: retry with SI-11, approval, redact, adapters.
#include "host_protocol/json_out.h"
#include "metadata/meta_reader.h"

namespace domain {

using host_protocol::concat;
using host_protocol::JsonValue;

JsonValue MetaReader::section(JsonValue owner, std::string_view place) {
    const Field field = field_of(owner, place);
    if (!field) return {};
    if (is_record(field.value)) return field.value;
    report_.say_must_be(field, kObject);
    return {};
}

void MetaReader::read_retry(JsonValue meta) {
    const JsonValue retry = section(meta, "retry");
    if (!retry) return;
    const Field attempts = field_of(retry, "retry.maxAttempts");
    if (is_whole(attempts.value) && attempts.value.number() >= 0)
        capability_.max_retries = attempts.value.number();
    else
        report_.say_must_be(attempts, "a whole number of at least 0");
    std::optional<double> backoff;
    read_positive(field_of(retry, "retry.backoffMs"), backoff);
    if (backoff) capability_.backoff_ms = *backoff;
    capability_.asks_before_retry = read_function(field_of(retry, "retry.retryOn"));
    check_retry_safety(meta);
}

void MetaReader::check_retry_safety(JsonValue meta) {
    // A side effect or a count that was refused has its own problem, and its default here is harmless.
    if (capability_.max_retries <= 0 || !is_write_like(capability_.side_effect)) return;
    if (capability_.idempotent) return;
    report_.say(concat({"SI-11: retry.maxAttempts above 0 with sideEffect ", quoted(capability_.side_effect_name()),
                        " needs idempotent to be true; found ", found(field_of(meta, "idempotent").value)}));
}

void MetaReader::read_approval(JsonValue meta) {
    const JsonValue approval = section(meta, "approval");
    if (!approval) return;
    read_flag(field_of(approval, "approval.required"), capability_.approval_required);
    if (const Field type = field_of(approval, "approval.type")) {
        if (is_text(type.value))
            capability_.approval_type = type.value.string();
        else
            report_.say_must_be(type, "a string");
    }
    read_positive(field_of(approval, "approval.expiresInMs"), capability_.approval_expires_in_ms);
}

void MetaReader::read_redact(JsonValue meta) {
    const JsonValue redact = section(meta, "redact");
    if (!redact) return;
    capability_.redacts_output = read_function(field_of(redact, "redact.output"));
    read_function(field_of(redact, "redact.approvalInput"));
}

void MetaReader::read_adapters(JsonValue meta) {
    const JsonValue adapters = section(meta, "adapters");
    if (!adapters) return;
    if (const JsonValue ai_sdk = section(adapters, "adapters.aiSdk"))
        read_tool_name(field_of(ai_sdk, "adapters.aiSdk.toolName"), 0);
    if (const JsonValue mcp = section(adapters, "adapters.mcp")) {
        read_tool_name(field_of(mcp, "adapters.mcp.toolName"), 1);
        section(mcp, "adapters.mcp.annotations");
    }
}

void MetaReader::read_tool_name(Field name, std::size_t adapter) {
    if (!name) return;
    if (!is_text(name.value) || name.value.string().empty()) return report_.say_must_be(name, "a non-empty string");
    capability_.tool_names[adapter] = name.value.string();
}

}  // namespace domain
