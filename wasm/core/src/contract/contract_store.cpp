#include "contract/contract_store.h"

#include "host_protocol/canonical_json.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"
#include "viewcap/manifest.h"

namespace viewcap {

using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

namespace {

/// Equal contracts whose inputs the same side validates. In the author's order: order is part of what the model reads.
std::string intern_key(JsonValue contract, JsonValue external) {
    std::string key(contract.raw());
    key += '\n';
    if (external) key += external.raw();
    return host_protocol::sha256_hex(key);
}

}  // namespace

host_protocol::Status ContractStore::check_authority(const Contract& read, JsonValue contract) const {
    if (!options_.has_authority) return host_protocol::ok();
    const auto entry = options_.authority.find(read.type);
    if (entry != options_.authority.end() && entry->second == contract_hash(contract)) return host_protocol::ok();
    return host_protocol::make_error(
        host_protocol::definition_codes::kInvalidDefinition,
        concat({read.is_procedure() ? "procedure '" : "component '", read.type, "': its contract ",
                entry == options_.authority.end() ? "is not in the authority's manifest"
                                                  : "differs from the one in the authority's manifest",
                "; compile the manifest again"}));
}

Result<ContractHandle> ContractStore::keep(std::string key, Reading read, JsonValue contract) {
    if (!read) return read.error();
    if (auto status = check_authority(**read, contract); !status) return status.error();
    contracts_.emplace_back(std::move(*read));
    const auto handle = static_cast<ContractHandle>(contracts_.size());
    by_text_.emplace(std::move(key), handle);
    return handle;
}

Result<ContractHandle> ContractStore::intern(JsonValue contract, JsonValue external) {
    std::string key = intern_key(contract, external);
    if (const auto known = by_text_.find(key); known != by_text_.end()) return known->second;
    return keep(std::move(key), read_contract(contract, external, options_), contract);
}

Result<ContractHandle> ContractStore::intern_procedure(JsonValue request) {
    std::string key = intern_key(request, {});
    if (const auto known = by_text_.find(key); known != by_text_.end()) return known->second;
    return keep(std::move(key), read_procedure(request, options_), request.find("procedure"));
}

std::shared_ptr<const Contract> ContractStore::find(ContractHandle handle) const {
    return handle == 0 || handle > contracts_.size() ? nullptr : contracts_[handle - 1];
}

}  // namespace viewcap
