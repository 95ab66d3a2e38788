// Texts of the governed runtime as tests write and read them: capabilities, calls, stored records, endings, events. The
// driver that plays the glue with them is plane_driver.h.
#pragma once

#include <utility>

#include "domain/runtime.h"
#include "host_protocol/canonical_json.h"
#include "walk_text.h"

namespace domain_test {

using domain::Ask;
using domain::Step;
using domain::Told;

inline constexpr const char* kAskNames[] = {"finished", "validate-input", "hash",    "policies", "decide",
                                            "store",    "audit-started",  "execute", "back-off", "validate-output",
                                            "redact",   "consume",        "retry?",  "ignored"};
inline const std::string kSink = R"({"audit":{"sinks":1}})";
inline const std::string kStrict = R"({"audit":{"sinks":1,"strict":true}})";
inline const std::string kInline = R"({"audit":{"sinks":1},"approvals":{"handler":true}})";
inline const std::string kUser = R"({"id":"u1","kind":"user"})";
inline const std::string kInput = R"({"b":1,"a":[2]})";
inline std::string hash_of(const std::string& input) {
    return host_protocol::sha256_hex(host_protocol::canonical_json(json(input).root()));
}

/// One capability "x" exposed on direct; `more` are members of its metadata with a leading comma.
inline Nodes one(const std::string& more = "", const std::string& effect = "read", const std::string& input = "none",
                 const std::string& output = "none") {
    return {procedure("x", exposed(R"({"direct":true})", more, effect), input, output)};
}
/// `name:phase` each, as metadata with a leading comma.
inline std::string policies_of(const std::vector<std::pair<std::string, std::string>>& list) {
    std::string out = R"(,"policies":[)";
    for (const auto& [name, phase] : list)
        out += (out.back() == '[' ? "" : ",") + (R"({"name":")" + name) + R"(","evaluate":)" + kFunction +
               R"(,"phases":[")" + phase + R"("]})";
    return out + "]";
}
inline std::string decision(const std::string& type, const std::string& more = "") {
    return R"([{"type":")" + type + "\"" + more + "}]";
}
inline const std::string kGate = R"(,"approval":{"required":true})";
inline const std::string kRedacted = R"(,"redact":{"output":)" + kFunction + "}";

struct Call {
    std::string id = "x", surface = "direct", actor = kUser, correlation = "null", execution = "exe_1";
    bool aborted = false;

    std::string text() const {
        return R"([")" + execution + R"(",")" + id + R"(",")" + surface + R"(",)" + actor + "," + correlation + "," +
               (aborted ? "true]" : "false]");
    }
};
struct Resume {
    std::string record, guards = "null", execution = "exe_2";
    bool aborted = false;

    std::string text() const {
        return R"([")" + execution + R"(",)" + record + "," + guards + (aborted ? ",true]" : ",false]");
    }
};
/// An approved record of "x" and kInput, by "boss", good until 5000; `with` stands in for members of the same key.
inline std::string record(const std::vector<std::pair<std::string, std::string>>& with = {}) {
    std::vector<std::pair<std::string, std::string>> members = {
        {"id", R"("apr_7")"},
        {"capabilityId", R"("x")"},
        {"surface", R"("direct")"},
        {"actor", kUser},
        {"inputHash", "\"" + hash_of(kInput) + "\""},
        {"status", R"("approved")"},
        {"expiresAt", "5000"},
        {"decision", R"({"status":"approved","approver":{"id":"boss","kind":"user"}})"}};
    for (const auto& [key, value] : with) {
        auto at = members.begin();
        while (at != members.end() && at->first != key) ++at;
        if (at == members.end())
            members.emplace_back(key, value);
        else if (value.empty())
            members.erase(at);
        else
            at->second = value;
    }
    std::string out = "{";
    for (const auto& [key, value] : members) out += (out.size() > 1 ? ",\"" : "\"") + key + "\":" + value;
    return out + "}";
}

/// `completed`, `approval-required`, or status, code and stage: `failed INPUT_INVALID@input-validation`.
inline std::string outcome_of(const std::string& text) {
    if (text.empty()) return "completed";
    const auto document = json(text);
    const auto root = document.root();
    const std::string status(root.find("status").string());
    const auto error = root.find("error");
    if (!error) return status;
    return status + " " + std::string(error.find("code").string()) + "@" + std::string(error.find("stage").string());
}
/// `type data` of each, without the "capability." of the type.
inline Texts short_events(const std::string& events) {
    Texts out;
    const auto document = json(events);
    for (const auto event : document.root().elements()) {
        std::string type(event.find("type").string());
        if (type.substr(0, 11) == "capability.") type.erase(0, 11);
        out.push_back(type + " " + std::string(event.find("data").raw()));
    }
    return out;
}

struct Ended {
    std::string asked, outcome, error;  // asks in order; outcome_of; the whole error as JSON
    Texts events, whole;                // short_events; each event as it is
};

/// What the glue says when nothing goes wrong.
inline std::pair<Told, std::string> smooth(Ask asked, const std::string& input) {
    switch (asked) {
        case Ask::validate_input:
        case Ask::validate_output: return {Told::valid, ""};
        case Ask::hash_input: return {Told::hashed, input};
        case Ask::run_policies: return {Told::batch, ""};
        case Ask::decide_inline: return {Told::undecided, ""};
        case Ask::execute: return {Told::output, ""};
        case Ask::may_retry: return {Told::yes, ""};
        default: return {Told::done, ""};
    }
}

}  // namespace domain_test
