// A batch by the names of its policies, and what reported outcomes come to.
#pragma once

#include "domain/policy_batch.h"
#include "walk_text.h"

namespace domain_test {

/// Policies named so, all of the invocation phase.
inline std::vector<domain::Policy> policies(const Texts& names,
                                            std::uint8_t phases = domain::bit(domain::Phase::invocation)) {
    std::vector<domain::Policy> made;
    for (const std::string& name : names) made.push_back({name, phases});
    return made;
}

inline std::vector<const domain::Policy*> batch(const std::vector<domain::Policy>& of) {
    std::vector<const domain::Policy*> pointers;
    for (const domain::Policy& policy : of) pointers.push_back(&policy);
    return pointers;
}

/// The text is gone before the outcome is looked at: only the policies' names, which
/// outlive it, may be viewed.
inline domain::BatchOutcome combined(const std::vector<domain::Policy>& of, const std::string& outcomes) {
    const auto document = json(outcomes);
    return domain::combine(batch(of), document.root());
}

/// `name:stance` of each record, with blanks between.
inline std::string stances(const domain::BatchOutcome& outcome) {
    std::string out;
    for (const domain::PolicyRecord& record : outcome.records) {
        if (!out.empty()) out += ' ';
        out +=
            std::string(record.policy) + ':' + std::string(domain::kStances[static_cast<std::size_t>(record.stance)]);
    }
    return out;
}

}  // namespace domain_test
