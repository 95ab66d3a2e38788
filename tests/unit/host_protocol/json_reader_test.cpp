#include <cmath>

#include "reading.h"

using namespace host_protocol;
using reading::fault;

namespace {

std::string repeated(std::string_view part, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out.append(part);
    return out;
}

std::string bytes(std::initializer_list<int> values) {
    std::string out;
    for (int value : values) out.push_back(static_cast<char>(value));
    return out;
}

}  // namespace

TEST_CASE("A document's values are found by key, by order and by their exact source bytes", "[json_reader]") {
    const JsonDocument document =
        reading::document(R"( {"a": [1, -2.50, "x"], "b":{"c":null ,"d":true},"e":"\u00e9\n\ud83d\ude00" } )");
    const JsonValue root = document.root();
    REQUIRE(root.is(JsonType::object));
    CHECK(root.size() == 3);
    CHECK(root.find("a").raw() == R"([1, -2.50, "x"])");
    CHECK(root.find("a").size() == 3);
    std::string kinds;
    for (const JsonValue element : root.find("a").elements()) kinds += element.is(JsonType::number) ? 'n' : 's';
    CHECK(kinds == "nns");
    CHECK(root.find("b").find("d").boolean());
    CHECK(root.find("b").find("c").is(JsonType::null));
    CHECK(root.find("b").raw() == R"({"c":null ,"d":true})");
    CHECK(root.find("e").string() == "\xC3\xA9\n\xF0\x9F\x98\x80");
    CHECK_FALSE(root.find("missing"));
    CHECK_FALSE(root.find("a").find("x"));
    std::string keys;
    for (const JsonMember member : root.members()) keys += member.key;
    CHECK(keys == "abe");
}

TEST_CASE("Every kind of scalar and empty container can be the whole text", "[json_reader]") {
    for (const char* text : {"null", "true", "false", "0", "-0", "\"\"", "[]", "{}", " [ ] ", "\t{\r\n}\n"}) {
        CHECK(fault(text) == "");
    }
    CHECK(std::signbit(reading::document("-0").root().number()));
    CHECK(reading::document("{ }").root().size() == 0);
}

TEST_CASE("Text that is not JSON's grammar is malformed", "[json_reader]") {
    for (const char* text : {"",
                             " ",
                             "[",
                             "]",
                             "{",
                             "}",
                             "[1",
                             "[1,",
                             "[1,]",
                             "[,1]",
                             "[1 2]",
                             "[1}",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{a:1}",
                             "{'a':1}",
                             "{\"a\":1,}",
                             "{\"a\" 1}",
                             "{,}",
                             "{1:2}",
                             "tru",
                             "nul",
                             "falsey",
                             "True",
                             "NaN",
                             "Infinity",
                             "-Infinity",
                             "undefined",
                             "+1",
                             ".5",
                             "1.",
                             "-",
                             "01",
                             "-01",
                             "1e",
                             "1e+",
                             "1.e3",
                             "0x10",
                             "1_000",
                             "--1",
                             "\"",
                             "\"a",
                             "\"\\",
                             "\"\\x\"",
                             "\"\\u12\"",
                             "\"\\u12g4\"",
                             "\"\n\"",
                             "'a'",
                             "1 1",
                             "[] []",
                             "// x\n1",
                             "/**/1",
                             "[1]x",
                             "\"a\"\"b\"",
                             "{\"a\":1 \"b\":2}",
                             "\v1",
                             "00",
                             "[00]",
                             "[01,1]"}) {
        INFO("text: " << text);
        CHECK(fault(text) == json_fault::kMalformed);
    }
    CHECK(fault(std::string_view("1\0", 2)) == json_fault::kMalformed);
    CHECK(fault(std::string_view("\"a\0b\"", 5)) == json_fault::kMalformed);
    CHECK(fault("\xEF\xBB\xBF[]") == json_fault::kMalformed);
}

TEST_CASE("An escaped NUL is an ordinary character of keys and strings", "[json_reader]") {
    const JsonDocument document = reading::document(R"({"a\u0000b":"\u0000c","a":"x"})");
    CHECK(document.root().find(std::string_view("a\0b", 3)).string() == std::string_view("\0c", 2));
    CHECK(document.root().find("a").string() == "x");
}

TEST_CASE("Bytes that are not UTF-8 are called that wherever they stand", "[json_reader]") {
    for (const std::string& bad :
         {bytes({0x80}), bytes({0xFF}), bytes({0xC0, 0x80}), bytes({0xC1, 0xBF}), bytes({0xE0, 0x80, 0x80}),
          bytes({0xED, 0xA0, 0x80}), bytes({0xED, 0xBF, 0xBF}), bytes({0xF0, 0x80, 0x80, 0x80}),
          bytes({0xF4, 0x90, 0x80, 0x80}), bytes({0xF5, 0x80, 0x80, 0x80}), bytes({0xC3}), bytes({0xE2, 0x82}),
          bytes({0xF0, 0x9F, 0x98})}) {
        CHECK(fault("\"" + bad + "\"") == json_fault::kNotUtf8);
        CHECK(fault("{\"" + bad + "\":1}") == json_fault::kNotUtf8);
        CHECK(fault("[}" + bad) == json_fault::kNotUtf8);
        CHECK(fault("\"abcdefghijk" + bad) == json_fault::kNotUtf8);
    }
    JsonReader reader;
    const auto read = reader.read("[\"ab\xFF\"]", {});
    REQUIRE_FALSE(read);
    CHECK(read.error().path == "byte 4");
}

TEST_CASE("A surrogate escape without its other half is refused, a pair is one character", "[json_reader]") {
    for (const char* text : {R"("\ud800")", R"("\udc00")", R"("\ud800x")", R"("\ud800\ud800")", R"("\udfff\ud800")",
                             R"("\ud83d\u0041")", R"({"\ud800":1})", R"("\uD83D\n")", R"("\ud83d\uZZZZ")"}) {
        INFO("text: " << text);
        CHECK(fault(text) == json_fault::kLoneSurrogate);
    }
    CHECK(reading::document(R"("\uD83D\uDE00")").root().string() == "\xF0\x9F\x98\x80");
    CHECK(reading::document(R"("\udbff\udfff")").root().string() == "\xF4\x8F\xBF\xBF");
}

TEST_CASE("A key that occurs twice is refused, however it is spelled and however many keys there are",
          "[json_reader]") {
    CHECK(fault(R"({"a":1,"a":1})") == json_fault::kDuplicateKey);
    CHECK(fault(R"({"a":1,"\u0061":2})") == json_fault::kDuplicateKey);
    CHECK(fault(R"({"":1,"":2})") == json_fault::kDuplicateKey);
    CHECK(fault(R"({"x":{"a":1,"b":2,"a":3}})") == json_fault::kDuplicateKey);
    CHECK(fault(R"({"__proto__":1,"__proto__":2})") == json_fault::kDuplicateKey);
    CHECK(fault(R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]})") == "");
    for (const std::size_t count : {2u, 8u, 9u, 24u, 25u, 100u, 10'000u}) {
        std::string object = "{\"key0\":0";
        for (std::size_t i = 1; i < count; ++i) object += ",\"key" + std::to_string(i) + "\":0";
        CHECK(fault(object + "}", {1u << 20, 32}) == "");
        CHECK(fault(object + ",\"key" + std::to_string(count / 2) + "\":0}", {1u << 20, 32}) ==
              json_fault::kDuplicateKey);
    }
    JsonReader reader;
    const auto read = reader.read(R"({"a":1,"b":2,"a":3})", {});
    REQUIRE_FALSE(read);
    CHECK(read.error().path == "byte 13");
}

TEST_CASE("Names of JavaScript's object prototype are keys like any other", "[json_reader]") {
    const JsonDocument document =
        reading::document(R"({"__proto__":1,"constructor":2,"toString":3,"hasOwnProperty":4})");
    CHECK(document.root().size() == 4);
    CHECK(document.root().find("__proto__").number() == 1);
    CHECK(document.root().find("constructor").number() == 2);
    CHECK(document.root().find("toString").number() == 3);
    CHECK_FALSE(document.root().find("valueOf"));
}

TEST_CASE("Size is checked before anything is read", "[json_reader]") {
    CHECK(fault("[1,2]", {5, 32}) == "");
    CHECK(fault("[1,2]", {4, 32}) == json_fault::kTooLarge);
    CHECK(fault("\xFF\xFF", {1, 32}) == json_fault::kTooLarge);
    JsonReader reader;
    const auto read = reader.read("[1,2]", {4, 32});
    REQUIRE_FALSE(read);
    CHECK(read.error().message == "Found 5 bytes; at most 4 are allowed.");
    CHECK(read.error().path == "byte 4");
}

TEST_CASE("A text of the largest size is read whole", "[json_reader]") {
    const std::string body(65'534, 'x');
    CHECK(fault("\"" + body + "\"") == "");
    CHECK(fault("\"x" + body + "\"") == json_fault::kTooLarge);
    CHECK(reading::document("\"" + body + "\"").root().string() == body);
}

TEST_CASE("Depth is bounded and costs no stack", "[json_reader]") {
    CHECK(fault(repeated("[", 32) + repeated("]", 32)) == "");
    CHECK(fault(repeated("[", 33) + repeated("]", 33)) == json_fault::kTooDeep);
    CHECK(fault(repeated("{\"a\":", 33) + "1" + repeated("}", 33)) == json_fault::kTooDeep);
    CHECK(fault(repeated("[", 100'000), {1u << 20, 32}) == json_fault::kTooDeep);
    CHECK(fault("[]", {10, 0}) == json_fault::kTooDeep);
    CHECK(fault("1", {10, 0}) == "");
    const std::string deep = repeated("[", 100'000) + repeated("]", 100'000);
    CHECK(fault(deep, {1u << 20, 100'000}) == "");
    CHECK(fault(repeated("[", 100'000), {1u << 20, 100'000}) == json_fault::kMalformed);
}

TEST_CASE("A number that no double holds is refused, one that is too small is zero", "[json_reader]") {
    for (const char* text :
         {"1e400", "-1e400", "[1e309]", "1.8e308", "1e99999999999999999999", "179769313486231581e291"}) {
        INFO("text: " << text);
        CHECK(fault(text) == json_fault::kNumberRange);
    }
    CHECK(fault(repeated("9", 400)) == json_fault::kNumberRange);
    for (const char* text : {"1e-400", "0e400", "0.0e99999999999999999999", "1e-99999999999999999999"}) {
        CHECK(reading::document(text).root().number() == 0);
    }
}

TEST_CASE("A reader can be used again after a failure and forgets the text before", "[json_reader]") {
    JsonReader reader;
    CHECK_FALSE(reader.read(R"({"a":["\u0041)", {}));
    const auto read = reader.read(R"({"b":"\u0042"})", {});
    REQUIRE(read);
    CHECK(read->size() == 1);
    CHECK(read->find("b").string() == "B");
}

TEST_CASE("A document keeps its values when it moves", "[json_reader]") {
    JsonDocument first = reading::document(R"({"a":"short","b":"\u0041"})");
    const JsonDocument second = std::move(first);
    CHECK(second.root().find("a").string() == "short");
    CHECK(second.root().find("b").string() == "A");
}

TEST_CASE("An error says what was found, what is allowed and where", "[json_reader]") {
    JsonReader reader;
    const auto read = reader.read("[1;2]", {});
    REQUIRE_FALSE(read);
    CHECK(read.error().message == "Found ';'; allowed here: ',' or ']' in an array.");
    CHECK(read.error().path == "byte 2");
    const auto end = reader.read("{\"a\":", {});
    REQUIRE_FALSE(end);
    CHECK(end.error().message == "Found the end of the text; allowed here: a JSON value.");
}
