// Contracts of references to procedures (spec: contextual.md): what the server's manifest allows, what the author says
// the model sees, and what the binding takes out of the model's hands.
#include <algorithm>

#include "contract/capability_parts.h"
#include "host_protocol/canonical_json.h"
#include "host_protocol/ids.h"
#include "host_protocol/schema_reduction.h"
#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

namespace codes = host_protocol::definition_codes;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;
using host_protocol::Status;
using Keys = std::vector<std::string_view>;

constexpr std::size_t kFirstServerEffect = static_cast<std::size_t>(Effect::server_query);
constexpr std::string_view kNothing = host_protocol::kEmptyObjectSchema;

std::string_view schema_text(JsonValue schema) { return schema ? schema.raw() : kNothing; }

/// Effect, and what follows from it where the contract says nothing.
void read_effect(FieldReader& fields, Capability& capability) {
    fields.required("effect");
    const std::size_t effect =
        fields.choice("effect", {"server-query", "server-mutation", "external-side-effect", "destructive"}, 0);
    capability.effect = static_cast<Effect>(kFirstServerEffect + effect);
    constexpr Confirmation kLevels[] = {Confirmation::never, Confirmation::optional, Confirmation::required,
                                        Confirmation::required};
    capability.idempotent = capability.effect == Effect::server_query;
    if (effect >= 2) capability.audit = AuditLevel::full;
    capability.confirmation = static_cast<Confirmation>(
        fields.choice("confirmation", {"never", "optional", "required"}, static_cast<std::size_t>(kLevels[effect])));
    if (capability.effect == Effect::destructive && capability.confirmation == Confirmation::never)
        fields.refuse(codes::kInvalidDefinition, "confirmation",
                      "is 'never'; a destructive procedure has 'optional' or 'required'");
}

void refuse_unequal(FieldReader& fields, std::string_view field, std::string_view found, std::string_view allowed) {
    fields.refuse(codes::kInvalidDefinition, field,
                  concat({"is ", found, "; the manifest, which is the ceiling, has ", allowed}));
}

void compare_schemas(FieldReader& fields, std::string_view field, JsonValue own, JsonValue allowed) {
    if (!own && !allowed) return;
    if (own && allowed && host_protocol::canonical_json(own) == host_protocol::canonical_json(allowed)) return;
    refuse_unequal(fields, field, own ? "another schema" : "missing", allowed ? "a schema of its own" : "none");
}

/// The manifest's entry is the ceiling: same effect, same schemas, no weaker confirmation.
void check_ceiling(FieldReader& fields, const Capability& capability, JsonValue definition, JsonValue entry) {
    if (!entry.is(JsonType::object))
        return fields.refuse(codes::kInvalidDefinition, "manifest",
                             concat({"must be the procedure's entry, found ", kind_of(entry)}));
    const std::string_view effect = text_or(entry.find("effect"), "nothing");
    if (effect != effect_name(capability.effect))
        refuse_unequal(fields, "effect", concat({"'", effect_name(capability.effect), "'"}),
                       concat({"'", host_protocol::clip_utf16(effect, 60), "'"}));
    if (is_true(entry.find("requiresApproval")) && capability.confirmation != Confirmation::required)
        refuse_unequal(fields, "confirmation", concat({"'", confirmation_name(capability.confirmation), "'"}),
                       "requiresApproval, which means 'required'");
    const JsonValue input = definition.find("input");
    const JsonValue allowed = entry.find("inputSchema");
    // A contract without an input takes the empty closed object, and may say so or not.
    host_protocol::JsonReader reader;
    const auto nothing = reader.read(kNothing, {});
    compare_schemas(fields, "input", input ? input : *nothing, allowed ? allowed : *nothing);
    compare_schemas(fields, "output", definition.find("output"), entry.find("outputSchema"));
}

/// A list of keys of the request, each once.
Keys read_keys(FieldReader& fields, JsonValue request, std::string_view field) {
    Keys keys;
    fields.text_list(field);
    if (fields.failed()) return keys;
    if (const JsonValue list = request.find(field))
        for (JsonValue key : list.elements())
            if (std::find(keys.begin(), keys.end(), key.string()) == keys.end()) keys.push_back(key.string());
    return keys;
}

/// A reference may ask for more than its contract; asking for less changes nothing.
void raise_confirmation(FieldReader& binding, JsonValue request, Capability& capability) {
    if (!request.find("confirmation")) return;
    const auto wanted = static_cast<Confirmation>(1 + binding.choice("confirmation", {"optional", "required"}, 0));
    capability.confirmation = std::max(capability.confirmation, wanted);
}

host_protocol::Error within_input(const FieldReader& fields, const host_protocol::Error& error) {
    return host_protocol::make_error(error.code, concat({fields.owner(), ": 'input': ", error.message}), "input");
}

Status read_schemas(const FieldReader& fields, JsonValue request, const Keys& bound, const Keys& overridable,
                    const RegistryOptions& options, Capability& capability) {
    const JsonValue definition = request.find("procedure");
    const JsonValue input = definition.find("input");
    auto full = read_schema(fields, "input", std::string(schema_text(input)), options.schema);
    if (!full) return full.error();
    const bool waits = is_true(request.find("unbound"));
    std::string reduced(waits ? kNothing : schema_text(input));
    if (waits || !bound.empty()) {
        host_protocol::JsonReader reader;
        auto schema = reader.read(full->text(), {full->text().size(), 256});
        if (!schema) return schema.error();
        Result<std::string> text = reduced;
        if (Status status = host_protocol::check_reducible(*schema); !status)
            text = status.error();
        else if (!waits)
            text = host_protocol::reduce_input_schema(*schema, bound, overridable);
        if (!text) return within_input(fields, text.error());
        reduced = std::move(*text);
    }
    // What the reduction adds to descriptions is not the author's to pay for.
    host_protocol::SchemaOptions roomy = options.schema;
    roomy.max_bytes = std::max(roomy.max_bytes, static_cast<std::uint32_t>(reduced.size()));
    auto part = read_schema(fields, "input", std::move(reduced), roomy);
    if (!part) return part.error();
    capability.input = std::move(*part);
    capability.full_input = std::move(*full);
    return read_output(fields, definition, options.schema, capability);
}

void make_snapshot_texts(Capability& capability) {
    std::string& head = capability.snapshot_head = "{";
    append_text_member(head, "procedureId", capability.id);
    append_text_member(head, "description", capability.description);
    std::string& schemas = capability.snapshot_schemas;
    schemas = concat({",\"inputSchema\":", capability.input->text()});
    if (capability.output) append_json_member(schemas, "outputSchema", capability.output->text());
    append_text_member(schemas, "effect", effect_name(capability.effect));
    append_text_member(schemas, "confirmation", confirmation_name(capability.confirmation));
    std::string& bound = capability.snapshot_bound = ",\"boundFields\":[";
    for (const BoundKey& key : capability.bound) {
        bound += bound.back() == '[' ? "{" : ",{";
        append_text_member(bound, "path", key.key);
        append_bool_member(bound, "locked", key.locked);
        append_text_member(bound, "source", "ui-state");
        bound += '}';
    }
    bound += ']';
}

std::string owner_text(JsonValue id) {
    return id.is(JsonType::string) ? concat({"procedure '", host_protocol::clip_utf16(id.string(), 128), "'"})
                                   : std::string("procedure without an id");
}

/// The contract itself, without what the binding does to it.
void read_definition(FieldReader& fields, const RegistryOptions& options, Capability& capability) {
    fields.allow({"id", "description", "input", "output", "effect", "confirmation", "meta"});
    capability.description = fields.required_text("description", options.limits.max_capability_description);
    read_effect(fields, capability);
    capability.meta = fields.record("meta", options.limits.max_meta_bytes);
    capability.timeout_ms = options.limits.procedure_timeout_ms;
}

}  // namespace

Result<std::unique_ptr<Contract>> read_procedure(JsonValue request, const RegistryOptions& options) {
    const JsonValue definition = request.find("procedure");
    const JsonValue id = definition.find("id");
    const std::string owner = owner_text(id);
    FieldReader fields(definition, owner);
    FieldReader binding(request, concat({owner, ", reference"}));
    if (!definition.is(JsonType::object))
        fields.refuse(codes::kInvalidDefinition, "", concat({"must be an object, found ", kind_of(definition)}));
    const auto parts = host_protocol::parse_capability_id(text_or(id, ""));
    if (!parts || parts->plane != host_protocol::Plane::domain)
        fields.refuse(codes::kInvalidId, "id",
                      "must be 'domain:' and a path without control characters, at most 128 characters");
    if (fields.failed()) return fields.error();

    Capability capability;
    capability.kind = CapabilityKind::procedure;
    capability.id = id.string();
    capability.name = parts->path;
    read_definition(fields, options, capability);
    if (const JsonValue entry = request.find("manifest")) check_ceiling(fields, capability, definition, entry);
    if (fields.failed()) return fields.error();
    binding.allow(
        {"procedure", "external", "manifest", "bound", "overridable", "unbound", "confirmation", "concurrency"});
    raise_confirmation(binding, request, capability);
    capability.external_input = binding.flag("external", false);
    binding.flag("unbound", false);
    capability.concurrency = read_concurrency(binding, request);
    const Keys bound = read_keys(binding, request, "bound");
    const Keys overridable = read_keys(binding, request, "overridable");
    if (binding.failed()) return binding.error();
    for (std::string_view key : bound)
        capability.bound.push_back(
            {std::string(key), std::find(overridable.begin(), overridable.end(), key) == overridable.end()});
    if (Status status = read_schemas(fields, request, bound, overridable, options, capability); !status)
        return status.error();
    make_descriptor(capability);
    make_snapshot_texts(capability);
    auto contract = std::make_unique<Contract>();
    contract->type = capability.id;
    contract->description = capability.description;
    contract->capabilities.push_back(std::move(capability));
    return contract;
}

}  // namespace viewcap
