// One name for one id. A name has `_` only where the id had `:` (one) or `.` (two), so a single `_` further on marks a
// name that was qualified or shortened, and nothing else can.
#include "host_protocol/wire_names.h"

#include <algorithm>

#include "host_protocol/canonical_json.h"
#include "host_protocol/ids.h"
#include "utf8.h"

namespace host_protocol {
namespace {

constexpr std::size_t kMaxLength = 64;
constexpr int kMaxLevel = 2;
constexpr std::string_view kShortMark = "_0_";
constexpr std::string_view kInstanceMark = "_at_";

bool in_alphabet(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// RFC 4648 base32 in lower case; only as many characters as asked for.
std::string base32(const Sha256Digest& digest, std::size_t characters) {
    constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz234567";
    std::string out;
    std::uint32_t bits = 0;
    std::uint32_t held = 0;
    std::size_t next = 0;
    while (out.size() < characters) {
        if (held < 5) {
            bits = (bits << 8) | digest[next++];
            held += 8;
        }
        held -= 5;
        out.push_back(kDigits[(bits >> held) & 31u]);
    }
    return out;
}

std::string hash_of(std::string_view id, std::string_view instance_id, int level) {
    std::string text(id);
    text.append("\n").append(instance_id).append("\n").push_back(static_cast<char>('0' + level));
    return base32(sha256(text), std::size_t{8} * static_cast<std::size_t>(level + 1));
}

/// A name being spelled: what lies beyond the longest name is counted and not kept.
struct Spelling {
    char text[kMaxLength];
    std::size_t length = 0;
    bool faithful = true;  // stays true only when the id can be read back

    void put(char c) {
        if (length < kMaxLength) text[length] = c;
        ++length;
    }
    void put(std::string_view part) {
        for (char c : part) put(c);
    }
    /// One character for one code point: the first byte stands for it.
    void put_mapped(char c) {
        if (utf8::is_tail(c)) return;
        const bool fits = in_alphabet(c);
        faithful = faithful && fits;
        put(fits ? c : '-');
    }
};

void spell_id(Spelling& name, std::string_view id) {
    const std::size_t colon = id.find(':');
    name.put(id.substr(0, colon));
    name.put('_');
    bool segment_empty = true;
    for (char c : id.substr(colon + 1)) {
        if (c == '.') {
            name.faithful = name.faithful && !segment_empty;
            name.put("__");
        } else {
            name.faithful = name.faithful && c != '_';
            name.put_mapped(c);
        }
        segment_empty = c == '.';
    }
    name.faithful = name.faithful && !segment_empty;
}

void spell_instance(Spelling& name, std::string_view instance_id) {
    if (instance_id.empty()) return;
    name.put(kInstanceMark);
    for (char c : instance_id) name.put_mapped(c);
}

}  // namespace

std::string encode_wire_name_for_instance(std::string_view id, std::string_view instance_id, int level) {
    Spelling name;
    spell_id(name, id);
    spell_instance(name, instance_id);
    if (level == 0 && name.faithful && name.length <= kMaxLength) return std::string(name.text, name.length);
    const std::string hash = hash_of(id, instance_id, std::clamp(level, 0, kMaxLevel));
    const std::size_t kept = std::min(name.length, kMaxLength - kShortMark.size() - hash.size());
    return std::string(name.text, kept).append(kShortMark).append(hash);
}

std::string encode_wire_name(std::string_view id) { return encode_wire_name_for_instance(id, {}); }

std::optional<std::string> decode_wire_name(std::string_view wire_name) {
    const std::size_t mark = wire_name.find('_');
    if (mark == std::string_view::npos || wire_name.size() > kMaxLength) return std::nullopt;
    std::string id(wire_name.substr(0, mark));
    id.push_back(':');
    for (std::size_t at = mark + 1; at < wire_name.size(); ++at) {
        if (wire_name[at] == '_') {
            if (at + 1 == wire_name.size() || wire_name[at + 1] != '_') return std::nullopt;
            ++at;
            id.push_back('.');
        } else {
            id.push_back(wire_name[at]);
        }
    }
    // Whatever the reading above made of it: only the name that this id would be given is taken for its name.
    if (!parse_capability_id(id) || encode_wire_name(id) != wire_name) return std::nullopt;
    return id;
}

}  // namespace host_protocol
