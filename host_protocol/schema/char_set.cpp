#include "schema/char_set.h"

#include <algorithm>

namespace host_protocol::schema_detail {
namespace {
constexpr std::uint32_t kLastCodePoint = 0x10FFFF;
}

CharSet CharSet::any() {
    CharSet set;
    set.add(0, kLastCodePoint);
    return set;
}

CharSet CharSet::digits() {
    CharSet set;
    set.add('0', '9');
    return set;
}

CharSet CharSet::word() {
    CharSet set = digits();
    set.add('A', 'Z');
    set.add('_', '_');
    set.add('a', 'z');
    return set;
}

CharSet CharSet::space() {
    CharSet set;
    constexpr Range kSpaces[] = {{9, 13},          {32, 32},         {0xA0, 0xA0},     {0x1680, 0x1680},
                                 {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                 {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
    for (const Range& range : kSpaces) set.add(range.first, range.last);
    return set;
}

CharSet CharSet::dot() {
    CharSet line_ends;
    line_ends.add('\n', '\n');
    line_ends.add('\r', '\r');
    line_ends.add(0x2028, 0x2029);
    return line_ends.complement();
}

void CharSet::add(std::uint32_t first, std::uint32_t last) {
    std::vector<Range> merged;
    for (const Range& range : ranges_) {
        const bool apart = range.last + 1 < first || last + 1 < range.first;
        if (apart) {
            merged.push_back(range);
        } else {
            first = std::min(first, range.first);
            last = std::max(last, range.last);
        }
    }
    const auto at = std::find_if(merged.begin(), merged.end(), [&](const Range& range) { return range.first > first; });
    merged.insert(at, Range{first, last});
    ranges_ = std::move(merged);
}

void CharSet::add(const CharSet& other) {
    for (const Range& range : other.ranges_) add(range.first, range.last);
}

CharSet CharSet::complement() const {
    CharSet out;
    std::uint32_t next = 0;
    for (const Range& range : ranges_) {
        if (range.first > next) out.ranges_.push_back({next, range.first - 1});
        next = range.last + 1;
    }
    if (next <= kLastCodePoint) out.ranges_.push_back({next, kLastCodePoint});
    return out;
}

bool CharSet::overlaps(const CharSet& other) const {
    auto a = ranges_.begin();
    auto b = other.ranges_.begin();
    while (a != ranges_.end() && b != other.ranges_.end()) {
        if (a->last < b->first)
            ++a;
        else if (b->last < a->first)
            ++b;
        else
            return true;
    }
    return false;
}

}  // namespace host_protocol::schema_detail
