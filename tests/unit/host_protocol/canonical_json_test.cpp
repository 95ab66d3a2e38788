#include "host_protocol/canonical_json.h"

#include "reading.h"
#include "test_vectors.h"

using namespace host_protocol;

TEST_CASE("The canonical form of every shared vector is the expected one", "[canonical_json]") {
    const JsonDocument vectors = reading::document(test_vectors::canonical_json);
    std::size_t count = 0;
    for (const JsonValue pair : vectors.root().find("cases").elements()) {
        const JsonValue value(&pair.tape(), pair.index() + 1);
        const JsonValue expected(&pair.tape(), value.node().next);
        CHECK(canonical_json(value) == expected.string());
        ++count;
    }
    CHECK(count == vectors.root().find("cases").size());
    CHECK(count >= 16);
}

TEST_CASE("Canonical form is the same for every spelling of a value", "[canonical_json]") {
    const char* const spellings[] = {
        R"({"b":[1,{"y":1.0,"x":"\u00e9"}],"a":-0})",
        "{ \"a\" : 0.0 , \"b\" : [ 1e0, {\"x\":\"\xC3\xA9\", \"y\": 10e-1} ] }",
        R"({"a":0,"b":[1.000,{"\u0078":"\u00E9","\u0079":1}]})",
    };
    for (const char* text : spellings) {
        CHECK(canonical_json(reading::document(text).root()) == "{\"a\":0,\"b\":[1,{\"x\":\"\xC3\xA9\",\"y\":1}]}");
    }
}

TEST_CASE("Keys sort by UTF-16 code unit: a surrogate pair before U+E000, an empty key first", "[canonical_json]") {
    const JsonDocument document = reading::document(
        "{\"\\uE000\":1,\"\\uD83D\\uDE00\":2,\"\\uD7FF\":3,\"\\uFFFD\":4,\"\":5,\"a\":6,\"aa\":7,\"A\":8}");
    CHECK(canonical_json(document.root()) ==
          "{\"\":5,\"A\":8,\"a\":6,\"aa\":7,\"\xED\x9F\xBF\":3,\"\xF0\x9F\x98\x80\":2,\"\xEE\x80\x80\":1,"
          "\"\xEF\xBF\xBD\":4}");
}

TEST_CASE("Canonical form is taken of a part of a document, and of a deep one without the stack", "[canonical_json]") {
    CHECK(canonical_json(reading::document(R"({"x":{"b":[],"a":{}},"y":1})").root().find("x")) == R"({"a":{},"b":[]})");
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    JsonReader reader;
    const auto read = reader.read(deep, {1u << 20, 100'000});
    REQUIRE(read);
    CHECK(canonical_json(*read) == deep);
}

TEST_CASE("Strings escape what RFC 8785 escapes and nothing more", "[canonical_json]") {
    std::string out;
    append_json_string(out, std::string_view("\0\x1F\b\t\n\f\r\"\\/\x7F\xC3\xA9\xF0\x9F\x98\x80", 17));
    CHECK(out == "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\x7F\xC3\xA9\xF0\x9F\x98\x80\"");
}

TEST_CASE("SHA-256 gives the digests of FIPS 180-4 for every length around a block", "[sha256]") {
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    // The digests of 0 to 200 times 'a', one after the other, hashed again.
    std::string all;
    for (std::size_t length = 0; length <= 200; ++length) all += sha256_hex(std::string(length, 'a'));
    CHECK(sha256_hex(all) == "eb555248bd20c7831e511d4461b42c9b084e3a64b44d57b00051172f8afe03ff");
}
