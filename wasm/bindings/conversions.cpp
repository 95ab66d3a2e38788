#include "conversions.h"

#include "boundary.h"
#include "host_protocol/canonical_json.h"
#include "host_protocol/history.h"
#include "host_protocol/ids.h"
#include "host_protocol/schema_reduction.h"
#include "host_protocol/scope.h"
#include "host_protocol/vocabulary.h"
#include "host_protocol/wire_names.h"
#include "viewcap/manifest.h"

namespace viewcap::boundary {
namespace {

using host_protocol::JsonType;
using host_protocol::JsonValue;

constexpr std::string_view kNull = "null";
constexpr host_protocol::JsonLimits kDocument{std::size_t{64} << 20, 256};

std::string quoted(std::string_view text) {
    std::string out;
    host_protocol::append_json_string(out, text);
    return out;
}

std::string_view text_or_empty(JsonValue value) {
    return value.is(JsonType::string) ? value.string() : std::string_view();
}

std::string text_of(host_protocol::Result<std::string> text) {
    return text ? std::move(*text) : error_text(text.error());
}

std::string parse_id(JsonValue value) {
    const auto id = host_protocol::parse_capability_id(text_or_empty(value));
    if (!id) return std::string(kNull);
    if (id->plane == host_protocol::Plane::domain) return "{\"plane\":\"domain\",\"path\":" + quoted(id->path) + "}";
    return "{\"plane\":\"view\",\"componentType\":" + quoted(id->component_type) + ",\"name\":" + quoted(id->name) +
           "}";
}

std::string wire_name(JsonValue id, JsonValue instance, JsonValue level) {
    const std::string_view instance_id = text_or_empty(instance);
    const int at = level.is(JsonType::number) ? static_cast<int>(level.number()) : 0;
    const bool good = host_protocol::parse_capability_id(text_or_empty(id)).has_value() && at >= 0 && at <= 2 &&
                      (instance_id.empty() || host_protocol::is_instance_id(instance_id));
    return good ? quoted(host_protocol::encode_wire_name_for_instance(id.string(), instance_id, at))
                : std::string(kNull);
}

void first_three(JsonValue list, JsonValue (&parts)[3]) {
    std::size_t count = 0;
    if (list.is(JsonType::array))
        for (JsonValue part : list.elements())
            if (count < 3) parts[count++] = part;
}

std::string wire_name_for_instance(JsonValue list) {
    JsonValue parts[3];
    first_three(list, parts);
    return wire_name(parts[0], parts[1], parts[2]);
}

std::string assign(JsonValue list) {
    std::vector<host_protocol::WireNameEntry> entries;
    if (list.is(JsonType::array)) {
        for (JsonValue entry : list.elements()) {
            const std::string_view id = text_or_empty(entry.find("id"));
            if (!host_protocol::parse_capability_id(id))
                return error_text(host_protocol::make_error(host_protocol::definition_codes::kInvalidId,
                                                            "assignWireNames: an entry's id is no capability id"));
            entries.push_back({id, text_or_empty(entry.find("instanceId"))});
        }
    }
    std::string out = "[";
    for (const std::string& name : host_protocol::assign_wire_names(entries)) {
        if (out.size() > 1) out += ',';
        out += name.empty() ? std::string(kNull) : quoted(name);
    }
    return out + "]";
}

std::string decode(JsonValue name) {
    const auto id = host_protocol::decode_wire_name(text_or_empty(name));
    return id ? quoted(*id) : std::string(kNull);
}

std::string manifest(JsonValue contracts) {
    auto made = make_manifest(contracts);
    return made ? *made : error_text(made.error());
}

std::string check(JsonValue given) {
    auto hashes = check_manifest(given);
    return hashes ? std::string("{\"ok\":true}") : error_text(hashes.error());
}

std::vector<std::string_view> keys_of(JsonValue list) {
    std::vector<std::string_view> keys;
    if (list.is(JsonType::array))
        for (JsonValue key : list.elements()) keys.push_back(text_or_empty(key));
    return keys;
}

std::string reduce(JsonValue list) {
    JsonValue parts[3];
    first_three(list, parts);
    auto reduced = host_protocol::reduce_input_schema(parts[0], keys_of(parts[1]), keys_of(parts[2]));
    return reduced ? "{\"ok\":" + *reduced + "}" : error_text(reduced.error());
}

}  // namespace

std::string convert(int conversion, std::string_view text) {
    host_protocol::JsonReader reader;
    auto read = reader.read(text, kDocument);
    if (!read) return error_text(read.error());
    const JsonValue value = *read;
    switch (conversion) {
        case 0: return wire_name(value, {}, {});
        case 1: return wire_name_for_instance(value);
        case 2: return assign(value);
        case 3: return decode(value);
        case 4: return parse_id(value);
        case 5: return host_protocol::canonical_json(value);
        case 6: return quoted(host_protocol::sha256_hex(text_or_empty(value)));
        case 7: return manifest(value);
        case 8: return check(value);
        case 9: return reduce(value);
        case 10: return text_of(host_protocol::resolve_scope_text(text));
        case 11: return text_of(host_protocol::repair_history(text));
        default: return std::string(kInternalFault);
    }
}

}  // namespace viewcap::boundary
