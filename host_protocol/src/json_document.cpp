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

}  // namespace host_protocol
