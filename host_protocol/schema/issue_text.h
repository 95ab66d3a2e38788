// The sentences of issues: which keyword, and what is allowed. They never hold the rejected value.
#pragma once

#include <string>

#include "schema/program.h"

namespace host_protocol::schema_detail {

std::string type_text(const Rule& rule);
std::string values_text(const Program& program, const Rule& rule);
std::string pattern_text(const Rule& rule);
std::string undeclared_text(const Program& program, const Rule& rule);
/// "must be at least 3 (minimum)"
std::string bound_text(std::string_view wanted, double bound, std::string_view unit, std::string_view keyword);

}  // namespace host_protocol::schema_detail
