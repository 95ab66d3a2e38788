#include "failure/issues.h"

#include "domain/value_facts.h"
#include "host_protocol/json_out.h"

namespace domain {
namespace {

using host_protocol::JsonValue;

/// Steps are texts; an index that came as a number is one, too. Anything else is no step.
void append_path(std::string& out, JsonValue path) {
    out += '[';
    bool first = true;
    if (is_list(path))
        for (JsonValue step : path.elements()) {
            if (!is_text(step) && !is_number(step)) continue;
            if (!first) out += ',';
            first = false;
            std::string text;
            if (is_text(step))
                text = step.string();
            else
                host_protocol::append_json_number(text, step.number());
            host_protocol::append_json_string(out, text);
        }
    out += ']';
}

void append_issue(std::string& out, JsonValue issue) {
    out += R"({"path":)";
    append_path(out, issue.find("path"));
    host_protocol::append_text_member(out, "message",
                                      host_protocol::text_or(issue.find("message"), "This value is not valid."));
    out += '}';
}

}  // namespace

std::string issues_text(JsonValue issues) {
    if (!is_list(issues)) return {};
    std::string out = R"({"issues":[)";
    std::size_t count = 0;
    for (JsonValue issue : issues.elements()) {
        if (!is_record(issue)) continue;
        if (count == kMaxIssues) break;
        if (count++ > 0) out += ',';
        append_issue(out, issue);
    }
    return out + "]}";
}

}  // namespace domain
