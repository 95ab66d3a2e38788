#include "host_protocol/canonical_json.h"

#include <cstring>

#include "json_keys.h"

namespace host_protocol {
namespace {

constexpr int kExactDigits = 15;  // so many significant digits name one double and no shorter ones name it too
constexpr int kPlainZeros = 5;    // behind the point: ECMAScript writes an exponent below 1e-6

/// Whether the source's own digits are the canonical form already: a plain decimal of few digits, no zero at its end.
bool is_canonical_number(std::string_view raw) {
    const bool negative = raw.front() == '-';
    if (negative) raw.remove_prefix(1);
    int digits = 0;
    int zeros = 0;
    bool fraction = false;
    for (char c : raw) {
        if (c == '.' && !fraction) {
            fraction = true;
        } else if (c >= '0' && c <= '9') {
            if (digits > 0 || c != '0') ++digits;
            if (digits == 0 && fraction) ++zeros;
        } else {
            return false;
        }
    }
    if (digits == 0) return !negative && !fraction;
    return digits <= kExactDigits && zeros <= kPlainZeros && !(fraction && raw.back() == '0');
}

/// Walks with a stack of its own, so that depth costs no call stack, and writes through a pointer: most of what it
/// writes are the source's own bytes, so that the output is seldom longer than the source.
class Writer {
  public:
    Writer(std::string& out, JsonValue root) : out_(out), tape_(root.tape()), source_(root.tape().source.data()) {
        const std::size_t used = out.size();
        out.resize(used + root.raw().size() + kSlack);
        at_ = out.data() + used;
        begin(root.index());
        while (!open_.empty()) step();
        out.resize(static_cast<std::size_t>(at_ - out.data()));
    }

  private:
    static constexpr std::size_t kSlack = 64;

    /// An open container; the entries of its children lie in pending_ from `first` on.
    struct Open {
        bool object;
        std::uint32_t first, next;
    };

    void put(char c) { *at_++ = c; }

    void put_source(const JsonNode& node) {
        const std::size_t bytes = node.end - node.begin;
        std::memcpy(at_, source_ + node.begin, bytes);
        at_ += bytes;
    }

    /// What is not the source's own bytes may be longer than they are.
    void put_rewritten(const std::string& text, const JsonNode& node) {
        const std::size_t bytes = node.end - node.begin;
        if (text.size() > bytes) {
            const auto used = static_cast<std::size_t>(at_ - out_.data());
            out_.resize(out_.size() + text.size() - bytes);
            at_ = out_.data() + used;
        }
        std::memcpy(at_, text.data(), text.size());
        at_ += text.size();
    }

    void put_number(const JsonNode& node) {
        if (is_canonical_number({source_ + node.begin, node.end - node.begin})) return put_source(node);
        std::string text;
        append_json_number(text, node.number);
        put_rewritten(text, node);
    }

    /// A string that was written without escapes holds nothing that needs one.
    void put_string(std::uint32_t index) {
        const JsonNode& node = tape_.nodes[index];
        if (!node.flag) return put_source(node);
        std::string text;
        append_json_string(text, JsonValue(&tape_, index).string());
        put_rewritten(text, node);
    }

    void begin(std::uint32_t index) {
        const JsonNode& node = tape_.nodes[index];
        switch (node.type) {
            case JsonType::string: return put_string(index);
            case JsonType::number: return put_number(node);
            case JsonType::boolean:
            case JsonType::null: return put_source(node);
            case JsonType::array:
            case JsonType::object: break;
        }
        const auto first = static_cast<std::uint32_t>(pending_.size());
        const bool object = node.type == JsonType::object;
        const std::uint32_t value_offset = object ? 1 : 0;  // a member's key lies before its value
        for (std::uint32_t at = index + 1; at != node.next; at = tape_.nodes[at + value_offset].next)
            pending_.push_back(at);
        if (object) sort_keys(tape_, pending_.data() + first, pending_.data() + pending_.size());
        put(object ? '{' : '[');
        open_.push_back({object, first, first});
    }

    void step() {
        Open& top = open_.back();
        const bool object = top.object;
        if (top.next == pending_.size()) {
            put(object ? '}' : ']');
            pending_.resize(top.first);
            open_.pop_back();
            return;
        }
        if (top.next != top.first) put(',');
        const std::uint32_t entry = pending_[top.next++];
        if (!object) return begin(entry);
        put_string(entry);
        put(':');
        begin(entry + 1);
    }

    std::string& out_;
    const JsonTape& tape_;
    const char* const source_;
    char* at_ = nullptr;
    std::vector<Open> open_;
    std::vector<std::uint32_t> pending_;
};

}  // namespace

void append_canonical_json(std::string& out, JsonValue value) { Writer(out, value); }

std::string canonical_json(JsonValue value) {
    std::string out;
    append_canonical_json(out, value);
    return out;
}

}  // namespace host_protocol
