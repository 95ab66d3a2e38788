#include "json_keys.h"

#include <algorithm>

#include "host_protocol/heap_sort.h"
#include "text_hash.h"
#include "utf8.h"

namespace host_protocol {
namespace {

constexpr std::uint32_t kQuadraticMembers = 24;
constexpr std::ptrdiff_t kFewMembers = 16;

std::string_view key_at(const JsonTape& tape, std::uint32_t index) { return JsonValue(&tape, index).string(); }

std::uint32_t find_among_few(const JsonTape& tape, std::uint32_t object) {
    const std::uint32_t end = tape.nodes[object].next;
    for (std::uint32_t later = object + 1; later != end; later = tape.nodes[later + 1].next) {
        const std::string_view key = key_at(tape, later);
        for (std::uint32_t earlier = object + 1; earlier != later; earlier = tape.nodes[earlier + 1].next) {
            if (key_at(tape, earlier) == key) return later;
        }
    }
    return 0;
}

struct HashedKey {
    std::uint64_t hash;
    std::uint32_t entry;
};

/// Sorts by hash, and by bytes where hashes meet: n log n even for keys that somebody chose to collide.
std::uint32_t find_among_many(const JsonTape& tape, std::uint32_t object) {
    std::vector<HashedKey> keys;
    keys.reserve(tape.nodes[object].count);
    for (std::uint32_t key = object + 1; key != tape.nodes[object].next; key = tape.nodes[key + 1].next)
        keys.push_back({text_hash(key_at(tape, key)), key});
    const auto less = [&tape](const HashedKey& a, const HashedKey& b) {
        return a.hash != b.hash ? a.hash < b.hash : key_at(tape, a.entry) < key_at(tape, b.entry);
    };
    heap_sort(keys.begin(), keys.end(), less);
    std::uint32_t found = 0;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (less(keys[i - 1], keys[i])) continue;
        const std::uint32_t repeat = std::max(keys[i - 1].entry, keys[i].entry);
        if (found == 0 || repeat < found) found = repeat;
    }
    return found;
}

}  // namespace

bool less_utf16(std::string_view left, std::string_view right) {
    const std::size_t shared = std::min(left.size(), right.size());
    for (std::size_t i = 0; i < shared; ++i) {
        const std::uint8_t a = utf8::byte(left[i]);
        const std::uint8_t b = utf8::byte(right[i]);
        if (a == b) continue;
        // A lead byte of four bytes is a surrogate pair in UTF-16, and those sort before U+E000 to U+FFFF (EE and EF).
        const bool a_pair = a >= 0xF0;
        const bool b_pair = b >= 0xF0;
        if (a_pair != b_pair && a >= 0xEE && b >= 0xEE) return a_pair;
        return a < b;
    }
    return left.size() < right.size();
}

void sort_keys(const JsonTape& tape, std::uint32_t* first, std::uint32_t* last) {
    const auto less = [&tape](std::uint32_t a, std::uint32_t b) {
        return less_utf16(key_at(tape, a), key_at(tape, b));
    };
    // Most objects have few members, written in one order.
    if (last - first > kFewMembers) return heap_sort(first, last, less);
    for (std::uint32_t* next = first; next != last; ++next) {
        const std::uint32_t entry = *next;
        const std::string_view key = key_at(tape, entry);
        std::uint32_t* to = next;
        for (; to != first && less_utf16(key, key_at(tape, *(to - 1))); --to) *to = *(to - 1);
        *to = entry;
    }
}

std::uint32_t find_duplicate_key(const JsonTape& tape, std::uint32_t object) {
    return tape.nodes[object].count <= kQuadraticMembers ? find_among_few(tape, object) : find_among_many(tape, object);
}

}  // namespace host_protocol
