// The recursive-descent parser behind parse_pattern; internal to pattern_syntax.cpp and pattern_escape.cpp.
#pragma once

#include <optional>

#include "schema/pattern_syntax.h"

namespace host_protocol::schema_detail {

class PatternParser {
  public:
    explicit PatternParser(std::string_view text) : text_(text) {}
    Result<PatternTree> parse();

  private:
    /// A class member: one character, or a set that cannot begin or end a range.
    struct ClassAtom {
        std::uint32_t character = 0;
        std::optional<CharSet> set{};
    };

    std::uint32_t disjunction(int depth);
    std::uint32_t alternative(int depth);
    std::uint32_t term(int depth);
    std::uint32_t group(int depth);
    std::uint32_t quantified(std::uint32_t atom, bool quantifiable);
    bool bounds(PatternNode& repeat);
    std::uint32_t escape();
    std::uint32_t char_class();
    ClassAtom class_atom();

    std::optional<std::uint32_t> character_escape(bool in_class);
    std::optional<CharSet> class_escape();
    std::optional<CharSet> property_escape();
    std::optional<std::uint32_t> unicode_escape();
    std::optional<std::uint32_t> hex_digits(int count);
    std::string group_name();

    bool done() const { return at_ >= text_.size() || failed_; }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool at(std::string_view token) const { return text_.substr(at_, token.size()) == token; }
    bool take(std::string_view token);
    std::uint32_t next_code_point();
    std::uint32_t number();
    std::uint32_t add(PatternNode node);
    std::uint32_t add_set(CharSet set);
    std::uint32_t fail(std::string_view what);
    void check_references();

    std::string_view text_;
    std::size_t at_ = 0;
    bool failed_ = false;
    std::string message_;
    PatternTree tree_;
    std::uint32_t groups_ = 0;
    std::vector<std::string> names_;
    std::vector<std::uint32_t> numbered_references_;
    std::vector<std::string> named_references_;
};

}  // namespace host_protocol::schema_detail
