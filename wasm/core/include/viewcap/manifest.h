// The manifest that fixes which contracts a production registry accepts (spec: capabilities.md §3, "Authority").
#pragma once

#include <map>
#include <string>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"

namespace viewcap {

using ContractHashes = std::map<std::string, std::string, std::less<>>;

/// SHA-256 (hex) of the contract's canonical JSON.
std::string contract_hash(host_protocol::JsonValue contract);

/// `{format: 1, contracts: {<type>: {sha256, contract}}, sha256}` of an array of contracts; the outer hash is that of
/// the canonical JSON of `contracts`. Fails with INVALID_DEFINITION for a contract without a type or two of one type.
host_protocol::Result<std::string> make_manifest(host_protocol::JsonValue contracts);

/// The hashes of a manifest after every one of them was verified; INVALID_DEFINITION names the one that differs.
host_protocol::Result<ContractHashes> check_manifest(host_protocol::JsonValue manifest);

}  // namespace viewcap
