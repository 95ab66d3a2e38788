// schemaProfile "full", evaluated by valijson (design §3). The only door to it: exceptions end here, and what valijson
// is known to get wrong is computed by the schema program instead. Builds without valijson link no_full_profile.cpp.
#pragma once

#include <memory>
#include <vector>

#include "schema/profile.h"
#include "schema/schema.h"

namespace host_protocol::schema_detail {

class FullSchema {
  public:
    virtual ~FullSchema() = default;
    virtual std::vector<Issue> validate(JsonValue instance) const = 0;
};

/// Fails with UNSUPPORTED_SCHEMA where this build has no full profile, or where valijson refuses what the lint let
/// pass.
Result<std::unique_ptr<FullSchema>> compile_full_schema(JsonValue root, const LintedSchema& linted,
                                                        const SchemaOptions& options);

}  // namespace host_protocol::schema_detail
