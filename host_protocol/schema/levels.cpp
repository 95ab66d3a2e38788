#include "schema/levels.h"

#include <algorithm>

namespace host_protocol::schema_detail {
namespace {
constexpr std::uint64_t kMaxApplied = 10000;
}  // namespace

std::uint32_t Levels::add(std::uint32_t tape_index) {
    indices_.push_back(tape_index);
    return static_cast<std::uint32_t>(indices_.size() - 1);
}

bool Levels::has(std::uint32_t tape_index) const {
    return std::binary_search(indices_.begin(), indices_.end(), tape_index);
}

void Levels::add_edge(std::uint32_t from, std::uint32_t tape_index) { edges_.emplace_back(from, tape_index); }

std::optional<LevelFault> Levels::find_fault(std::uint32_t max_chain) const {
    const std::size_t count = indices_.size();
    std::vector<std::vector<std::uint32_t>> next(count);
    for (const auto& [from, index] : edges_) {
        const auto at = std::lower_bound(indices_.begin(), indices_.end(), index);
        next[from].push_back(static_cast<std::uint32_t>(at - indices_.begin()));
    }
    enum class Colour : std::uint8_t { unseen, open, done };
    std::vector<Colour> colour(count, Colour::unseen);
    std::vector<std::uint32_t> height(count, 1);
    std::vector<std::uint64_t> applied(count, 1);
    // Depth first with a stack of our own: a chain of references can be as long as the schema.
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    for (std::uint32_t start = 0; start < count; ++start) {
        if (colour[start] == Colour::unseen) stack.emplace_back(start, 0);
        while (!stack.empty()) {
            const std::uint32_t at = stack.back().first;
            colour[at] = Colour::open;
            if (stack.back().second < next[at].size()) {
                const std::uint32_t to = next[at][stack.back().second++];
                if (colour[to] == Colour::open)
                    return LevelFault{to, "\"$ref\" leads back here without consuming a level of the instance"};
                if (colour[to] == Colour::unseen) stack.emplace_back(to, 0);
                continue;
            }
            for (std::uint32_t to : next[at]) {
                height[at] = std::max(height[at], height[to] + 1);
                applied[at] = std::min(applied[at] + applied[to], kMaxApplied + 1);
            }
            if (height[at] > max_chain)
                return LevelFault{at,
                                  "more than " + std::to_string(max_chain) + " schemas in a chain apply to one value"};
            if (applied[at] > kMaxApplied) return LevelFault{at, "more than 10000 schemas apply to one value"};
            colour[at] = Colour::done;
            stack.pop_back();
        }
    }
    return std::nullopt;
}

}  // namespace host_protocol::schema_detail
