// The lean build's half of valijson_fence.h: no valijson, one clear error.
#include "host_protocol/vocabulary.h"
#include "schema/valijson_fence.h"

namespace host_protocol {

bool full_profile_available() { return false; }

namespace schema_detail {
namespace {

Error unavailable() {
    return make_error(
        definition_codes::kUnsupportedSchema,
        "schemaProfile \"full\" is not part of this build; load the full module, or keep to \"portable\"");
}

}  // namespace

Result<std::unique_ptr<FullSchema>> compile_full_schema(JsonValue, const LintedSchema&, const SchemaOptions&) {
    return unavailable();
}

}  // namespace schema_detail
}  // namespace host_protocol
