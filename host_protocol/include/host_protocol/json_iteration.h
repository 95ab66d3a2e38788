// Range-for over a JsonValue; included by json_text.h, not on its own.
#pragma once

#include "host_protocol/json_text.h"

namespace host_protocol {

class JsonValue::Elements {
  public:
    explicit Elements(JsonValue array) : array_(array) {}
    struct Iterator {
        const JsonTape* tape;
        std::uint32_t index;
        JsonValue operator*() const { return {tape, index}; }
        Iterator& operator++() {
            index = tape->nodes[index].next;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return index != other.index; }
    };
    Iterator begin() const { return {&array_.tape(), array_.index() + 1}; }
    Iterator end() const { return {&array_.tape(), array_.node().next}; }

  private:
    JsonValue array_;
};

class JsonValue::Members {
  public:
    explicit Members(JsonValue object) : object_(object) {}
    struct Iterator {
        const JsonTape* tape;
        std::uint32_t index;
        JsonMember operator*() const { return {JsonValue(tape, index).string(), JsonValue(tape, index + 1)}; }
        Iterator& operator++() {
            index = tape->nodes[index + 1].next;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return index != other.index; }
    };
    Iterator begin() const { return {&object_.tape(), object_.index() + 1}; }
    Iterator end() const { return {&object_.tape(), object_.node().next}; }

  private:
    JsonValue object_;
};

inline JsonValue::Elements JsonValue::elements() const { return Elements(*this); }
inline JsonValue::Members JsonValue::members() const { return Members(*this); }

inline std::string_view JsonValue::string() const {
    const JsonNode& n = node();
    const std::string_view bytes = n.flag ? std::string_view(tape_->unescaped) : tape_->source;
    return bytes.substr(n.text.offset, n.text.length);
}

}  // namespace host_protocol
