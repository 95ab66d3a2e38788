#include "host_protocol/ids.h"

#include "reading.h"
#include "test_vectors.h"

using namespace host_protocol;

namespace {

/// The vectors spell a lone surrogate as U+FFFF; here it becomes the bytes that a careless encoder would send.
std::string with_lone_surrogate(std::string_view text) {
    std::string out(text);
    const std::size_t at = out.find("\xEF\xBF\xBF");
    if (at != std::string::npos) out.replace(at, 3, "\xED\xA0\x80");
    return out;
}

}  // namespace

TEST_CASE("Every valid id of the shared vectors has the expected parts", "[ids]") {
    const JsonDocument vectors = reading::document(test_vectors::ids);
    for (const JsonValue pair : vectors.root().find("valid").elements()) {
        const JsonValue id(&pair.tape(), pair.index() + 1);
        const JsonValue parts(&pair.tape(), id.node().next);
        INFO("id: " << id.string());
        const auto parsed = parse_capability_id(id.string());
        REQUIRE(parsed);
        const bool view = parts.find("plane").string() == "view";
        CHECK(parsed->plane == (view ? Plane::view : Plane::domain));
        CHECK(parsed->component_type == (view ? parts.find("componentType").string() : ""));
        CHECK(parsed->name == (view ? parts.find("name").string() : ""));
        CHECK(parsed->path == (view ? "" : parts.find("path").string()));
    }
}

TEST_CASE("Every invalid id of the shared vectors has no parts", "[ids]") {
    const JsonDocument vectors = reading::document(test_vectors::ids);
    std::size_t texts = 0;
    for (const JsonValue id : vectors.root().find("invalid").elements()) {
        if (!id.is(JsonType::string)) continue;  // numbers, null and the like never reach a function that takes text
        INFO("id: " << id.raw());
        CHECK_FALSE(parse_capability_id(with_lone_surrogate(id.string())));
        ++texts;
    }
    CHECK(texts >= 22);
}

TEST_CASE("An id is at most 128 UTF-16 code units", "[ids]") {
    CHECK(parse_capability_id("domain:" + std::string(121, 'x')));
    CHECK_FALSE(parse_capability_id("domain:" + std::string(122, 'x')));
    CHECK(parse_capability_id("view:" + std::string(121, 'x') + ".a"));
    CHECK_FALSE(parse_capability_id("view:" + std::string(122, 'x') + ".a"));
    std::string emoji = "domain:";
    for (int i = 0; i < 60; ++i) emoji += "\xF0\x9F\x98\x80";
    CHECK(parse_capability_id(emoji + "x"));
    CHECK_FALSE(parse_capability_id(emoji + "\xF0\x9F\x98\x80"));
    CHECK_FALSE(parse_capability_id("domain:" + std::string(1'000'000, 'x')));
}

TEST_CASE("Control characters and bytes that are not UTF-8 are no part of an id", "[ids]") {
    for (const std::string_view id :
         {std::string_view("domain:a\0b", 10), std::string_view("domain:\n"), std::string_view("domain:a\x7F"),
          std::string_view("domain:\xC2\x85"), std::string_view("domain:\xFF"), std::string_view("domain:\xC3"),
          std::string_view("view:a\0b.c", 10), std::string_view("view:a.b\0", 9)}) {
        CHECK_FALSE(parse_capability_id(id));
    }
}

TEST_CASE("A component type is dotted segments of lower-case letters, digits and dashes", "[ids]") {
    for (const char* text : {"a", "invoices", "invoices.pending", "a-1.b-2", "x--y"}) CHECK(is_component_type(text));
    for (const char* text :
         {"", ".", "a.", ".a", "a..b", "A", "1a", "-a", "a.1", "a_b", "a b", "a.B", "\xC3\xA9", "a:b"})
        CHECK_FALSE(is_component_type(text));
}

TEST_CASE("A capability name is a lower-case letter, then letters and digits", "[ids]") {
    for (const char* text : {"a", "setFilters", "a1", "toString", "constructor"}) CHECK(is_capability_name(text));
    for (const char* text : {"", "A", "1a", "a_b", "a-b", "a.b", "a b", "__proto__", "\xC3\xA9", "a\xC3\xA9"})
        CHECK_FALSE(is_capability_name(text));
}

TEST_CASE("An instance id is 1 to 128 letters, digits, dashes and underscores", "[ids]") {
    for (const char* text : {"default", "A-1_b", "0", "_", "__proto__"}) CHECK(is_instance_id(text));
    CHECK(is_instance_id(std::string(128, 'a')));
    CHECK_FALSE(is_instance_id(std::string(129, 'a')));
    CHECK_FALSE(is_instance_id(std::string_view("a\0", 2)));
    for (const char* text : {"", " ", "a b", "a.b", "a/b", "\xC3\xA9", "a\n", ":"}) CHECK_FALSE(is_instance_id(text));
}
