// One describe: who is listed, who is asked first, how many at once, until when (spec: domain.md §7).
//
//     auto scope = read_scope(facts);                                       // INVALID_DEFINITION: a TypeError
//     Discovery discovery(registry, options, surface, *scope, started);
//     while (auto candidate = discovery.take(now)) …run its batch…          // none now: wait for a report
//     discovery.report(*candidate, outcome, now);
//     if (discovery.is_over_budget()) …TIMEOUT…   if (discovery.is_finished()) use(discovery.listing());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/policy_batch.h"
#include "domain/registry.h"
#include "domain/runtime_options.h"

namespace domain {

struct Scope {
    bool has_tags = false, has_ids = false;
    std::vector<std::string> tags, ids;
};
/// Absent, or value facts of `{tags?, ids?}`, arrays of texts; INVALID_DEFINITION for anything else.
host_protocol::Result<Scope> read_scope(host_protocol::JsonValue facts);
/// Union of both keys; a key that is an empty array selects nothing; without keys everything is in.
bool is_in_scope(const Capability& capability, const Scope& scope);

struct Listed {
    std::uint32_t capability;
    bool requires_approval;
};

class Discovery {
  public:
    /// Times are milliseconds of the monotonic clock. Registry and options outlive it.
    Discovery(SharedRegistry registry, const RuntimeOptions& options, Surface surface, const Scope& scope, double now);

    /// The next candidate whose batch may start now; none while as many as allowed are out, when all were taken, or
    /// when the budget is over (then it stays over).
    std::optional<std::uint32_t> take(double now);
    /// Milliseconds that a batch has which starts now: at most the rest of the budget.
    double batch_timeout(double now) const;
    /// A candidate that is not out is ignored. Failure, deny and hide leave it out; require-approval flags it.
    void report(std::uint32_t capability, const BatchOutcome& outcome, double now);

    bool is_over_budget() const { return over_; }
    bool is_finished() const;
    /// Registry order. Only when finished.
    std::vector<Listed> listing() const;

  private:
    enum class State : std::uint8_t { waiting, out, kept, flagged, left_out };
    struct Candidate {
        std::uint32_t capability;
        State state;
    };
    SharedRegistry registry_;
    const RuntimeOptions& options_;
    std::vector<Candidate> candidates_;
    double end_ = 0;
    std::size_t next_ = 0;  // first candidate that may still wait
    std::size_t out_ = 0, open_ = 0;
    bool over_ = false;
};

}  // namespace domain
