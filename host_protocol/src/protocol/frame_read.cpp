// Which frame an object is, and whether it has what that frame carries.
#include "frame_shapes.h"
#include "host_protocol/json_out.h"

namespace host_protocol {
namespace {

using shape::Field;
using shape::Place;

Status check_each(JsonValue list, std::span<const Field> rows, const Place& place) {
    JsonValue found[shape::kMostFrameFields];
    std::size_t index = 0;
    for (const JsonValue entry : list.elements()) {
        Status status = shape::check(entry, rows, place.element(index++), found);
        if (!status) return status;
    }
    return ok();
}

Status check_each(JsonValue list, const Field& row, const Place& place) {
    std::size_t index = 0;
    for (const JsonValue entry : list.elements()) {
        Status status = shape::check_value(entry, row, place.element(index++));
        if (!status) return status;
    }
    return ok();
}

Status check_start(const JsonValue* found, const Place& top) {
    Status status = check_each(found[3], shape::kDomainEntry, top.member("domainTools"));
    return status ? check_each(found[5], shape::kScopeEntry, top.member("scope")) : status;
}

Status check_finish(const JsonValue* found, const Place& top) {
    Status status = check_each(found[2], shape::kMessageEntry, top.member("responseMessages"));
    if (status) status = check_each(found[3], shape::kPending, top.member("pendingToolCalls"));
    if (!status || !found[4]) return status;
    JsonValue usage[shape::kMostFrameFields];
    return shape::check(found[4], shape::kUsage, top.member("usage"), usage);
}

Status check_body(FrameType type, JsonValue value) {
    const Place top;
    JsonValue found[shape::kMostFrameFields];
    Status status = shape::check(value, shape::rows_of(type), top, found);
    if (!status) return status;
    if (type == FrameType::step_start) return check_start(found, top);
    if (type == FrameType::step_finish) return check_finish(found, top);
    if (type != FrameType::error) return ok();
    JsonValue body[shape::kMostFrameFields];
    return shape::check(found[0], shape::kErrorBody, top.member("error"), body);
}

}  // namespace

Result<std::optional<Frame>> read_frame(JsonValue value) {
    const Place top;
    const Place place = top.member("type");
    if (!value.is(JsonType::object)) return shape::fault(top, shape::describe(value), "a frame object");
    const JsonValue type = value.find("type");
    if (!type) return shape::fault(place, "nothing", "a frame type");
    if (!type.is(JsonType::string)) return shape::fault(place, shape::describe(type), "a frame type");
    for (std::size_t i = 0; i < kFrameTypes.size(); ++i) {
        if (kFrameTypes[i] != type.string()) continue;
        const Frame frame{static_cast<FrameType>(i), value};
        const Status status = check_body(frame.type, value);
        if (!status) return status.error();
        return std::optional<Frame>(frame);
    }
    return std::optional<Frame>();
}

}  // namespace host_protocol
