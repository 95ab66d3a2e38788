// Runs the official JSON-Schema-Test-Suite, read in place from the folder that VIEWCAP_JSON_SCHEMA_SUITE names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace viewcap_test {

struct SuiteTally {
    int evaluated = 0;                     // instances checked against a schema inside the profile
    int refused = 0;                       // schemas outside the profile
    std::vector<std::string> refusals{};   // "<file> | <description> | <why>"
    std::vector<std::string> disagreed{};  // "<file> | <description> | <test>"
};

/// Empty when the suite is not on this machine.
std::string suite_folder();

/// Runs every case of `file` ("draft7/ref.json"); false when the file cannot be read.
bool run_suite_file(const std::string& folder, const std::string& file, const host_protocol::SchemaOptions& options,
                    SuiteTally& tally);

}  // namespace viewcap_test
