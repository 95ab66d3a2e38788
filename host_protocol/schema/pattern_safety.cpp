#include "schema/pattern_safety.h"

#include <algorithm>
#include <utility>

#include "host_protocol/heap_sort.h"
#include "schema/pattern_automaton.h"

namespace host_protocol::schema_detail {
namespace {

using Index = std::uint32_t;
using Graph = std::vector<std::vector<Index>>;

// With texts of at most 1024 units: n² is a million steps. Every independent choice outside loops multiplies that.
constexpr int kMaxOverlappingLoops = 1;
constexpr double kMaxChoices = 128;
constexpr std::size_t kMaxLoopPositions = 96;
constexpr std::size_t kMaxWork = 4'000'000;

class Analysis {
  public:
    explicit Analysis(const PatternAutomaton& automaton) : next_(automaton.next), sets_(automaton.sets) {
        size_ = sets_.size();
        overlap_.resize(size_ * size_);
        for (Index p = 0; p < size_; ++p)
            for (Index q = p; q < size_; ++q)
                overlap_[p * size_ + q] = overlap_[q * size_ + p] = sets_[p].overlaps(sets_[q]);
    }

    /// Mutual reachability; only positions on a cycle get a component.
    void find_loops() {
        reach_.assign(size_ * size_, false);
        for (Index from = 0; from < size_; ++from) mark_reachable(from);
        loop_of_.assign(size_, -1);
        loops_.clear();
        for (Index p = 0; p < size_; ++p) {
            if (!reaches(p, p) || loop_of_[p] >= 0) continue;
            std::vector<Index> members;
            for (Index q = p; q < size_; ++q)
                if (reaches(p, q) && reaches(q, p)) members.push_back(q);
            for (Index q : members) loop_of_[q] = static_cast<int>(loops_.size());
            loops_.push_back(std::move(members));
        }
    }

    bool has_ambiguous_loop() {
        return std::any_of(loops_.begin(), loops_.end(), [&](const auto& loop) { return is_ambiguous(loop); });
    }

    /// Positions from which every continuation is a match already: no failure behind them sends the engine back.
    void drop_settled(const Flags& final) {
        Flags settled(size_);
        for (Index p = 0; p < size_; ++p) {
            settled[p] = final[p];
            for (Index q = 0; q < size_ && settled[p]; ++q) settled[p] = !reaches(p, q) || final[q];
        }
        for (Index p = 0; p < size_; ++p) {
            if (settled[p]) next_[p].clear();
            std::erase_if(next_[p], [&](Index q) { return settled[q]; });
        }
    }

    /// The largest number of loops in a row that can share one text.
    int overlapping_loops() {
        std::vector<std::pair<std::size_t, Index>> order;
        for (Index a = 0; a < loops_.size(); ++a) {
            std::size_t before = 0;
            for (const auto& other : loops_) before += reaches(other[0], loops_[a][0]) ? 1u : 0u;
            order.emplace_back(before, a);
        }
        heap_sort(order.begin(), order.end());
        std::vector<int> degree(loops_.size());
        int most = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Index b = order[i].second;
            for (std::size_t j = 0; j < i; ++j) {
                const Index a = order[j].second;
                if (!reaches(loops_[a][0], loops_[b][0])) continue;
                degree[b] = std::max(degree[b], degree[a] + (share_text(loops_[a], loops_[b]) ? 1 : 0));
            }
            most = std::max(most, degree[b]);
        }
        return most;
    }

    /// An upper bound of the readings that choices outside loops add.
    double choices(const std::vector<Index>& first) const {
        double product = fan_out(first);
        for (Index p = 0; p < size_; ++p) product *= fan_out(next_[p]);
        return product;
    }

    bool too_much_work() const { return work_ > kMaxWork; }

  private:
    bool overlaps(Index p, Index q) const { return overlap_[p * size_ + q]; }
    bool reaches(Index p, Index q) const { return reach_[p * size_ + q]; }

    void mark_reachable(Index from) {
        std::vector<Index> open{from};
        while (!open.empty()) {
            const Index p = open.back();
            open.pop_back();
            for (Index q : next_[p]) {
                ++work_;
                if (reaches(from, q)) continue;
                reach_[from * size_ + q] = true;
                open.push_back(q);
            }
        }
    }

    double fan_out(const std::vector<Index>& targets) const {
        std::size_t most = 1;
        for (Index p : targets) {
            std::size_t alike = 0;
            for (Index q : targets) alike += overlaps(p, q) ? 1u : 0u;
            most = std::max(most, alike);
        }
        return static_cast<double>(most);
    }

    /// Two different ways from a state to itself on one text: a pair of states that leaves the diagonal and comes back.
    bool is_ambiguous(const std::vector<Index>& loop) {
        const std::size_t k = loop.size();
        if (k > kMaxLoopPositions) return work_ = kMaxWork + 1, true;
        Graph forward(k * k), backward(k * k);
        for (Index i = 0; i < k; ++i)
            for (Index j = 0; j < k; ++j)
                for (Index p : next_[loop[i]])
                    for (Index q : next_[loop[j]]) add_pair(loop, i * k + j, p, q, forward, backward);
        const Flags out = from_diagonal(forward, k), back = from_diagonal(backward, k);
        for (std::size_t pair = 0; pair < k * k; ++pair)
            if (pair / k != pair % k && out[pair] && back[pair]) return true;
        return false;
    }

    void add_pair(const std::vector<Index>& loop, std::size_t from, Index p, Index q, Graph& forward, Graph& backward) {
        ++work_;
        if (!overlaps(p, q) || too_much_work()) return;
        const auto i = std::lower_bound(loop.begin(), loop.end(), p), j = std::lower_bound(loop.begin(), loop.end(), q);
        if (i == loop.end() || *i != p || j == loop.end() || *j != q) return;
        const auto to =
            static_cast<std::size_t>(i - loop.begin()) * loop.size() + static_cast<std::size_t>(j - loop.begin());
        forward[from].push_back(static_cast<Index>(to));
        backward[to].push_back(static_cast<Index>(from));
    }

    static Flags from_diagonal(const Graph& graph, std::size_t k) {
        Flags seen(k * k);
        std::vector<Index> open;
        for (std::size_t i = 0; i < k; ++i) open.push_back(static_cast<Index>(i * k + i));
        for (Index at : open) seen[at] = true;
        while (!open.empty()) {
            const Index at = open.back();
            open.pop_back();
            for (Index to : graph[at])
                if (!seen[to]) seen[to] = true, open.push_back(to);
        }
        return seen;
    }

    /// A text that loops in a, loops in b, and also leads from a to b: the border between the two can lie anywhere.
    bool share_text(const std::vector<Index>& a, const std::vector<Index>& b) {
        for (Index p : a)
            for (Index q : b)
                if (too_much_work() || share_text_at(p, q, a, b)) return true;
        return false;
    }

    bool share_text_at(Index p, Index q, const std::vector<Index>& a, const std::vector<Index>& b) {
        const auto key = [&](Index x, Index y, Index z) { return (std::size_t{x} * size_ + y) * size_ + z; };
        std::vector<std::size_t> seen;
        std::vector<std::size_t> open{key(p, p, q)};
        const std::size_t goal = key(p, q, q);
        while (!open.empty() && !too_much_work()) {
            const std::size_t at = open.back();
            open.pop_back();
            const auto x0 = static_cast<Index>(at / size_ / size_), y0 = static_cast<Index>(at / size_ % size_),
                       z0 = static_cast<Index>(at % size_);
            for (Index x : next_[x0]) {
                if (loop_of_[x] != loop_of_[a[0]]) continue;
                for (Index y : next_[y0]) {
                    if (!overlaps(x, y) || !(y == q || reaches(y, q))) continue;
                    for (Index z : next_[z0]) {
                        ++work_;
                        if (loop_of_[z] != loop_of_[b[0]] || !overlaps(x, z) || !overlaps(y, z)) continue;
                        const std::size_t to = key(x, y, z);
                        if (to == goal) return true;
                        const auto spot = std::lower_bound(seen.begin(), seen.end(), to);
                        if (spot != seen.end() && *spot == to) continue;
                        seen.insert(spot, to);
                        open.push_back(to);
                    }
                }
            }
        }
        return false;
    }

    Graph next_;
    const std::vector<CharSet>& sets_;
    std::size_t size_ = 0;
    Flags overlap_, reach_;
    std::vector<std::vector<Index>> loops_;
    std::vector<int> loop_of_;
    std::size_t work_ = 0;
};

/// An unanchored search starts again at every character: a loop over anything before the pattern.
void add_search_loop(PatternAutomaton& automaton) {
    const auto start = static_cast<Index>(automaton.sets.size());
    automaton.sets.push_back(CharSet::any());
    automaton.next.push_back(automaton.first);
    automaton.next.back().push_back(start);
    automaton.final.push_back(false);
}

}  // namespace

std::string why_unsafe(const PatternTree& tree) {
    std::string problem;
    PatternAutomaton automaton = build_automaton(tree, problem);
    if (!problem.empty()) return problem;
    const std::vector<Index> first = automaton.first;
    if (!automaton.anchored) add_search_loop(automaton);
    Analysis analysis(automaton);
    analysis.find_loops();
    // The search loop is alone in its component and never ambiguous by itself.
    const bool ambiguous = analysis.has_ambiguous_loop();
    if (analysis.too_much_work()) return "more loops than can be proven safe";
    if (ambiguous) return "a loop that can read one text in two ways";
    if (automaton.always_matches) return {};
    analysis.drop_settled(automaton.final);
    analysis.find_loops();
    if (analysis.overlapping_loops() > kMaxOverlappingLoops)
        return automaton.anchored ? "three or more quantifiers in a row that can share a text"
                                  : "two or more quantifiers in a row that can share a text, and no ^ at its start";
    if (analysis.choices(first) > kMaxChoices) return "too many optional parts that can share a text";
    return analysis.too_much_work() ? "more loops than can be proven safe" : std::string{};
}

}  // namespace host_protocol::schema_detail
