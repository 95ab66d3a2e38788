// One execution told in one pass from its plan.
#pragma once

#include "execution_plans.h"

namespace domain_test {

struct Forecast {
    std::string asked, outcome;  // asks in order, a blank after each; outcome_of
    Texts events;                // types without "capability."
};

Forecast forecast_of(const Plan& plan, const Shape& shape, const Options& options);

}  // namespace domain_test
