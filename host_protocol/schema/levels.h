// Which schemas apply to one and the same instance value: anyOf, allOf, $ref and their like form a graph.
//
// A cycle in it would never end, and a long or wide way through it costs stack and time for every value; both are found
// when the schema is registered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace host_protocol::schema_detail {

struct LevelFault {
    std::uint32_t schema;  // number given by add()
    std::string message;
};

class Levels {
  public:
    /// Adds the schema at that tape index; indices must grow. Returns its number: 0, 1, 2, …
    std::uint32_t add(std::uint32_t tape_index);
    bool has(std::uint32_t tape_index) const;
    /// `from` applies the schema at `tape_index` to its own instance value.
    void add_edge(std::uint32_t from, std::uint32_t tape_index);
    std::optional<LevelFault> find_fault(std::uint32_t max_chain) const;

  private:
    std::vector<std::uint32_t> indices_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace host_protocol::schema_detail
