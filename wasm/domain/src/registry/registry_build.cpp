// From the walk to a registry: structure (problems 28 to 32), each procedure's metadata, then what only shows over all
// valid ones together (problems 33 and 34).
#include <algorithm>
#include <map>

#include "domain/registry.h"
#include "domain/value_facts.h"
#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"
#include "metadata/field.h"
#include "metadata/meta_reader.h"
#include "registry/tool_names.h"

namespace domain {

using host_protocol::concat;
using host_protocol::JsonType;
using host_protocol::JsonValue;

struct RegistryBuild::Impl {
    struct Candidate {
        std::shared_ptr<const Capability> capability;
        bool is_valid = false;  // its own metadata are
    };
    std::vector<Candidate> candidates;  // procedures with meta.agent, in walk order
    std::vector<std::string> excluded;
    std::vector<std::string> problems;  // of the walk
    std::vector<std::uint32_t> to_convert;
    std::map<std::uint32_t, std::string> unconverted;

    void add_node(JsonValue node, std::size_t position);
    void add_procedure(std::vector<std::string> path, const std::string& id, JsonValue node);
    void refuse_segment(const std::vector<std::string>& path, const Report& report);
    void check_across(std::vector<std::string>& all) const;
    bool must_convert(std::uint32_t candidate) const {
        return std::binary_search(to_convert.begin(), to_convert.end(), candidate);
    }
};

namespace {

bool read_path(JsonValue list, std::vector<std::string>& path) {
    if (!is_list(list)) return false;
    for (JsonValue segment : list.elements()) {
        if (!is_text(segment)) return false;
        path.emplace_back(segment.string());
    }
    return true;
}

std::string joined(const std::vector<std::string>& path) {
    std::string id;
    for (std::size_t at = 0; at < path.size(); ++at) id.append(at == 0 ? "" : ".").append(path[at]);
    return id;
}

bool is_segment(std::string_view text) { return !text.empty() && text.find('.') == std::string_view::npos; }

/// On one line: a message of someone's converter may hold anything, and a problem is one bullet.
std::string on_one_line(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return out;
}

void check_streams(JsonValue node, const Report& report) {
    for (std::string_view side : {"input", "output"})
        if (host_protocol::text_or(node.find(side), "") == "stream")
            report.say(
                concat({"the ", side, " schema must describe one value; found a streaming (event iterator) one"}));
}

std::string model_surfaces(const Capability& capability) {
    const bool both = (capability.exposed & kModelSurfaces) == kModelSurfaces;
    if (both) return concat({surfaces::kAiSdk, " and ", surfaces::kMcp});
    return std::string(capability.is_exposed_on(Surface::mcp) ? surfaces::kMcp : surfaces::kAiSdk);
}

}  // namespace

void RegistryBuild::Impl::add_node(JsonValue node, std::size_t position) {
    std::vector<std::string> path;
    const std::string_view kind = host_protocol::text_or(node.find("kind"), "");
    if (!read_path(node.find("path"), path)) {
        problems.push_back(concat({"node ", std::to_string(position),
                                   " of the walk must have a path of strings; found ", found(node.find("path"))}));
        return;
    }
    const std::string id = joined(path);
    const Report report(id, problems);
    if (kind == "segment" || path.empty() || !std::all_of(path.begin(), path.end(), is_segment))
        return refuse_segment(path, report);
    if (kind == "procedure") return add_procedure(std::move(path), id, node);
    if (kind == "lazy")
        return report.say("must be a procedure or a record of procedures; found a lazy one that is not resolved");
    if (kind == "contract")
        return report.say("must be a procedure with a handler; found a contract without implementation");
    if (kind == "leaf")
        return report.say(concat({"must be a procedure or a record of procedures; found ", found(node.find("found"))}));
    report.say(concat(
        {"the walk's node must be procedure, segment, lazy, contract or leaf; found ", found(node.find("kind"))}));
}

void RegistryBuild::Impl::refuse_segment(const std::vector<std::string>& path, const Report& report) {
    if (path.empty()) return report.say("must lie inside a record; found at the root");
    const auto bad = std::find_if_not(path.begin(), path.end(), is_segment);
    report.say(concat({"a path segment must not be empty or hold \".\"; found ",
                       quoted_in_short(bad == path.end() ? path.back() : *bad)}));
}

void RegistryBuild::Impl::add_procedure(std::vector<std::string> path, const std::string& id, JsonValue node) {
    const Field meta = field_of(node, "meta");
    if (!meta) {
        excluded.push_back(id);
        return;
    }
    auto capability = std::make_shared<Capability>();
    capability->id = id;
    capability->path = std::move(path);
    const Report report(id, problems);
    const std::size_t before = report.count();
    MetaReader(report, *capability).read(meta.value);
    const bool is_valid = report.count() == before;
    check_streams(node, report);
    capability->has_input_schema = host_protocol::text_or(node.find("input"), "") == "schema";
    capability->has_output_schema = host_protocol::text_or(node.find("output"), "") == "schema";
    const bool is_for_models = (capability->exposed & kModelSurfaces) != 0;
    if (is_valid && is_for_models && capability->has_input_schema)
        to_convert.push_back(static_cast<std::uint32_t>(candidates.size()));
    candidates.push_back({std::move(capability), is_valid});
}

void RegistryBuild::Impl::check_across(std::vector<std::string>& all) const {
    std::vector<std::shared_ptr<const Capability>> valid;
    for (const Candidate& candidate : candidates)
        if (candidate.is_valid) valid.push_back(candidate.capability);
    check_tool_names(valid, all);
    for (const auto& [position, message] : unconverted) {
        const Capability& capability = *candidates[position].capability;
        Report(capability.id, all)
            .say(concat({"the input schema must become JSON Schema for ", model_surfaces(capability),
                         "; found: ", on_one_line(message)}));
    }
}

RegistryBuild::RegistryBuild(JsonValue walk) : impl_(std::make_unique<Impl>()) {
    const JsonValue nodes = walk.find("nodes");
    if (!is_list(nodes)) {
        impl_->problems.push_back(must_be("the walk's nodes", "an array", nodes));
        return;
    }
    std::size_t position = 0;
    for (JsonValue node : nodes.elements()) impl_->add_node(node, position++);
}
RegistryBuild::~RegistryBuild() = default;
RegistryBuild::RegistryBuild(RegistryBuild&&) noexcept = default;

const std::vector<std::uint32_t>& RegistryBuild::to_convert() const { return impl_->to_convert; }

void RegistryBuild::conversion_failed(std::uint32_t capability, std::string_view message) {
    if (impl_->must_convert(capability)) impl_->unconverted.emplace(capability, message);
}

host_protocol::Result<SharedRegistry> RegistryBuild::finish() {
    std::vector<std::string> all = impl_->problems;
    impl_->check_across(all);
    if (!all.empty()) {
        std::string message = concat({"The capability registry cannot be built, ", std::to_string(all.size()),
                                      all.size() == 1 ? " problem:" : " problems:"});
        for (const std::string& problem : all) message += concat({"\n- ", problem});
        return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition, std::move(message));
    }
    CapabilityRegistry::Parts parts{{}, impl_->excluded};
    for (const Impl::Candidate& candidate : impl_->candidates) parts.capabilities.push_back(candidate.capability);
    return SharedRegistry(std::make_shared<CapabilityRegistry>(std::move(parts)));
}

}  // namespace domain
