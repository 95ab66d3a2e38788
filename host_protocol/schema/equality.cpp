#include "schema/equality.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host_protocol/canonical_json.h"
#include "host_protocol/heap_sort.h"

namespace host_protocol::schema_detail {
namespace {

/// std::bit_cast is missing from the standard library of the oldest supported toolchain.
std::uint64_t bits_of(double number) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15ull;

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
    std::uint64_t x = (seed ^ value) * kMix;
    x ^= x >> 32;
    x *= kMix;
    return x ^ (x >> 29);
}

std::uint64_t text_hash(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325ull;
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return mixed(hash, text.size());
}

using Member = std::pair<std::string_view, JsonValue>;

std::vector<Member> sorted_members(JsonValue object) {
    std::vector<Member> members;
    members.reserve(object.size());
    for (JsonMember member : object.members()) members.emplace_back(member.key, member.value);
    heap_sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.first < b.first; });
    return members;
}

bool equal_objects(JsonValue a, JsonValue b) {
    bool same_order = true;
    auto in_b = b.members().begin();
    for (JsonMember member : a.members()) {
        const JsonMember other = *in_b;
        ++in_b;
        if (member.key != other.key) {
            same_order = false;
            break;
        }
        if (!deep_equal(member.value, other.value)) return false;
    }
    if (same_order) return true;
    const std::vector<Member> left = sorted_members(a), right = sorted_members(b);
    return std::equal(left.begin(), left.end(), right.begin(), [](const Member& x, const Member& y) {
        return x.first == y.first && deep_equal(x.second, y.second);
    });
}

}  // namespace

bool deep_equal(JsonValue a, JsonValue b) {
    if (a.type() != b.type()) return false;
    switch (a.type()) {
        case JsonType::null: return true;
        case JsonType::boolean: return a.boolean() == b.boolean();
        case JsonType::number: return a.number() == b.number();
        case JsonType::string: return a.string() == b.string();
        case JsonType::object: return a.size() == b.size() && equal_objects(a, b);
        case JsonType::array: break;
    }
    if (a.size() != b.size()) return false;
    auto in_b = b.elements().begin();
    for (JsonValue element : a.elements()) {
        if (!deep_equal(element, *in_b)) return false;
        ++in_b;
    }
    return true;
}

std::uint64_t deep_hash(JsonValue value) {
    const auto tag = static_cast<std::uint64_t>(value.type()) + 1;
    switch (value.type()) {
        case JsonType::null: return mixed(tag, 0);
        case JsonType::boolean: return mixed(tag, value.boolean() ? 1 : 0);
        case JsonType::number: return mixed(tag, bits_of(value.number() + 0.0));
        case JsonType::string: return mixed(tag, text_hash(value.string()));
        case JsonType::array: break;
        case JsonType::object: {
            // A sum does not depend on the order of the members.
            std::uint64_t sum = 0;
            for (JsonMember member : value.members()) sum += mixed(text_hash(member.key), deep_hash(member.value));
            return mixed(tag, sum);
        }
    }
    std::uint64_t hash = tag;
    for (JsonValue element : value.elements()) hash = mixed(hash, deep_hash(element));
    return mixed(hash, value.size());
}

bool has_equal_elements(JsonValue array) {
    if (array.size() < 2) return false;
    std::vector<std::pair<std::uint64_t, JsonValue>> hashed;
    hashed.reserve(array.size());
    for (JsonValue element : array.elements()) hashed.emplace_back(deep_hash(element), element);
    heap_sort(hashed.begin(), hashed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t from = 0; from < hashed.size();) {
        std::size_t to = from + 1;
        while (to < hashed.size() && hashed[to].first == hashed[from].first) ++to;
        if (to - from == 2 && deep_equal(hashed[from].second, hashed[from + 1].second)) return true;
        if (to - from > 2) {
            // Canonical texts keep a run of chosen collisions from becoming quadratic.
            std::vector<std::string> texts;
            for (std::size_t i = from; i < to; ++i) texts.push_back(canonical_json(hashed[i].second));
            heap_sort(texts.begin(), texts.end());
            if (std::adjacent_find(texts.begin(), texts.end()) != texts.end()) return true;
        }
        from = to;
    }
    return false;
}

}  // namespace host_protocol::schema_detail
