#include "host_protocol/canonical_json.h"

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

void append_number(std::string& out, JsonValue value) {
    const std::string_view raw = value.raw();
    if (is_canonical_number(raw))
        out.append(raw);
    else
        append_json_number(out, value.number());
}

/// A string that was written without escapes holds nothing that needs one.
void append_string(std::string& out, JsonValue value) {
    if (value.node().flag)
        append_json_string(out, value.string());
    else
        out.append(value.raw());
}

void append_scalar(std::string& out, JsonValue value) {
    switch (value.type()) {
        case JsonType::string: return append_string(out, value);
        case JsonType::number: return append_number(out, value);
        case JsonType::boolean: out.append(value.boolean() ? "true" : "false"); return;
        default: out.append("null"); return;
    }
}

/// Walks with a stack of its own, so that depth costs no call stack.
class Writer {
  public:
    Writer(std::string& out, JsonValue root) : out_(out), tape_(root.tape()) { begin(root); }

    void run() {
        while (!open_.empty()) step();
    }

  private:
    /// An open container; the entries of its children lie in pending_ from `first` on.
    struct Open {
        bool object;
        std::size_t first, next;
    };

    void begin(JsonValue value) {
        if (!value.is(JsonType::array) && !value.is(JsonType::object)) return append_scalar(out_, value);
        const std::size_t first = pending_.size();
        const bool object = value.is(JsonType::object);
        const std::uint32_t value_offset = object ? 1 : 0;  // a member's key lies before its value
        for (std::uint32_t at = value.index() + 1; at != value.node().next; at = tape_.nodes[at + value_offset].next)
            pending_.push_back(at);
        if (object) sort_keys(tape_, pending_.data() + first, pending_.data() + pending_.size());
        out_.push_back(object ? '{' : '[');
        open_.push_back({object, first, first});
    }

    void step() {
        Open& top = open_.back();
        const bool object = top.object;
        if (top.next == pending_.size()) {
            out_.push_back(object ? '}' : ']');
            pending_.resize(top.first);
            open_.pop_back();
            return;
        }
        if (top.next != top.first) out_.push_back(',');
        const std::uint32_t entry = pending_[top.next++];
        if (!object) return begin({&tape_, entry});
        append_string(out_, {&tape_, entry});
        out_.push_back(':');
        begin({&tape_, entry + 1});
    }

    std::string& out_;
    const JsonTape& tape_;
    std::vector<Open> open_;
    std::vector<std::uint32_t> pending_;
};

}  // namespace

void append_canonical_json(std::string& out, JsonValue value) {
    out.reserve(out.size() + value.raw().size());
    Writer(out, value).run();
}

std::string canonical_json(JsonValue value) {
    std::string out;
    append_canonical_json(out, value);
    return out;
}

}  // namespace host_protocol
