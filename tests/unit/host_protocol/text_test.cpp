#include "host_protocol/text.h"

#include <catch2/catch.hpp>
#include <string>

using namespace host_protocol;

TEST_CASE("Lengths count UTF-16 code units or code points of UTF-8", "[text]") {
    const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    CHECK(utf16_length(text) == 5);
    CHECK(code_point_count(text) == 4);
    CHECK(utf16_length("") == 0);
    CHECK(code_point_count(std::string_view("\0\0", 2)) == 2);
}

TEST_CASE("A cut never splits a code point or a surrogate pair", "[text]") {
    const std::string text = "a\xF0\x9F\x98\x80\xC3\xA9z";
    CHECK(clip_utf16(text, 0) == "");
    CHECK(clip_utf16(text, 1) == "a");
    CHECK(clip_utf16(text, 2) == "a");
    CHECK(clip_utf16(text, 3) == "a\xF0\x9F\x98\x80");
    CHECK(clip_utf16(text, 4) == "a\xF0\x9F\x98\x80\xC3\xA9");
    CHECK(clip_utf16(text, 5) == text);
    CHECK(clip_utf16(text, 500) == text);
}

TEST_CASE("Well-formed UTF-8 excludes surrogates, overlong forms and what lies beyond U+10FFFF", "[text]") {
    CHECK(is_utf8(""));
    CHECK(is_utf8(std::string_view("\0a\x7F", 3)));
    CHECK(is_utf8("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF\xF0\x90\x80\x80\xE0\xA0\x80\xC2\x80"));
    for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC2", "\xE2\x82", "a\xC3z"})
        CHECK_FALSE(is_utf8(bad));
}

TEST_CASE("Control characters are U+0000 to U+001F and U+007F to U+009F", "[text]") {
    CHECK(has_control_character(std::string_view("a\0", 2)));
    for (const char* text : {"\x1F", "a\n", "\x7F", "\xC2\x80", "x\xC2\x9F"}) CHECK(has_control_character(text));
    for (const char* text : {"", " ", "~", "\xC2\xA0", "\xC3\x80", "\xE2\x82\x80"})
        CHECK_FALSE(has_control_character(text));
}
