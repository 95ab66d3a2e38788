#include "schema/pattern_syntax.h"

#include <algorithm>
#include <utility>

#include "schema/pattern_parser.h"

namespace host_protocol::schema_detail {
namespace {
// Each nested group costs stack here and in the safety check; no pattern that a person wrote comes near.
constexpr int kMaxGroupDepth = 40;
}  // namespace

Result<PatternTree> parse_pattern(std::string_view pattern) { return PatternParser(pattern).parse(); }

Result<PatternTree> PatternParser::parse() {
    tree_.root = disjunction(0);
    if (!failed_ && at_ < text_.size()) fail("a \")\" without its \"(\"");
    if (!failed_) check_references();
    if (failed_) return make_error("pattern-syntax", std::move(message_));
    return std::move(tree_);
}

std::uint32_t PatternParser::disjunction(int depth) {
    if (depth > kMaxGroupDepth) return fail("groups nested more than 40 deep");
    PatternNode node{PatternKind::alternation};
    do node.parts.push_back(alternative(depth));
    while (!failed_ && take("|"));
    return node.parts.size() == 1 ? node.parts[0] : add(std::move(node));
}

std::uint32_t PatternParser::alternative(int depth) {
    PatternNode node{PatternKind::sequence};
    while (!done() && peek() != '|' && peek() != ')') node.parts.push_back(term(depth));
    if (node.parts.empty()) return add(PatternNode{});
    return node.parts.size() == 1 ? node.parts[0] : add(std::move(node));
}

std::uint32_t PatternParser::term(int depth) {
    if (at("^") || at("$") || at("\\b") || at("\\B")) {
        PatternNode node{PatternKind::assertion};
        node.at_start = peek() == '^';
        at_ += peek() == '\\' ? 2 : 1;
        return quantified(add(std::move(node)), false);
    }
    if (at("(")) return group(depth);
    if (at("[")) return quantified(char_class(), true);
    if (at("\\")) return quantified(escape(), true);
    if (take(".")) return quantified(add_set(CharSet::dot()), true);
    if (std::string_view("*+?{}]").find(peek()) != std::string_view::npos)
        return fail("a \"" + std::string(1, peek()) + "\" that stands for itself must be escaped");
    CharSet one;
    const std::uint32_t c = next_code_point();
    one.add(c, c);
    return quantified(add_set(std::move(one)), true);
}

std::uint32_t PatternParser::group(int depth) {
    take("(");
    PatternNode look{PatternKind::look};
    const bool is_look = at("?=") || at("?!") || at("?<=") || at("?<!");
    look.behind = at("?<=") || at("?<!");
    if (is_look) {
        at_ += look.behind ? 3 : 2;
    } else if (take("?<")) {
        std::string name = group_name();
        if (std::find(names_.begin(), names_.end(), name) != names_.end()) return fail("two groups of one name");
        names_.push_back(std::move(name));
        ++groups_;
    } else if (take("?")) {
        if (!take(":")) return fail("a group that begins with \"(?\" and is none of (?: (?= (?! (?<= (?<! (?<name>");
    } else {
        ++groups_;
    }
    const std::uint32_t inside = disjunction(depth + 1);
    if (!failed_ && !take(")")) return fail("a \"(\" without its \")\"");
    if (!is_look) return quantified(inside, true);
    look.parts.push_back(inside);
    return quantified(add(std::move(look)), false);
}

std::uint32_t PatternParser::quantified(std::uint32_t atom, bool quantifiable) {
    if (done() || std::string_view("*+?{").find(peek()) == std::string_view::npos) return atom;
    if (!quantifiable) return fail("a quantifier on an assertion or a look-around");
    PatternNode repeat{PatternKind::repeat};
    repeat.max = kUnbounded;
    if (take("+"))
        repeat.min = 1;
    else if (take("?"))
        repeat.max = 1;
    else if (!take("*") && !bounds(repeat))
        return fail("a quantifier that is none of * + ? {n} {n,} {n,m} with n at most m");
    take("?");
    if (std::string_view("*+?{").find(peek()) != std::string_view::npos && at_ < text_.size())
        return fail("a quantifier on a quantifier");
    repeat.parts.push_back(atom);
    return add(std::move(repeat));
}

bool PatternParser::bounds(PatternNode& repeat) {
    take("{");
    if (peek() < '0' || peek() > '9') return false;
    repeat.min = repeat.max = number();
    if (take(",")) repeat.max = peek() >= '0' && peek() <= '9' ? number() : kUnbounded;
    return take("}") && repeat.min <= repeat.max;
}

std::uint32_t PatternParser::char_class() {
    take("[");
    const bool negated = take("^");
    CharSet set;
    while (!done() && peek() != ']') {
        const ClassAtom first = class_atom();
        const bool range = peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
        if (!range) {
            first.set ? set.add(*first.set) : set.add(first.character, first.character);
            continue;
        }
        take("-");
        const ClassAtom last = class_atom();
        if (failed_) return 0;
        if (first.set || last.set) return fail("a character class as the end of a range");
        if (first.character > last.character) return fail("a range whose ends are in the wrong order");
        set.add(first.character, last.character);
    }
    if (!failed_ && !take("]")) return fail("a \"[\" without its \"]\"");
    return add_set(negated ? set.complement() : std::move(set));
}

PatternParser::ClassAtom PatternParser::class_atom() {
    ClassAtom atom;
    if (!at("\\")) {
        atom.character = next_code_point();
        return atom;
    }
    take("\\");
    atom.set = class_escape();
    if (!atom.set && !failed_) atom.character = character_escape(true).value_or(0);
    return atom;
}

void PatternParser::check_references() {
    for (std::uint32_t reference : numbered_references_)
        if (reference > groups_) fail("a back-reference to a group that does not exist");
    for (const std::string& name : named_references_)
        if (std::find(names_.begin(), names_.end(), name) == names_.end())
            fail("a back-reference to a group that does not exist");
}

}  // namespace host_protocol::schema_detail
