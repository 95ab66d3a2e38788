// What readers of every kind of capability share.
#pragma once

#include "contract/contract.h"
#include "contract/fields.h"

namespace viewcap {

/// A schema of an author's field; a refusal names its owner and the field.
host_protocol::Result<host_protocol::Schema> read_schema(const FieldReader& fields, std::string_view field,
                                                         std::string text, const host_protocol::SchemaOptions& options);

/// The field `output`, where the definition has one.
host_protocol::Status read_output(const FieldReader& fields, host_protocol::JsonValue definition,
                                  const host_protocol::SchemaOptions& options, Capability& capability);

/// Fills in what a projection copies: descriptor and wire name. All that they say is set before.
void make_descriptor(Capability& capability);

}  // namespace viewcap
