#include "schema/suite_runner.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace viewcap_test {

using host_protocol::JsonDocument;
using host_protocol::JsonLimits;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;
using host_protocol::Schema;
using host_protocol::SchemaOptions;

namespace {
constexpr JsonLimits kWide{1 << 22, 100};
}

std::string suite_folder() {
    const char* named = std::getenv("VIEWCAP_JSON_SCHEMA_SUITE");
    std::string folder = named != nullptr ? named : "";
#ifdef VIEWCAP_JSON_SCHEMA_SUITE_FOLDER
    if (folder.empty()) folder = VIEWCAP_JSON_SCHEMA_SUITE_FOLDER;
#endif
    if (folder.empty() || !std::ifstream(folder + "/README.md")) return {};
    return folder;
}

bool run_suite_file(const std::string& folder, const std::string& file, const SchemaOptions& options,
                    SuiteTally& tally) {
    std::ifstream in(folder + "/" + file, std::ios::binary);
    if (!in) return false;
    const Result<JsonDocument> document =
        JsonDocument::read(std::string(std::istreambuf_iterator<char>(in), {}), kWide);
    if (!document) return false;
    for (JsonValue group : document->root().elements()) {
        const std::string name = file + " | " + std::string(group.find("description").string()) + " | ";
        Result<Schema> schema = Schema::create(std::string(group.find("schema").raw()), options);
        if (!schema) {
            ++tally.refused;
            tally.refusals.push_back(name + schema.error().path + ": " + schema.error().message);
            continue;
        }
        for (JsonValue test : group.find("tests").elements()) {
            ++tally.evaluated;
            const bool valid = schema->validate(test.find("data")).empty();
            if (valid != test.find("valid").boolean())
                tally.disagreed.push_back(name + std::string(test.find("description").string()));
        }
    }
    return true;
}

}  // namespace viewcap_test
