#include "schema/schema.h"

#include <algorithm>
#include <utility>

#include "host_protocol/vocabulary.h"
#include "schema/profile.h"
#include "schema/program.h"
#include "schema/valijson_fence.h"

namespace host_protocol {
namespace {

// Nesting of the schema's JSON text; its levels are counted by the lint, and `enum`, `const` or `default` may go
// deeper.
constexpr std::uint32_t kMaxSchemaNesting = 64;

Error unreadable(const Error& error, std::size_t size, const SchemaOptions& options) {
    std::string message = "the schema cannot be read at " + error.path + ": " + error.message;
    if (error.code == json_fault::kTooLarge)
        message = "the schema has " + std::to_string(size) + " bytes; at most " + std::to_string(options.max_bytes) +
                  " are allowed";
    else if (error.code == json_fault::kTooDeep)
        message = "the schema is nested too deep; at most " + std::to_string(options.max_depth) + " levels are allowed";
    return make_error(definition_codes::kUnsupportedSchema, std::move(message));
}

}  // namespace

struct Schema::Impl {
    JsonDocument document;
    SchemaOptions options;
    schema_detail::LintedSchema linted;
    // Compiled on first use; a schema belongs to one thread, like the registry that owns it.
    std::unique_ptr<schema_detail::Program> program{};
    std::unique_ptr<schema_detail::FullSchema> full{};
};

Schema::Schema(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;
Schema::~Schema() = default;

Result<Schema> Schema::create(std::string text, const SchemaOptions& options) {
    if (options.profile == SchemaProfile::full && !full_profile_available())
        return make_error(
            definition_codes::kUnsupportedSchema,
            "schemaProfile \"full\" is not part of this build; load the full module, or keep to \"portable\"");
    const std::size_t size = text.size();
    Result<JsonDocument> document = JsonDocument::read(std::move(text), {options.max_bytes, kMaxSchemaNesting});
    if (!document) return unreadable(document.error(), size, options);
    Result<schema_detail::LintedSchema> linted = schema_detail::lint_schema(document->root(), options);
    if (!linted) return linted.error();
    auto impl = std::unique_ptr<Impl>(new Impl{std::move(*document), options, std::move(*linted)});
    if (impl->linted.needs_full) {
        // Not lazily: valijson has refusals of its own, and they belong to registration.
        auto full = schema_detail::compile_full_schema(impl->document.root(), impl->linted, options);
        if (!full) return full.error();
        impl->full = std::move(*full);
    }
    return Schema(std::move(impl));
}

std::vector<Issue> Schema::validate(JsonValue instance) const {
    if (impl_->full) return impl_->full->validate(instance);
    if (!impl_->program)
        impl_->program = std::make_unique<schema_detail::Program>(
            schema_detail::compile_program(impl_->document.root(), impl_->linted));
    return schema_detail::run_program(*impl_->program, impl_->options, instance);
}

std::string_view Schema::text() const { return impl_->document.text(); }

std::string issues_json(const std::vector<Issue>& issues) {
    std::string out = "[";
    for (std::size_t i = 0; i < std::min(issues.size(), kMaxIssues); ++i) {
        out += i > 0 ? ",{\"path\":" : "{\"path\":";
        append_json_string(out, issues[i].path);
        out += ",\"message\":";
        append_json_string(out, issues[i].message);
        out += '}';
    }
    out += ']';
    return out;
}

}  // namespace host_protocol
