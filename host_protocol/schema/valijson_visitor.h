// Valijson's evaluator over JsonValues, cut down to the constraints that the fence makes.
// For valijson_fence.cpp only, which includes valijson before this.
#pragma once

#include <string>
#include <unordered_map>

#include "schema/valijson_tape.h"

namespace host_protocol::schema_detail {

/// No constraint with a pattern is made; valijson wants a type that can be made of one.
struct NoRegex {
    explicit NoRegex(const std::string&) {}
    static bool search(const std::string&, const NoRegex&) { return false; }
};

using Visitor = valijson::ValidationVisitor<TapeAdapter, NoRegex>;
using Regexes = std::unordered_map<std::string, NoRegex>;

}  // namespace host_protocol::schema_detail

// Constraints that the fence never makes. Without these lines their evaluation would link std::regex and the locales,
// which weigh more than all the rest; should one be met after all, it refuses.
#define VIEWCAP_NEVER_MADE(Name)                                                                               \
    template <>                                                                                                \
    inline bool host_protocol::schema_detail::Visitor::visit(const valijson::constraints::Name##Constraint&) { \
        return false;                                                                                          \
    }
VIEWCAP_NEVER_MADE(Const)
VIEWCAP_NEVER_MADE(Enum)
VIEWCAP_NEVER_MADE(Format)
VIEWCAP_NEVER_MADE(Maximum)
VIEWCAP_NEVER_MADE(MaxItems)
VIEWCAP_NEVER_MADE(MaxLength)
VIEWCAP_NEVER_MADE(Minimum)
VIEWCAP_NEVER_MADE(MinItems)
VIEWCAP_NEVER_MADE(MinLength)
VIEWCAP_NEVER_MADE(MultipleOfDouble)
VIEWCAP_NEVER_MADE(MultipleOfInt)
VIEWCAP_NEVER_MADE(Pattern)
VIEWCAP_NEVER_MADE(Properties)
VIEWCAP_NEVER_MADE(PropertyNames)
VIEWCAP_NEVER_MADE(Required)
VIEWCAP_NEVER_MADE(Type)
VIEWCAP_NEVER_MADE(UniqueItems)
#undef VIEWCAP_NEVER_MADE
