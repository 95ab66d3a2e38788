#include "schema/valijson_verdict.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "host_protocol/vocabulary.h"

using host_protocol::JsonMember;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::PatternMatch;
using nlohmann::json;

namespace {

json as_json(JsonValue value) {
    switch (value.type()) {
        case JsonType::null: return nullptr;
        case JsonType::boolean: return value.boolean();
        case JsonType::string: return std::string(value.string());
        case JsonType::number:
            if (std::trunc(value.number()) == value.number() && std::fabs(value.number()) <= 9007199254740992.0)
                return static_cast<std::int64_t>(value.number());
            return value.number();
        case JsonType::array: {
            json array = json::array();
            for (JsonValue element : value.elements()) array.push_back(as_json(element));
            return array;
        }
        case JsonType::object: break;
    }
    json object = json::object();
    for (JsonMember member : value.members()) object[std::string(member.key)] = as_json(member.value);
    return object;
}

/// Valijson makes its engines of a pattern alone, so the host function travels beside it, for the length of one
/// verdict.
thread_local PatternMatch verdict_match = nullptr;

struct VerdictRegex {
    explicit VerdictRegex(std::string source) : pattern(std::move(source)) {}
    static bool search(const std::string& text, const VerdictRegex& regex) {
        return verdict_match != nullptr && verdict_match(regex.pattern, text) == 1;
    }
    std::string pattern;
};

}  // namespace

host_protocol::Result<bool> valijson_verdict(JsonValue schema, JsonValue instance, PatternMatch match) {
    verdict_match = match;
    try {
        const json document = as_json(schema), value = as_json(instance);
        valijson::Schema compiled;
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(document), compiled);
        return valijson::ValidatorT<VerdictRegex>().validate(compiled, valijson::adapters::NlohmannJsonAdapter(value),
                                                             nullptr);
    } catch (const std::exception& problem) {
        return host_protocol::make_error(host_protocol::definition_codes::kUnsupportedSchema, problem.what());
    }
}
