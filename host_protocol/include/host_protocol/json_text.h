// Bounded reading of JSON text into a flat tape, and writing of JSON strings and numbers.
//
//     JsonReader reader;                                   // keeps its storage between reads
//     Result<JsonValue> root = reader.read(text, {65536, 32});
//     if (!root) return root.error();                      // code: one of JsonFault's names
//     for (JsonMember m : root->members()) use(m.key, m.value);
//
// Ownership: a JsonReader's values are valid until its next read and while `text` lives. A JsonDocument owns both.
// Refused: more than max_bytes (before anything is read, and never above 1 GiB), then text that is not UTF-8 (wherever
// the fault lies), then the first of these in reading order: more than max_depth nested containers, malformed JSON, a
// duplicate key (noticed when its object closes), a lone surrogate escape, a number outside the range of a double
// (1e400). Numbers are IEEE doubles as JSON.parse gives them. Recursion-free: depth costs no stack.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/result.h"

namespace host_protocol {

struct JsonLimits {
    std::size_t max_bytes = 65536;
    std::uint32_t max_depth = 32;
};

enum class JsonType : std::uint8_t { null, boolean, number, string, array, object };

/// Codes of the errors of read(): Error.code is one of these, Error.path is "byte <offset>".
namespace json_fault {
inline constexpr std::string_view kTooLarge = "json-too-large";
inline constexpr std::string_view kTooDeep = "json-too-deep";
inline constexpr std::string_view kMalformed = "json-malformed";
inline constexpr std::string_view kNotUtf8 = "json-not-utf8";
inline constexpr std::string_view kDuplicateKey = "json-duplicate-key";
inline constexpr std::string_view kLoneSurrogate = "json-lone-surrogate";
inline constexpr std::string_view kNumberRange = "json-number-range";
}  // namespace json_fault

/// One entry of the tape. A member's key is an entry of its own, directly before its value.
struct JsonNode {
    JsonType type;
    bool flag;            // boolean: its value; string: it was unescaped into the side buffer
    std::uint32_t count;  // array: elements; object: members
    std::uint32_t next;   // index of the entry after this value
    std::uint32_t begin;  // the exact source bytes [begin, end)
    std::uint32_t end;
    union {
        double number;
        struct {
            std::uint32_t offset, length;
        } text;  // decoded bytes of a string
    };
};

class JsonValue;
struct JsonMember;

/// What a JsonValue points into.
struct JsonTape {
    std::string_view source;
    std::vector<JsonNode> nodes;
    std::string unescaped;
};

/// A view of one value: two words, copied freely. Default-constructed it is absent (`!value`).
class JsonValue {
  public:
    JsonValue() = default;
    JsonValue(const JsonTape* tape, std::uint32_t index) : tape_(tape), index_(index) {}

    explicit operator bool() const { return tape_ != nullptr; }
    JsonType type() const { return node().type; }
    bool is(JsonType type) const { return tape_ != nullptr && node().type == type; }
    bool boolean() const { return node().flag; }
    double number() const { return node().number; }
    /// Decoded UTF-8 of a string; may hold NUL.
    std::string_view string() const;
    /// The exact source bytes of this value.
    std::string_view raw() const { return tape_->source.substr(node().begin, node().end - node().begin); }
    /// Elements of an array, members of an object.
    std::uint32_t size() const { return node().count; }
    /// The member of that key; absent when there is none or this is no object. Linear.
    JsonValue find(std::string_view key) const;

    class Elements;
    class Members;
    Elements elements() const;
    Members members() const;

    std::uint32_t index() const { return index_; }
    const JsonNode& node() const { return tape_->nodes[index_]; }
    const JsonTape& tape() const { return *tape_; }

  private:
    const JsonTape* tape_ = nullptr;
    std::uint32_t index_ = 0;
};

struct JsonMember {
    std::string_view key;
    JsonValue value;
};

class JsonReader {
  public:
    /// Reads one JSON text, whitespace around it allowed. Storage is kept for the next read.
    Result<JsonValue> read(std::string_view text, JsonLimits limits);

  private:
    JsonTape tape_;
    std::vector<std::uint32_t> open_;
};

/// Text and tape in one owner; movable, its values stay valid when it moves.
class JsonDocument {
  public:
    static Result<JsonDocument> read(std::string text, JsonLimits limits);
    JsonValue root() const { return root_; }
    std::string_view text() const { return *text_; }

  private:
    JsonDocument() = default;
    std::unique_ptr<std::string> text_;
    std::unique_ptr<JsonReader> reader_;
    JsonValue root_;
};

/// Appends `text` (UTF-8) as a JSON string with quotes; escapes what RFC 8785 escapes, nothing more.
void append_json_string(std::string& out, std::string_view text);
/// Appends a finite double in ECMAScript's shortest form; -0 as 0.
void append_json_number(std::string& out, double value);

}  // namespace host_protocol

#include "host_protocol/json_iteration.h"
