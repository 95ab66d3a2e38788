// The reader proper: one pass, one tape, no recursion.
//
// Why not a library's: every text that crosses the boundary is read here, and the whole check of a value has to stay
// within a few times JSON.stringify of it; event callbacks and a tree of nodes alone cost more than that.
#include <cmath>
#include <cstring>

#include "host_protocol/json_text.h"
#include "json_keys.h"
#include "json_number.h"
#include "json_string_scan.h"
#include "utf8.h"

namespace host_protocol {
namespace {

// Offsets on the tape are 32 bits wide; half of that leaves no sum that could wrap.
constexpr std::size_t kAddressableBytes = std::size_t{1} << 30;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Pass {
  public:
    Pass(JsonTape& tape, std::vector<std::uint32_t>& open, std::uint32_t max_depth)
        : tape_(tape),
          open_(open),
          max_depth_(max_depth),
          begin_(tape.source.data()),
          end_(begin_ + tape.source.size()),
          at_(begin_) {}

    bool run() {
        skip_space();
        if (!read_value()) return false;
        while (!open_.empty()) {
            if (!step()) return false;
        }
        skip_space();
        return at_ == end_ || fail(json_fault::kMalformed, "only whitespace after the value");
    }

    Error error() const;

  private:
    std::string found() const;
    bool step();
    bool close();
    bool read_key(std::uint32_t object);
    bool read_value();
    bool read_text();
    bool read_rich_text(const char* quote);
    bool read_number();
    bool read_word(std::string_view word, JsonType type, bool flag);
    bool open(JsonType type);

    void skip_space() {
        while (at_ != end_ && is_space(*at_)) ++at_;
    }
    bool fail(std::string_view code, std::string_view allowed) {
        code_ = code;
        allowed_ = allowed;
        return false;
    }
    std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }
    std::uint32_t next_index() const { return static_cast<std::uint32_t>(tape_.nodes.size()); }
    JsonNode& push(JsonType type, bool flag, const char* from) {
        const std::uint32_t next = next_index() + 1;
        return tape_.nodes.emplace_back(JsonNode{type, flag, 0, next, offset(from), offset(at_), {0}});
    }

    JsonTape& tape_;
    std::vector<std::uint32_t>& open_;
    const std::uint32_t max_depth_;
    const char* const begin_;
    const char* const end_;
    const char* at_;
    std::string_view code_;
    std::string_view allowed_;
};

/// One element or member of the innermost open container, or its end.
bool Pass::step() {
    const std::uint32_t index = open_.back();
    JsonNode& container = tape_.nodes[index];
    const bool object = container.type == JsonType::object;
    skip_space();
    if (at_ != end_ && *at_ == (object ? '}' : ']')) return close();
    if (container.count != 0) {
        if (at_ == end_ || *at_ != ',')
            return fail(json_fault::kMalformed, object ? "',' or '}' in an object" : "',' or ']' in an array");
        ++at_;
        skip_space();
    }
    ++container.count;
    return (!object || read_key(index)) && read_value();
}

bool Pass::close() {
    const std::uint32_t index = open_.back();
    open_.pop_back();
    ++at_;
    JsonNode& container = tape_.nodes[index];
    container.next = next_index();
    container.end = offset(at_);
    if (!container.flag) return true;
    container.flag = false;
    const std::uint32_t duplicate = find_duplicate_key(tape_, index);
    if (duplicate == 0) return true;
    at_ = begin_ + tape_.nodes[duplicate].begin;
    return fail(json_fault::kDuplicateKey, "each key once in an object");
}

bool Pass::read_key(std::uint32_t object) {
    if (at_ == end_ || *at_ != '"') return fail(json_fault::kMalformed, "a key in double quotes");
    const std::uint32_t index = next_index();
    if (!read_text()) return false;
    // While an object is open, the text fields of its entry hold a 64-bit set of its keys' hashes, and its flag says
    // that two of them met: only then are the keys compared, when the object closes.
    const std::string_view key = JsonValue(&tape_, index).string();
    std::uint32_t hash = static_cast<std::uint32_t>(key.size());
    if (!key.empty())
        hash += utf8::byte(key.front()) * 5u + utf8::byte(key.back()) * 11u + utf8::byte(key[key.size() / 2]) * 3u;
    JsonNode& entry = tape_.nodes[object];
    std::uint32_t& half = (hash & 32u) != 0 ? entry.text.length : entry.text.offset;
    const std::uint32_t bit = std::uint32_t{1} << (hash & 31u);
    if ((half & bit) != 0) entry.flag = true;
    half |= bit;
    skip_space();
    if (at_ == end_ || *at_ != ':') return fail(json_fault::kMalformed, "':' after a key");
    ++at_;
    skip_space();
    return true;
}

bool Pass::read_value() {
    switch (at_ == end_ ? '\0' : *at_) {
        case '"': return read_text();
        case '{': return open(JsonType::object);
        case '[': return open(JsonType::array);
        case 't': return read_word("true", JsonType::boolean, true);
        case 'f': return read_word("false", JsonType::boolean, false);
        case 'n': return read_word("null", JsonType::null, false);
        default: return read_number();
    }
}

bool Pass::open(JsonType type) {
    if (open_.size() >= max_depth_) return fail(json_fault::kTooDeep, "nested arrays and objects");
    open_.push_back(next_index());
    ++at_;
    JsonNode& node = push(type, false, at_ - 1);
    node.text = {0, 0};
    return true;
}

bool Pass::read_text() {
    const char* const quote = at_;
    at_ = skip_plain_text(quote + 1, end_);
    if (at_ == end_ || *at_ != '"') return read_rich_text(quote);
    ++at_;
    push(JsonType::string, false, quote).text = {offset(quote) + 1, static_cast<std::uint32_t>(at_ - quote - 2)};
    return true;
}

/// A string with escapes or beyond ASCII.
bool Pass::read_rich_text(const char* quote) {
    const std::size_t side = tape_.unescaped.size();
    const StringScan scan = scan_json_string(quote + 1, end_, tape_.unescaped);
    at_ = scan.at;
    if (!scan.fault.empty()) return fail(scan.fault, "a JSON string in well-formed UTF-8");
    ++at_;
    JsonNode& node = push(JsonType::string, scan.escaped, quote);
    if (scan.escaped) {
        node.text = {static_cast<std::uint32_t>(side), static_cast<std::uint32_t>(tape_.unescaped.size() - side)};
    } else {
        node.text = {offset(quote) + 1, static_cast<std::uint32_t>(scan.at - quote - 1)};
    }
    return true;
}

bool Pass::read_number() {
    const char* const from = at_;
    // Most numbers are short integers: those need no other form looked at.
    std::uint32_t small = 0;
    const char* at = from;
    while (at != end_ && is_digit(*at) && at - from < 9) small = small * 10 + static_cast<std::uint32_t>(*at++ - '0');
    const bool leading_zero = at - from > 1 && *from == '0';
    if (at != from && at != end_ && (*at == ',' || *at == '}' || *at == ']') && !leading_zero) {
        at_ = at;
        push(JsonType::number, false, from).number = small;
        return true;
    }
    const ScannedNumber number = scan_json_number(from, end_);
    if (number.end == nullptr) return fail(json_fault::kMalformed, "a JSON value");
    if (!std::isfinite(number.value)) return fail(json_fault::kNumberRange, "numbers within the range of a double");
    at_ = number.end;
    push(JsonType::number, false, from).number = number.value;
    return true;
}

bool Pass::read_word(std::string_view word, JsonType type, bool flag) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::memcmp(at_, word.data(), word.size()) != 0)
        return fail(json_fault::kMalformed, "a JSON value");
    const char* const from = at_;
    at_ += word.size();
    push(type, flag, from);
    return true;
}

std::string decimal(std::size_t value) {
    std::string text;
    append_json_number(text, static_cast<double>(value));
    return text;
}

/// What lies at the fault: a printable character as itself, anything else by its number.
std::string Pass::found() const {
    if (at_ == end_) return "the end of the text";
    const std::uint8_t byte = utf8::byte(*at_);
    if (byte > 0x20 && byte < 0x7F) return std::string("'") + *at_ + "'";
    return "byte " + decimal(byte);
}

Error Pass::error() const {
    // Whatever else is wrong: text that is not UTF-8 is called that, wherever its fault lies.
    const std::size_t sound = utf8::well_formed_prefix(tape_.source);
    if (sound != tape_.source.size())
        return make_error(json_fault::kNotUtf8, "Found bytes that are not UTF-8; only UTF-8 is allowed.",
                          "byte " + decimal(sound));
    const std::string place = "byte " + decimal(offset(at_));
    std::string message = "Found ";
    if (code_ == json_fault::kDuplicateKey) {
        message += "a repeated key";
    } else if (code_ == json_fault::kLoneSurrogate) {
        message += "half of a surrogate pair";
    } else if (code_ == json_fault::kNumberRange) {
        message += "a number that no double can hold";
    } else if (code_ == json_fault::kTooDeep) {
        message += "more than " + decimal(max_depth_) + " levels";
        return make_error(code_, message + " of nesting; at most " + decimal(max_depth_) + " are allowed.", place);
    } else {
        message += found();
    }
    message.append("; allowed here: ").append(allowed_).append(".");
    return make_error(code_, std::move(message), place);
}

}  // namespace

Result<JsonValue> JsonReader::read(std::string_view text, JsonLimits limits) {
    const std::size_t max_bytes = limits.max_bytes < kAddressableBytes ? limits.max_bytes : kAddressableBytes;
    if (text.size() > max_bytes) {
        return make_error(json_fault::kTooLarge,
                          "Found " + decimal(text.size()) + " bytes; at most " + decimal(max_bytes) + " are allowed.",
                          "byte " + decimal(max_bytes));
    }
    tape_.source = text;
    tape_.nodes.clear();
    tape_.unescaped.clear();
    open_.clear();
    Pass pass(tape_, open_, limits.max_depth);
    if (!pass.run()) return pass.error();
    return JsonValue(&tape_, 0);
}

}  // namespace host_protocol
