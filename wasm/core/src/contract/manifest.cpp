#include "viewcap/manifest.h"

#include "host_protocol/canonical_json.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

using host_protocol::Error;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

Error refuse(std::string message, std::string path) {
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition, std::move(message),
                                     std::move(path));
}

Result<host_protocol::Unit> check_entry(std::string_view type, JsonValue entry) {
    const JsonValue contract = entry.find("contract");
    const std::string place = concat({"/contracts/", type});
    if (!contract.is(JsonType::object))
        return refuse(concat({"authority: the contract of '", type, "' is missing"}), place);
    if (text_or(contract.find("type"), "") != type && text_or(contract.find("id"), "") != type)
        return refuse(concat({"authority: the contract under '", type, "' names another type"}), place);
    if (contract_hash(contract) != text_or(entry.find("sha256"), ""))
        return refuse(
            concat({"authority: the sha256 of '", type, "' is not that of its contract; compile the manifest again"}),
            concat({place, "/sha256"}));
    return host_protocol::ok();
}

}  // namespace

std::string contract_hash(JsonValue contract) {
    return host_protocol::sha256_hex(host_protocol::canonical_json(contract));
}

Result<std::string> make_manifest(JsonValue contracts) {
    if (!contracts.is(JsonType::array)) return refuse("manifest: expected an array of contracts", "");
    std::map<std::string, JsonValue, std::less<>> by_type;
    for (JsonValue contract : contracts.elements()) {
        std::string_view type = text_or(contract.find("type"), "");
        if (type.empty()) type = text_or(contract.find("id"), "");
        if (type.empty()) return refuse("manifest: a contract has neither a type nor an id", "");
        if (!by_type.emplace(type, contract).second)
            return refuse(concat({"manifest: two contracts are named '", type, "'"}), "");
    }
    std::string entries = "{";
    for (const auto& [type, contract] : by_type) {
        append_key(entries, type);
        entries += concat({"{\"sha256\":\"", contract_hash(contract), "\",\"contract\":"});
        host_protocol::append_canonical_json(entries, contract);
        entries += '}';
    }
    entries += '}';
    auto document = host_protocol::JsonDocument::read(entries, {std::size_t{64} << 20, 64});
    if (!document) return document.error();
    const std::string canonical = host_protocol::canonical_json(document->root());
    return concat(
        {"{\"format\":1,\"contracts\":", canonical, ",\"sha256\":\"", host_protocol::sha256_hex(canonical), "\"}"});
}

Result<ContractHashes> check_manifest(JsonValue manifest) {
    const JsonValue format = manifest.find("format");
    const JsonValue contracts = manifest.find("contracts");
    if (!format.is(JsonType::number) || format.number() != 1) return refuse("authority: 'format' must be 1", "/format");
    if (!contracts.is(JsonType::object)) return refuse("authority: 'contracts' must be an object", "/contracts");
    ContractHashes hashes;
    for (const auto& [type, entry] : contracts.members()) {
        if (auto status = check_entry(type, entry); !status) return status.error();
        hashes.emplace(type, entry.find("sha256").string());
    }
    if (host_protocol::sha256_hex(host_protocol::canonical_json(contracts)) != text_or(manifest.find("sha256"), ""))
        return refuse("authority: the manifest's sha256 is not that of its contracts; compile the manifest again",
                      "/sha256");
    return hashes;
}

}  // namespace viewcap
