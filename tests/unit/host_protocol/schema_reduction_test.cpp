#include "host_protocol/schema_reduction.h"

#include "host_protocol/canonical_json.h"
#include "reading.h"
#include "test_vectors.h"

using namespace host_protocol;

namespace {

using Keys = std::vector<std::string_view>;

Keys keys(JsonValue list) {
    Keys out;
    for (const JsonValue key : list.elements()) out.push_back(key.string());
    return out;
}

std::string reduced(std::string_view schema, const Keys& bound, const Keys& overridable = {}) {
    const JsonDocument document = reading::document(schema);
    auto text = reduce_input_schema(document.root(), bound, overridable);
    return text ? *text : std::string(text.error().code);
}

/// Canonical, with the description of every overridable property checked and then replaced by the vector's own.
std::string comparable(const std::string& text, JsonValue schema, const Keys& overridable, JsonValue expect) {
    std::string out = text;
    for (std::string_view key : overridable) {
        const JsonDocument now = reading::document(out);
        const JsonValue description = now.root().find("properties").find(key).find("description");
        const JsonValue original = schema.find("properties").find(key).find("description");
        const std::string_view begin = original ? original.string() : std::string_view();
        REQUIRE(description.is(JsonType::string));
        CHECK(description.string().size() > begin.size());
        CHECK(description.string().substr(0, begin.size()) == begin);
        const std::string wanted(expect.find("properties").find(key).find("description").raw());
        out.replace(out.find(description.raw()), description.raw().size(), wanted);
    }
    return canonical_json(reading::document(out).root());
}

}  // namespace

TEST_CASE("Every shared case of a reduction comes to what it says", "[schema_reduction]") {
    const JsonDocument vectors = reading::document(test_vectors::schema_reduction);
    std::size_t count = 0;
    for (const JsonValue one : vectors.root().find("cases").elements()) {
        INFO(one.find("name").string());
        const JsonValue schema = one.find("schema");
        const Keys overridable = keys(one.find("overridable"));
        auto text = reduce_input_schema(schema, keys(one.find("bound")), overridable);
        REQUIRE(text);
        CHECK(comparable(*text, schema, overridable, one.find("expect")) == canonical_json(one.find("expect")));
        ++count;
    }
    CHECK(count >= 6);
}

TEST_CASE("What a reduction does not touch stays byte for byte and in its order", "[schema_reduction]") {
    CHECK(reduced(R"({"$defs":{"z":{"type":"string"}},"additionalProperties":false,"required":["b","a"],)"
                  R"("properties":{"b":{"$ref":"#/$defs/z"},"a":{"minimum":1.0},"c":{"enum":[1e2]}},"type":"object"})",
                  {"a"}) == R"({"$defs":{"z":{"type":"string"}},"additionalProperties":false,"required":["b"],)"
                            R"("properties":{"b":{"$ref":"#/$defs/z"},"c":{"enum":[1e2]}},"type":"object"})");
}

TEST_CASE("Without bound keys a schema stays as it is, whatever it is", "[schema_reduction]") {
    for (const char* schema : {R"({ "anyOf" : [ {} ] })", "true", R"({"type":"string"})"}) {
        CHECK(reduced(schema, {}) == schema);
        CHECK(reduced(schema, {}, {"a"}) == schema);
    }
}

TEST_CASE("Root default and examples go when a key is locked, and stay when it is only overridable",
          "[schema_reduction]") {
    const char* schema = R"({"type":"object","default":{"a":1},"properties":{"a":{},"b":{}},"examples":[{"a":2}]})";
    CHECK(reduced(schema, {"a"}) == R"({"type":"object","properties":{"b":{}}})");
    CHECK(reduced(schema, {"a"}, {"a"}).find(R"("default":{"a":1})") != std::string::npos);
    CHECK(reduced(schema, {"a"}, {"a"}).find(R"("examples":[{"a":2}])") != std::string::npos);
    CHECK(reduced(schema, {"zz"}).find("default") != std::string::npos);
}

TEST_CASE("An overridable property without a description gets one, beside a reference too", "[schema_reduction]") {
    CHECK(
        reduced(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/x"},"b":{"description":"","type":"null"}}})",
                {"a", "b"}, {"b", "a"}) ==
        R"({"type":"object","properties":{"a":{"$ref":"#/$defs/x","description":"When omitted, the current value in )"
        R"(the UI applies."},"b":{"description":"When omitted, the current value in the UI applies.","type":"null"}}})");
}

TEST_CASE("A boolean property of the full profile is described where it admits something", "[schema_reduction]") {
    CHECK(reduced(R"({"type":"object","properties":{"a":true,"b":false}})", {"a", "b"}, {"a", "b"}) ==
          R"({"type":"object","properties":{"a":{"description":"When omitted, the current value in the UI applies."},)"
          R"("b":false}})");
}

TEST_CASE("Keys that objects inherit elsewhere are keys like any other", "[schema_reduction]") {
    CHECK(reduced(R"({"type":"object","properties":{"__proto__":{},"constructor":{}},"required":["constructor"]})",
                  {"__proto__"}) == R"({"type":"object","properties":{"constructor":{}},"required":["constructor"]})");
}

TEST_CASE("A root that a key cannot be taken out of is refused once something is bound", "[schema_reduction]") {
    for (const char* schema :
         {R"({"properties":{"a":{}}})", R"({"type":"object"})", R"({"type":["object"],"properties":{"a":{}}})",
          R"({"type":"object","properties":{"a":{}},"anyOf":[{}]})",
          R"({"type":"object","properties":{"a":{}},"$ref":"#/$defs/x","$defs":{"x":{}}})",
          R"({"type":"object","properties":{"a":{}},"allOf":[{"required":["a"]}]})", "true", "null", "[]"}) {
        INFO(schema);
        CHECK(reduced(schema, {"a"}) == "UNSUPPORTED_SCHEMA");
        CHECK(reduced(schema, {"a"}, {"a"}) == "UNSUPPORTED_SCHEMA");
    }
    CHECK_FALSE(reduce_input_schema({}, {}, {}));
}
