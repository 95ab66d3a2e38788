// Which patterns are valid under the u flag, and which are proven safe.
#include "schema/pattern_safety.h"

#include <catch2/catch.hpp>

#include "schema/pattern_syntax.h"

using namespace host_protocol::schema_detail;

namespace {

bool is_valid(const char* pattern) { return static_cast<bool>(parse_pattern(pattern)); }

/// "safe", or why not.
std::string judged(const std::string& pattern) {
    const auto tree = parse_pattern(pattern);
    if (!tree) return "invalid: " + tree.error().message;
    const std::string reason = why_unsafe(*tree);
    return reason.empty() ? "safe" : reason;
}

}  // namespace

TEST_CASE("ordinary patterns are accepted", "[schema][pattern]") {
    for (const char* pattern : {"^[a-z]+(-[a-z0-9]+)*$",
                                "^\\d{4}-\\d{2}$",
                                "^(open|paid|overdue)$",
                                "^[^@\\s]+@[^@\\s]+\\.[a-z]+$",
                                "^INV-\\d+$",
                                "",
                                "a",
                                "^$",
                                "^.*$",
                                "abc.*def",
                                "^[A-Za-z0-9_-]{1,64}$",
                                "^[a-f0-9]{64}$",
                                "^#[0-9a-fA-F]{6}$",
                                "^(?:\\d{1,3}\\.){3}\\d{1,3}$",
                                "^(?=.*\\d)(?=.*[a-z]).{8,}$",
                                "^\\p{L}+$",
                                "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
                                "^https?://[^\\s/]+(/[^\\s]*)?$",
                                "^[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?$",
                                "^[A-Z]{3}$",
                                "\\d+",
                                "\\s+$",
                                "^\\s*\\S",
                                ".*@.*",
                                "^v?\\d+\\.\\d+\\.\\d+$",
                                "^(?<year>\\d{4})-(?<month>\\d\\d)$",
                                "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
                                "^\\u{1F600}+$",
                                "(?<!a)b"}) {
        INFO(pattern);
        CHECK(judged(pattern) == "safe");
    }
}

TEST_CASE("nested unbounded quantifiers over one text are refused", "[schema][pattern]") {
    for (const char* pattern :
         {"^(a+)+$", "(a*)*", "(a+)*b", "([a-z]+)*$", "(\\w+\\s?)+$", "(.*)*x", "((ab)+)+$", "(a+b?)+$",
          "(a{1,100}){1,100}", "([^,]*,?)*$", "^(\\d+\\.?)+$", "(x+x+)+y", "((a|b)+c?)+$"}) {
        INFO(pattern);
        CHECK(judged(pattern) != "safe");
    }
}

TEST_CASE("alternatives under a quantifier that can start alike are refused", "[schema][pattern]") {
    for (const char* pattern : {"(a|a)*", "^(a|ab)+$", "(ab|ac)*", "(\\d|\\w)+", "(.|\\n|a)*", "(a|[ab]){2,}"}) {
        INFO(pattern);
        CHECK(judged(pattern) != "safe");
    }
    CHECK(judged("^(ab|cd)*$") == "safe");
}

TEST_CASE("back-references and quantified look-arounds are refused", "[schema][pattern]") {
    for (const char* pattern : {"(a)\\1", "(?<x>a)\\k<x>", "(?=a)*", "((?=a)a)*", "(?:(?!b).)*", "(?<=a+)b"}) {
        INFO(pattern);
        CHECK(judged(pattern) != "safe");
    }
}

TEST_CASE("adjacent quantifiers that share a text are refused from cubic time on", "[schema][pattern]") {
    CHECK(judged("^\\d*\\d*x") == "safe");
    for (const char* pattern : {"\\d*\\d*\\d*x", "^\\d*\\d*\\d*x", "a+a+b", "^a{1,100}a{1,100}a{1,100}x", ".*a.*b.*c",
                                "^\\s*(.*?)\\s*$", "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaa"}) {
        INFO(pattern);
        CHECK(judged(pattern) != "safe");
    }
}

TEST_CASE("the syntax is that of the u flag", "[schema][pattern]") {
    for (const char* pattern : {"(",
                                ")",
                                "a)",
                                "[",
                                "]",
                                "}",
                                "{",
                                "a{",
                                "a{2,1}",
                                "*a",
                                "a**",
                                "a+*",
                                "^*",
                                "(?a)",
                                "(?<n",
                                "(?<1>a)",
                                "(?<n>a)(?<n>b)",
                                "\\",
                                "\\a",
                                "\\1",
                                "\\k<x>",
                                "\\xg0",
                                "\\u12",
                                "\\u{110000}",
                                "\\p",
                                "\\p{}",
                                "\\c1",
                                "[b-a]",
                                "[\\d-z]",
                                "\\-",
                                "\\01",
                                "(?=a)+",
                                "\\b+",
                                "(?i:a)"}) {
        INFO(pattern);
        CHECK_FALSE(is_valid(pattern));
    }
    for (const char* pattern :
         {"a{2}", "a{2,}?", "[\\-a]", "[]", "[^]", "\\/", "\\0", "\\cA", "\\x41", "\\uD83D\\uDE00", "\\u{1F600}",
          "\\bfoo\\B", "(?<=a)(?<!b)c", "[\\b]", "\\p{Script=Greek}", "[a-]", "a|", "|", "()"}) {
        INFO(pattern);
        CHECK(is_valid(pattern));
    }
}

TEST_CASE("a huge pattern is judged without hanging or overflowing", "[schema][pattern]") {
    std::string nested, wide;
    for (int i = 0; i < 4000; ++i) nested += "(";
    for (int i = 0; i < 300; ++i) wide += "[a-z]*x?";
    CHECK(judged(nested) != "safe");
    CHECK(judged("^" + wide + "$") != "safe");
    CHECK(judged(std::string(5000, 'a')) != "safe");
}
