// Interned contracts: each distinct contract is parsed, checked and compiled once per registry (spec: capabilities.md
// §3).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contract/contract.h"
#include "viewcap/registry.h"

namespace viewcap {

class ContractStore {
  public:
    explicit ContractStore(const RegistryOptions& options) : options_(options) {}

    /// The handle of an equal contract, or of this one once it was checked; a refused contract leaves no trace.
    host_protocol::Result<ContractHandle> intern(host_protocol::JsonValue contract, host_protocol::JsonValue external);
    /// The same for a reference's contract; `request` as in contract.h.
    host_protocol::Result<ContractHandle> intern_procedure(host_protocol::JsonValue request);
    /// Null for an unknown handle.
    std::shared_ptr<const Contract> find(ContractHandle handle) const;

  private:
    using Reading = host_protocol::Result<std::unique_ptr<Contract>>;
    host_protocol::Result<ContractHandle> keep(std::string key, Reading read, host_protocol::JsonValue contract);
    /// The hash is worked out only where a manifest asks for it.
    host_protocol::Status check_authority(const Contract& read, host_protocol::JsonValue contract) const;

    const RegistryOptions& options_;
    std::vector<std::shared_ptr<const Contract>> contracts_;
    std::map<std::string, ContractHandle> by_text_;
};

}  // namespace viewcap
