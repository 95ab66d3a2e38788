// The functions of schemas, the same in every module: compiled by handle, validated against a text.
#pragma once

namespace viewcap::table {

int compile_schema();
int validate(int schema);
void free_schema(int schema);

}  // namespace viewcap::table
