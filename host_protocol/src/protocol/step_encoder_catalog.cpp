// The catalog half of a step: which declarations are sent, and what is said of them. Kept until the projection changes.
#include <algorithm>

#include "host_protocol/heap_sort.h"
#include "host_protocol/step_encoder.h"
#include "step_shapes.h"

namespace host_protocol {
namespace {

using shape::Place;

// A list of the catalog stands two levels deeper in a body than by itself.
constexpr std::uint32_t kCatalogListDepth = bounds::kMaxJsonDepth - 2;

}  // namespace

Status StepEncoder::set_tools(std::string_view descriptors, std::span<const ToolRank> ranks, std::uint32_t withheld) {
    Result<JsonValue> list = reader_.read(descriptors, {limits_.max_body_bytes, kCatalogListDepth});
    if (!list) return shape::unreadable(list.error());
    const Place top;
    const Place catalog = top.member("catalog");
    const Place place = catalog.member("frontendTools");
    if (!list->is(JsonType::array)) return shape::fault(place, shape::describe(*list), "an array of descriptors");
    JsonValue found[shape::tool::kCount];
    std::size_t index = 0;
    for (const JsonValue tool : list->elements()) {
        Status status = shape::check(tool, shape::kTool, place.element(index++), found);
        if (!status) return status;
    }
    withheld_ = withheld;
    kept_names_.clear();
    dropped_ = 0;
    if (list->size() <= limits_.max_frontend_tools)
        tools_ = list->raw();
    else
        choose_tools(*list, ranks);
    return ok();
}

/// capabilities.md §7: the first by priority (descending), then canonical id, then instance.
void StepEncoder::choose_tools(JsonValue tools, std::span<const ToolRank> ranks) {
    struct Candidate {
        JsonValue tool;
        std::string_view id;
        ToolRank rank;
        std::uint32_t index;
    };
    std::vector<Candidate> all;
    all.reserve(tools.size());
    for (const JsonValue tool : tools.elements()) {
        const auto index = static_cast<std::uint32_t>(all.size());
        all.push_back(
            {tool, tool.find("canonicalId").string(), index < ranks.size() ? ranks[index] : ToolRank{}, index});
    }
    heap_sort(all.begin(), all.end(), [](const Candidate& one, const Candidate& other) {
        if (one.rank.priority != other.rank.priority) return one.rank.priority > other.rank.priority;
        if (one.id != other.id) return one.id < other.id;
        if (one.rank.instance_id != other.rank.instance_id) return one.rank.instance_id < other.rank.instance_id;
        return one.index < other.index;
    });
    dropped_ = static_cast<std::uint32_t>(all.size()) - limits_.max_frontend_tools;
    all.resize(limits_.max_frontend_tools);
    heap_sort(all.begin(), all.end(),
              [](const Candidate& one, const Candidate& other) { return one.index < other.index; });
    tools_ = "[";
    for (const Candidate& kept : all) {
        if (tools_.size() > 1) tools_ += ',';
        tools_ += kept.tool.raw();
        kept_names_.emplace_back(kept.tool.find("wireName").string());
    }
    tools_ += ']';
    heap_sort(kept_names_.begin(), kept_names_.end());
}

Status StepEncoder::set_state(std::string_view state) {
    Result<JsonValue> list = reader_.read(state, {limits_.max_body_bytes, kCatalogListDepth});
    if (!list) return shape::unreadable(list.error());
    const Place top;
    const Place catalog = top.member("catalog");
    const Place place = catalog.member("frontendState");
    if (!list->is(JsonType::array)) return shape::fault(place, shape::describe(*list), "an array of entries");
    std::string kept = "[";
    std::uint32_t entries = 0;
    JsonValue found[shape::state::kCount];
    std::size_t index = 0;
    for (const JsonValue entry : list->elements()) {
        Status status = shape::check(entry, shape::kState, place.element(index++), found);
        if (!status) return status;
        const std::string_view name = found[shape::state::wire_name].string();
        if (!kept_names_.empty() && !std::binary_search(kept_names_.begin(), kept_names_.end(), name)) continue;
        if (entries++ > 0) kept += ',';
        kept += entry.raw();
    }
    if (entries > bounds::kMaxStateEntries) return shape::fault(place, shape::describe(*list), "an array of 0 to 128");
    state_ = std::move(kept += ']');
    return ok();
}

}  // namespace host_protocol
