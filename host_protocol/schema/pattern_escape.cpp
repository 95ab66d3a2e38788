// The small parts of the pattern parser: escapes, names, numbers and code points.
#include <utility>

#include "schema/hex.h"
#include "schema/pattern_parser.h"

namespace host_protocol::schema_detail {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::uint32_t PatternParser::escape() {
    take("\\");
    if (peek() >= '1' && peek() <= '9') {
        numbered_references_.push_back(number());
        return add(PatternNode{PatternKind::back_reference});
    }
    if (take("k")) {
        if (!take("<")) return fail("\\k without <name>");
        named_references_.push_back(group_name());
        return add(PatternNode{PatternKind::back_reference});
    }
    if (std::optional<CharSet> set = class_escape()) return add_set(std::move(*set));
    if (failed_) return 0;
    const std::uint32_t c = character_escape(false).value_or(0);
    CharSet one;
    one.add(c, c);
    return add_set(std::move(one));
}

std::optional<CharSet> PatternParser::class_escape() {
    const char c = peek();
    if (c == 'p' || c == 'P') return property_escape();
    if (std::string_view("dDwWsS").find(c) == std::string_view::npos || at_ >= text_.size()) return std::nullopt;
    ++at_;
    CharSet set = c == 'd' || c == 'D' ? CharSet::digits() : c == 'w' || c == 'W' ? CharSet::word() : CharSet::space();
    return is_letter(c) && c < 'a' ? set.complement() : set;
}

std::optional<CharSet> PatternParser::property_escape() {
    ++at_;
    if (!take("{")) return fail("\\p without {Property}"), std::nullopt;
    const std::size_t from = at_;
    while (is_letter(peek()) || is_digit(peek()) || peek() == '_' || peek() == '=') ++at_;
    if (at_ == from || !take("}")) return fail("\\p without {Property}"), std::nullopt;
    return CharSet::any();
}

std::optional<std::uint32_t> PatternParser::character_escape(bool in_class) {
    if (at_ >= text_.size()) return fail("a \"\\\" at the end"), std::nullopt;
    const char c = text_[at_];
    constexpr std::string_view kControl = "tnvfr";
    constexpr std::string_view kControlValue = "\t\n\v\f\r";
    if (const std::size_t i = kControl.find(c); i != std::string_view::npos) return ++at_, kControlValue[i];
    if (in_class && c == 'b') return ++at_, 8;
    if (c == '0' && !(at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return ++at_, 0;
    if (c == 'c' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1])) {
        at_ += 2;
        return static_cast<std::uint32_t>(text_[at_ - 1]) & 31u;
    }
    if (c == 'x') return ++at_, hex_digits(2);
    if (c == 'u') return ++at_, unicode_escape();
    constexpr std::string_view kSyntax = "^$\\.*+?()[]{}|/";
    if (kSyntax.find(c) != std::string_view::npos || (in_class && c == '-')) return ++at_, c;
    return fail("the escape \"\\" + std::string(1, c) + "\", which the u flag does not know"), std::nullopt;
}

std::optional<std::uint32_t> PatternParser::unicode_escape() {
    if (take("{")) {
        std::uint32_t value = 0;
        const std::size_t from = at_;
        for (; hex_value(peek()) >= 0 && value <= 0x10FFFF; ++at_)
            value = value * 16 + static_cast<std::uint32_t>(hex_value(peek()));
        if (at_ == from || value > 0x10FFFF || !take("}")) return fail("a \\u{…} that is no code point"), std::nullopt;
        return value;
    }
    const std::optional<std::uint32_t> lead = hex_digits(4);
    if (!lead || *lead < 0xD800 || *lead > 0xDBFF || !at("\\u") || at("\\u{")) return lead;
    const std::size_t before = at_;
    take("\\u");
    const std::optional<std::uint32_t> trail = hex_digits(4);
    if (!trail) return std::nullopt;
    if (*trail >= 0xDC00 && *trail <= 0xDFFF) return 0x10000 + ((*lead - 0xD800) << 10) + (*trail - 0xDC00);
    at_ = before;
    return lead;
}

std::optional<std::uint32_t> PatternParser::hex_digits(int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i, ++at_) {
        if (hex_value(peek()) < 0) return fail("an escape with too few hexadecimal digits"), std::nullopt;
        value = value * 16 + static_cast<std::uint32_t>(hex_value(peek()));
    }
    return value;
}

std::string PatternParser::group_name() {
    std::string name;
    while (is_letter(peek()) || peek() == '_' || peek() == '$' || (is_digit(peek()) && !name.empty()))
        name += text_[at_++];
    if (name.empty() || !take(">")) fail("a group name that is none of letters, digits, _ and $");
    return name;
}

bool PatternParser::take(std::string_view token) {
    if (!at(token)) return false;
    at_ += token.size();
    return true;
}

std::uint32_t PatternParser::next_code_point() {
    const auto lead = static_cast<unsigned char>(text_[at_++]);
    if (lead < 0x80) return lead;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    std::uint32_t value = lead & (0x3Fu >> more);
    for (int i = 0; i < more && at_ < text_.size(); ++i)
        value = (value << 6) | (static_cast<unsigned char>(text_[at_++]) & 0x3Fu);
    return value;
}

std::uint32_t PatternParser::number() {
    std::uint32_t value = 0;
    for (; is_digit(peek()); ++at_) {
        const std::uint32_t digit = static_cast<std::uint32_t>(peek() - '0');
        value = value > (kUnbounded - 10) / 10 ? kUnbounded - 1 : value * 10 + digit;
    }
    return value;
}

std::uint32_t PatternParser::add(PatternNode node) {
    tree_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
}

std::uint32_t PatternParser::add_set(CharSet set) {
    PatternNode node{PatternKind::set};
    node.set = static_cast<std::uint32_t>(tree_.sets.size());
    tree_.sets.push_back(std::move(set));
    return add(std::move(node));
}

std::uint32_t PatternParser::fail(std::string_view what) {
    if (!failed_) {
        failed_ = true;
        message_ = std::string(what) + " at byte " + std::to_string(at_);
        if (tree_.nodes.empty()) tree_.nodes.push_back({});
    }
    return 0;
}

}  // namespace host_protocol::schema_detail
