#include "admission/concurrency.h"

#include <cmath>

#include "contract/fields.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

namespace modes = host_protocol::concurrency_modes;
using host_protocol::JsonValue;

constexpr std::size_t kMaxKeyUnits = 128;
constexpr double kMaxDepth = 2147483647.0;

std::optional<std::uint32_t> read_depth(FieldReader& fields, JsonValue object) {
    const double depth = fields.number("queueDepth", -1);
    if (!object.find("queueDepth")) return std::nullopt;
    if (depth < 0 || depth > kMaxDepth || std::floor(depth) != depth) {
        fields.refuse(host_protocol::definition_codes::kInvalidDefinition, "queueDepth",
                      "must be a whole number of at least 0");
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(depth);
}

}  // namespace

Concurrency read_concurrency(FieldReader& fields, JsonValue definition) {
    Concurrency concurrency;
    const JsonValue object = definition.find("concurrency");
    if (!object) return concurrency;
    FieldReader inner(object, concat({fields.owner(), ", 'concurrency'"}));
    const bool is_object = object.is(host_protocol::JsonType::object);
    if (is_object) inner.required("mode");
    concurrency.mode = static_cast<ConcurrencyMode>(
        inner.choice("mode", {modes::kInstance, modes::kCapability, modes::kKey, modes::kParallel}, 0));
    switch (concurrency.mode) {
        case ConcurrencyMode::key:
            inner.allow({"mode", "key", "queueDepth"});
            concurrency.key = inner.required_text("key", kMaxKeyUnits);
            break;
        case ConcurrencyMode::parallel:
            inner.allow({"mode", "max", "queueDepth"});
            inner.required("max");
            concurrency.max = inner.count("max", 1);
            break;
        default: inner.allow({"mode", "queueDepth"}); break;
    }
    concurrency.queue_depth = read_depth(inner, object);
    if (inner.failed()) fields.adopt(inner.error());
    return concurrency;
}

}  // namespace viewcap
