#include "host_protocol/json_text.h"

namespace host_protocol {

Result<JsonDocument> JsonDocument::read(std::string text, JsonLimits limits) {
    JsonDocument document;
    document.text_ = std::make_unique<std::string>(std::move(text));
    document.reader_ = std::make_unique<JsonReader>();
    const Result<JsonValue> root = document.reader_->read(*document.text_, limits);
    if (!root) return root.error();
    document.root_ = *root;
    return document;
}

// Out of line: it is asked for in a hundred places, most of them cold.
JsonValue JsonValue::find(std::string_view key) const {
    if (!is(JsonType::object)) return {};
    for (JsonMember member : members())
        if (member.key == key) return member.value;
    return {};
}

}  // namespace host_protocol
