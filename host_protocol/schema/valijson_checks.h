// The constraints that the fence gives to valijson in place of what valijson computes wrong, or with std::regex.
// For valijson_fence.cpp only, which includes valijson before this.
#pragma once

#include <string>
#include <vector>

#include "host_protocol/text.h"
#include "schema/program.h"
#include "schema/valijson_shared.h"

namespace host_protocol::schema_detail {

/// Names a place that a schema refuses as a whole; translated() drops it beside anything more telling.
inline constexpr char kNothingFits[] = "Failed to validate against a schema that allows nothing.";

class OwnKeywords : public valijson::constraints::PolyConstraint {
  public:
    OwnKeywords(const Shared& shared, std::size_t number) : shared_(&shared), number_(number) {}

    bool validate(const valijson::adapters::Adapter& target, const Context& context,
                  valijson::ValidationResults* results) const override {
        if (++shared_->steps > kMaxFullSteps)
            throw Stop("takes more steps to check against this schema than are allowed");
        // Every target is a TapeAdapter: only valijson's propertyNames has another, and is never made.
        const JsonValue value = static_cast<const TapeAdapter&>(target).json();
        const Checks& checks = shared_->checks[number_];
        const std::vector<Issue> found = run_program(checks.own, shared_->options, value);
        bool valid = found.empty();
        if (results != nullptr)
            for (const Issue& issue : found) report(*results, context, issue);
        if (value.is(JsonType::object) && (checks.names || checks.closed || checks.additional ||
                                           !checks.properties.empty() || !checks.patterns.empty()))
            valid = check_members(checks, value, context, results) && valid;
        return valid;
    }

  private:
    /// Own issues lie at the value or, for an undeclared key, one member below it.
    static void report(valijson::ValidationResults& results, Context context, const Issue& issue) {
        if (results.numErrors() >= kEnoughErrors) throw Stop("");
        if (!issue.path.empty()) context.push_back("/" + issue.path);
        results.pushError(context, issue.message);
    }

    bool check_members(const Checks& checks, JsonValue object, const Context& context,
                       valijson::ValidationResults* results) const {
        bool valid = true;
        for (JsonMember member : object.members()) {
            if (!valid && results == nullptr) return false;
            Context inside = context;
            inside.push_back("[" + std::string(member.key) + "]");
            // A key is an entry of the tape like any string: it is validated as the value it is.
            const JsonValue key(&object.tape(), member.value.index() - 1);
            if (checks.names) valid = visit(*checks.names, key, inside, results) && valid;
            const auto declared = checks.properties.find(member.key);
            bool known = declared != checks.properties.end();
            if (known) valid = visit(*declared->second, member.value, inside, results) && valid;
            if (!checks.patterns.empty() && utf16_length(member.key) > shared_->options.max_pattern_input) {
                if (results) results->pushError(inside, "has a key too long for patterns (patternProperties)");
                valid = false;
                continue;
            }
            for (const auto& [pattern, schema] : checks.patterns) {
                if (shared_->options.match == nullptr || shared_->options.match(pattern, member.key) != 1) continue;
                known = true;
                valid = visit(*schema, member.value, inside, results) && valid;
            }
            if (!known && checks.additional) valid = visit(*checks.additional, member.value, inside, results) && valid;
            if (!known && checks.closed) {
                if (results) results->pushError(inside, "is not allowed here (additionalProperties)");
                valid = false;
            }
        }
        return valid;
    }

    bool visit(const valijson::Subschema& schema, JsonValue value, const Context& context,
               valijson::ValidationResults* results) const {
        if (schema.getAlwaysInvalid() && results) results->pushError(context, kNothingFits);
        return Visitor(TapeAdapter(value), context, true, results, shared_->regexes).validateSchema(schema);
    }

    Constraint* cloneInto(void* memory) const override { return new (memory) OwnKeywords(*this); }
    std::size_t sizeOf() const override { return sizeof(OwnKeywords); }

    const Shared* shared_;
    std::size_t number_;
};

}  // namespace host_protocol::schema_detail
