#include "schema/pattern_automaton.h"

#include <algorithm>
#include <utility>

namespace host_protocol::schema_detail {
namespace {

constexpr std::size_t kMaxPositions = 1024;
constexpr std::uint32_t kMaxCopies = 64;

using Positions = std::vector<std::uint32_t>;

void append(Positions& to, const Positions& from) { to.insert(to.end(), from.begin(), from.end()); }

/// What the construction needs to know about a part. "free": without a condition (an assertion, a look-around) after
/// it.
struct Fragment {
    Positions first{}, last{}, free_last{};
    bool nullable = true, free_nullable = true;
};

class Builder {
  public:
    Builder(const PatternTree& tree, std::string& problem) : tree_(tree), problem_(problem) {}

    PatternAutomaton build() {
        const Fragment whole = fragment(tree_.root, 0);
        if (!problem_.empty()) return {};
        automaton_.first = whole.first;
        automaton_.final.resize(automaton_.sets.size());
        for (std::uint32_t position : whole.free_last) automaton_.final[position] = true;
        automaton_.always_matches = whole.free_nullable;
        automaton_.anchored = anchored(tree_.root);
        return std::move(automaton_);
    }

  private:
    Fragment fragment(std::uint32_t index, int repeats) {
        const PatternNode& node = tree_.nodes[index];
        if (!problem_.empty()) return {};
        switch (node.kind) {
            case PatternKind::empty: return {};
            case PatternKind::set: return single(node.set);
            case PatternKind::sequence: return sequence(node, repeats);
            case PatternKind::alternation: return alternation(node, repeats);
            case PatternKind::repeat: return repeat(node, repeats);
            case PatternKind::look: return look(node, repeats);
            case PatternKind::back_reference: return refuse("a back-reference");
            case PatternKind::assertion: break;
        }
        Fragment condition;
        condition.free_nullable = false;
        return condition;
    }

    Fragment single(std::uint32_t set) {
        if (automaton_.sets.size() >= kMaxPositions) return refuse("more than 1024 characters and sets");
        const auto position = static_cast<std::uint32_t>(automaton_.sets.size());
        automaton_.sets.push_back(tree_.sets[set]);
        automaton_.next.emplace_back();
        return {{position}, {position}, {position}, false, false};
    }

    Fragment sequence(const PatternNode& node, int repeats) {
        Fragment all;
        for (std::uint32_t part : node.parts) all = joined(std::move(all), fragment(part, repeats));
        return all;
    }

    Fragment joined(Fragment a, Fragment b) {
        connect(a.last, b.first);
        if (a.nullable) append(a.first, b.first);
        if (b.nullable) append(b.last, a.last);
        if (b.free_nullable) append(b.free_last, a.free_last);
        return {std::move(a.first), std::move(b.last), std::move(b.free_last), a.nullable && b.nullable,
                a.free_nullable && b.free_nullable};
    }

    Fragment alternation(const PatternNode& node, int repeats) {
        Fragment all;
        all.nullable = all.free_nullable = false;
        for (std::uint32_t part : node.parts) {
            const Fragment branch = fragment(part, repeats);
            if (!problem_.empty()) return {};
            if (repeats > 0 && overlap(all.first, branch.first))
                return refuse("alternatives under a quantifier that can start alike");
            append(all.first, branch.first);
            append(all.last, branch.last);
            append(all.free_last, branch.free_last);
            all.nullable = all.nullable || branch.nullable;
            all.free_nullable = all.free_nullable || branch.free_nullable;
        }
        return all;
    }

    Fragment repeat(const PatternNode& node, int repeats) {
        const PatternNode& child = tree_.nodes[node.parts[0]];
        if (node.max == 0) return {};
        if (child.kind == PatternKind::set && node.min == node.max && node.min <= kMaxCopies) {
            Fragment all;
            for (std::uint32_t i = 0; i < node.min && problem_.empty(); ++i)
                all = joined(std::move(all), single(child.set));
            return all;
        }
        const bool loops = node.max > 1;
        Fragment body = fragment(node.parts[0], repeats + (loops ? 1 : 0));
        if (loops && body.nullable && problem_.empty()) return refuse("a repeated group that can match nothing");
        if (loops) connect(body.last, body.first);
        if (node.min == 0) body.nullable = body.free_nullable = true;
        return body;
    }

    /// Nothing leads out of a look-around: once it has answered, its own choices are forgotten. Its cost is kept by
    /// leaving its positions reachable.
    Fragment look(const PatternNode& node, int repeats) {
        if (repeats > 0) return refuse("a look-around under a quantifier");
        if (node.behind && has_loop(node.parts[0])) return refuse("a quantifier inside a look-behind");
        Fragment inside = fragment(node.parts[0], repeats);
        inside.last.clear();
        inside.free_last.clear();
        inside.nullable = true;
        inside.free_nullable = false;
        return inside;
    }

    bool has_loop(std::uint32_t index) const {
        const PatternNode& node = tree_.nodes[index];
        if (node.kind == PatternKind::repeat && node.max > 1) return true;
        return std::any_of(node.parts.begin(), node.parts.end(), [&](std::uint32_t part) { return has_loop(part); });
    }

    bool anchored(std::uint32_t index) const {
        const PatternNode& node = tree_.nodes[index];
        if (node.kind == PatternKind::assertion) return node.at_start;
        if (node.kind == PatternKind::sequence) return anchored(node.parts[0]);
        return node.kind == PatternKind::alternation &&
               std::all_of(node.parts.begin(), node.parts.end(), [&](std::uint32_t part) { return anchored(part); });
    }

    bool overlap(const Positions& a, const Positions& b) const {
        for (std::uint32_t p : a)
            for (std::uint32_t q : b)
                if (automaton_.sets[p].overlaps(automaton_.sets[q])) return true;
        return false;
    }

    /// An edge that is there already means that an inner and an outer loop compete for the same text.
    void connect(const Positions& from, const Positions& to) {
        for (std::uint32_t p : from) {
            std::vector<std::uint32_t>& edges = automaton_.next[p];
            for (std::uint32_t q : to) {
                if (std::find(edges.begin(), edges.end(), q) != edges.end())
                    refuse("nested quantifiers over the same text");
                edges.push_back(q);
            }
        }
    }

    Fragment refuse(const char* what) {
        if (problem_.empty()) problem_ = what;
        return {};
    }

    const PatternTree& tree_;
    std::string& problem_;
    PatternAutomaton automaton_;
};

}  // namespace

PatternAutomaton build_automaton(const PatternTree& tree, std::string& problem) {
    return Builder(tree, problem).build();
}

}  // namespace host_protocol::schema_detail
