#include "schema_table.h"

#include <map>

#include "crossing.h"
#include "host_protocol/json_text.h"
#include "host_protocol/vocabulary.h"
#include "schema/schema.h"

namespace viewcap::table {
namespace {

using boundary::guarded;
using boundary::take_text;
using host_protocol::JsonDocument;
using host_protocol::JsonValue;

constexpr host_protocol::JsonLimits kDocument{std::size_t{64} << 20, 128};

struct Schemas {
    std::map<int, host_protocol::Schema> by_handle;
    int next = 1;
};

Schemas& schemas() {
    static Schemas instance;
    return instance;
}

std::string compiled(JsonValue object) {
    host_protocol::SchemaOptions options;
    options.match = &boundary::match_pattern;
    const JsonValue profile = object.find("profile");
    if (profile.is(host_protocol::JsonType::string) && profile.string() == host_protocol::schema_profiles::kFull)
        options.profile = host_protocol::SchemaProfile::full;
    const JsonValue definition = object.find("schema");
    auto schema =
        host_protocol::Schema::create(std::string(definition ? definition.raw() : std::string_view()), options);
    if (!schema) return boundary::error_text(schema.error());
    const int handle = schemas().next++;
    schemas().by_handle.emplace(handle, std::move(*schema));
    return "{\"ok\":" + std::to_string(handle) + "}";
}

}  // namespace

int compile_schema() {
    return boundary::leave_text(guarded(std::string(boundary::kInternalFault), [&] {
        auto document = JsonDocument::read(std::string(take_text()), kDocument);
        return document ? compiled(document->root()) : boundary::error_text(document.error());
    }));
}

int validate(int handle) {
    constexpr int kFault = -1;
    return guarded(kFault, [&] {
        const auto schema = schemas().by_handle.find(handle);
        if (schema == schemas().by_handle.end()) return kFault;
        static host_protocol::JsonReader reader;
        auto value = reader.read(take_text(), kDocument);
        std::vector<host_protocol::Issue> issues;
        if (value)
            issues = schema->second.validate(*value);
        else
            issues.push_back({"", value.error().message});
        if (!issues.empty()) boundary::leave_counted(host_protocol::issues_json(issues));
        return static_cast<int>(issues.size());
    });
}

void free_schema(int schema) { schemas().by_handle.erase(schema); }

}  // namespace viewcap::table
