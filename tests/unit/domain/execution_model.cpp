// The model: each stage in the order of the spec's table (domain.md §6.2), in one pass. It has no states and shares
// nothing with what it is compared to.
#include "execution_model.h"

#include <algorithm>

namespace domain_test {
namespace {

class Model {
  public:
    Model(const Plan& plan, const Shape& shape, const Options& options)
        : plan_(plan), shape_(shape), options_(options) {}

    Forecast run() {
        if (plan_.resumes ? resumes() : gets_through())
            if (passes_execution() && starts() && runs()) puts_out();
        return said_;
    }

  private:
    void ask(const std::string& what) {
        said_.asked += what + " ";
        ++answers_;
    }
    void tell(const std::string& event) { said_.events.push_back(event); }
    bool gone() const { return answers_ >= plan_.gone_after; }
    bool end(const std::string& outcome, const std::string& event) {
        said_.outcome = outcome;
        if (!event.empty()) tell(event);
        return false;
    }
    bool fail(const std::string& error) { return end("failed " + error, "failed"); }
    bool cancel() { return end("cancelled CANCELLED@cancellation", "cancelled"); }

    /// Decision 18.
    bool refuse_input(const std::string& error) {
        if (shape_.discovery) {
            ask("policies");
            if (plan_.discovery == Said::hide || plan_.discovery == Said::threw)
                return end("failed CAPABILITY_NOT_FOUND@discovery", "denied");
        }
        return fail(error);
    }
    bool accepts_input() {
        if (shape_.has_input) ask("validate-input");
        return !shape_.has_input || plan_.is_valid || refuse_input("INPUT_INVALID@input-validation");
    }
    bool passes(Said said, const std::string& event) {
        if (said == Said::threw) return end("failed POLICY_FAILED@policy", event);
        if (said == Said::deny) return end("failed POLICY_DENIED@policy", event);
        return said != Said::hide || end("failed CAPABILITY_NOT_FOUND@discovery", event);
    }

    bool gets_through() {
        tell("requested");
        if (!accepts_input()) return false;
        if (options_.listens) hash();
        if (plan_.is_nobody) return refuse_input("UNAUTHENTICATED@authentication");
        if (shape_.invocation) {
            ask("policies");
            if (!passes(plan_.invocation, "denied")) return false;
        }
        const bool demanded = shape_.invocation && plan_.invocation == Said::demand;
        return !(shape_.gated || demanded) || is_approved();
    }
    bool resumes() {
        ask("hash");
        if (!plan_.hashes) return fail("APPROVAL_INPUT_MISMATCH@approval");
        if (!accepts_input()) return false;
        if (shape_.has_input) ask("hash");
        if (gone()) return cancel();
        ask("consume");
        approved_ = plan_.consumes;
        return approved_ || fail("APPROVAL_CONSUMED@approval");
    }
    void hash() {
        if (!hashed_) ask("hash");
        hashed_ = true;
    }

    bool is_approved() {
        hash();
        if (gone()) return cancel();
        if (!plan_.hashes) return fail("APPROVAL_UNSERIALIZABLE_INPUT@approval");
        if (options_.asks_inline) {
            tell("approval_requested");
            ask("decide");
            if (plan_.decided != Decided::nothing) return is_approved_inline();
            if (gone()) return cancel();
        }
        ask("store");
        if (!plan_.stores) return fail("INTERNAL_ERROR@approval");
        return end("approval-required", options_.asks_inline ? "" : "approval_requested");
    }
    bool is_approved_inline() {
        if (plan_.decided == Decided::nonsense || plan_.decided == Decided::threw)
            return fail("INTERNAL_ERROR@approval");
        tell(plan_.decided == Decided::rejected ? "rejected" : "approved");
        if (plan_.decided == Decided::rejected) return fail("APPROVAL_REJECTED@approval");
        if (plan_.decided == Decided::own) return fail("APPROVAL_SELF_APPROVAL@approval");
        return approved_ = true;
    }

    bool passes_execution() {
        if (!shape_.execution) return true;
        ask("policies");
        if (!passes(plan_.execution, "failed")) return false;
        return plan_.execution != Said::demand || approved_ || is_approved();
    }
    bool starts() {
        if (gone()) return cancel();
        tell("started");
        if (!options_.strict) return true;
        ask("audit-started");
        if (!plan_.audits) return fail("AUDIT_UNAVAILABLE@execution");
        return !gone() || cancel();
    }

    bool runs() {
        for (int made = 1;; ++made) {
            ask("execute");
            const Attempt attempt = plan_.attempts[std::min(made, 4) - 1];
            const bool timed_out = attempt == Attempt::timeout;
            if (attempt == Attempt::stopped || (gone() && !timed_out)) return cancel();
            if (attempt == Attempt::output) return true;
            bool again = made <= shape_.retries && attempt != Attempt::final;
            if (again && shape_.asks && !gone()) {
                ask("retry?");
                again = plan_.may_retry;
            }
            if (!again)
                return timed_out ? end("cancelled TIMEOUT@timeout", "cancelled") : fail("EXECUTION_FAILED@execution");
            if (gone()) return cancel();
            tell("retried");
            ask("back-off");
            if (!plan_.waits || gone()) return cancel();
        }
    }
    void puts_out() {
        if (shape_.has_output) ask("validate-output");
        if (shape_.has_output && !plan_.output_is_valid) {
            fail("OUTPUT_INVALID@output-validation");
            return;
        }
        if (shape_.redacts) ask("redact");
        if (shape_.redacts && !plan_.redacts)
            fail("EXECUTION_FAILED@execution");
        else
            end("completed", "completed");
    }

    const Plan& plan_;
    const Shape& shape_;
    const Options& options_;
    Forecast said_;
    std::size_t answers_ = 0;
    bool hashed_ = false, approved_ = false;
};

}  // namespace

Forecast forecast_of(const Plan& plan, const Shape& shape, const Options& options) {
    return Model(plan, shape, options).run();
}

}  // namespace domain_test
