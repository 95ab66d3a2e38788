// embind, nlohmann, and valijson: a schema read and a document checked against it.
#include <emscripten/bind.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "echo.h"

static std::string check(const std::string& schema_text, const std::string& text) {
    const nlohmann::json schema_document = nlohmann::json::parse(schema_text, nullptr, false);
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    valijson::Schema schema;
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
    valijson::Validator validator;
    const bool valid = validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
    return valid ? echo(document.dump()) : std::string();
}

EMSCRIPTEN_BINDINGS(probe) { emscripten::function("check", &check); }
