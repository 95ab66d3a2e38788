// Candidates in registry order, each waiting, out, or settled (spec: domain.md §7). Those that no policy asks about are
// settled from the start: they cost no budget.
#include "domain/discovery.h"

#include <algorithm>

namespace domain {

Discovery::Discovery(SharedRegistry registry, const RuntimeOptions& options, Surface surface, const Scope& scope,
                     double now)
    : registry_(std::move(registry)), options_(options), end_(now + options.discovery_budget_ms) {
    const auto count = static_cast<std::uint32_t>(registry_->size());
    for (std::uint32_t at = 0; at < count; ++at) {
        const Capability& capability = registry_->at(at);
        if (!capability.is_exposed_on(surface) || !is_in_scope(capability, scope)) continue;
        const bool is_asked = !batch_of(options_.policies, capability, Phase::discovery).empty();
        candidates_.push_back({at, is_asked ? State::waiting : State::kept});
        if (is_asked) ++open_;
    }
}

std::optional<std::uint32_t> Discovery::take(double now) {
    if (over_) return std::nullopt;
    while (next_ < candidates_.size() && candidates_[next_].state != State::waiting) ++next_;
    if (next_ == candidates_.size()) return std::nullopt;
    // No time is left at the very end of the budget: a batch that starts now could not run.
    over_ = now >= end_;
    if (over_ || static_cast<double>(out_) >= options_.policy_concurrency) return std::nullopt;
    candidates_[next_].state = State::out;
    ++out_;
    return candidates_[next_].capability;
}

double Discovery::batch_timeout(double now) const { return std::clamp(end_ - now, 0.0, options_.policy_timeout_ms); }

void Discovery::report(std::uint32_t capability, const BatchOutcome& outcome, double now) {
    const auto at = std::lower_bound(
        candidates_.begin(), candidates_.end(), capability,
        [](const Candidate& candidate, std::uint32_t wanted) { return candidate.capability < wanted; });
    if (at == candidates_.end() || at->capability != capability || at->state != State::out) return;
    at->state = outcome.verdict == Verdict::allow              ? State::kept
                : outcome.verdict == Verdict::require_approval ? State::flagged
                                                               : State::left_out;
    --out_;
    --open_;
    if (now >= end_) over_ = true;
}

bool Discovery::is_finished() const { return open_ == 0 && !over_; }

std::vector<Listed> Discovery::listing() const {
    std::vector<Listed> listed;
    for (const Candidate& candidate : candidates_) {
        const bool is_flagged = candidate.state == State::flagged;
        if (!is_flagged && candidate.state != State::kept) continue;
        listed.push_back({candidate.capability, is_flagged || registry_->at(candidate.capability).approval_required});
    }
    return listed;
}

}  // namespace domain
