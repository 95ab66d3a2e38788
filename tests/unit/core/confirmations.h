// What the tests of confirmations share: a store with all that it tells, and calls that ask it.
#pragma once

#include <string>
#include <vector>

#include "calls.h"
#include "confirmation/confirmation_store.h"

namespace viewcap_test {

constexpr double kTtl = 120000;

struct Request {
    std::string consumer = "test:ada";
    std::string registration = "reg_1";
    std::string capability = "view:a.b.run";
    std::string effect = "local-state";
    std::string input = R"({"id":1})";
    std::string summary = "";
    std::string description = "Run it.";

    viewcap::ConfirmationAsk ask() const {
        return {consumer, registration, capability, effect, description, input, summary};
    }
};

class Desk {
  public:
    explicit Desk(std::uint32_t max_pending = 32, double ttl_ms = kTtl)
        : options_(options_of(max_pending, ttl_ms)), log_(outbox), store(options_, outbox, log_) {
        log_.listen(3);
    }

    viewcap::ConfirmationVerdict check(const Request& request, const std::string& evidence = "",
                                       viewcap::InvocationHandle by = 1) {
        return store.check(request.ask(), evidence, "cnf_" + std::to_string(++fresh_), by, now);
    }
    /// The id that a call is asked to bring; it must have been asked.
    std::string asked(const Request& request, const std::string& evidence = "") {
        const auto verdict = check(request, evidence);
        REQUIRE(verdict.failure);
        REQUIRE(verdict.failure->code == "CONFIRMATION_REQUIRED");
        REQUIRE(verdict.failure->retry == "with-confirmation");
        return at(verdict.failure->details, {"confirmationId"});
    }
    std::string approved(const Request& request) {
        const std::string id = asked(request);
        REQUIRE(store.resolve(id, true, now));
        return id;
    }
    /// "ok", or the reason of a refusal with the hint of what to do about it.
    std::string outcome(const Request& request, const std::string& evidence = "", viewcap::InvocationHandle by = 1) {
        const auto verdict = check(request, evidence, by);
        if (!verdict.failure) return "ok";
        if (verdict.failure->code == "CONFIRMATION_REQUIRED") return "required";
        return at(verdict.failure->details, {"reason"}) + " " + std::string(verdict.failure->retry);
    }
    std::vector<std::string> items() { return items_of(outbox.take()); }

    double now = 1000;
    viewcap::Outbox outbox;

  private:
    static viewcap::RegistryOptions options_of(std::uint32_t max_pending, double ttl_ms) {
        viewcap::RegistryOptions options;
        options.surface_id = "srf_test";
        options.limits.max_pending_confirmations = max_pending;
        options.limits.confirmation_ttl_ms = static_cast<std::uint32_t>(ttl_ms);
        return options;
    }
    int fresh_ = 0;
    viewcap::RegistryOptions options_;
    viewcap::EventLog log_;

  public:
    viewcap::ConfirmationStore store;
};

}  // namespace viewcap_test
