// The committed fixtures, the decoder and the JSON Schemas say the same of every request and frame.
#include "host_protocol/frame.h"
#include "protocol_support.h"
#include "schema/schema.h"

using namespace protocol;

namespace {

Schema schema_named(std::string_view name) {
    SchemaOptions options;
    options.profile = SchemaProfile::full;
    options.max_depth = 64;
    auto schema = Schema::create(std::string(fixture(name)), options);
    if (!schema) FAIL(schema.error().code << ": " << schema.error().message << " " << schema.error().path);
    return std::move(*schema);
}

bool accepts(const Schema& schema, std::string_view text) {
    JsonReader reader;
    const auto value = reader.read(text, {std::size_t{1} << 24, 128});
    return value && schema.validate(*value).empty();
}

/// Of one bound: the request with `count` in the place.
std::string filled(JsonValue bound, std::string_view unit, std::size_t count) {
    const std::string_view base = fixture(bound.find("base").string());
    const std::string_view path = bound.find("path").string();
    const std::string_view fill = bound.find("fill").string();
    if (fill == "integer") return replaced(base, path, std::to_string(count));
    if (fill == "text") return replaced(base, path, quoted(repeated(unit, count)));
    const JsonDocument document = reading::document(base);
    const std::string first(at_path(document.root(), std::string(path) + "/0").raw());
    return replaced(base, path, "[" + repeated(first, count, ",") + "]");
}

}  // namespace

TEST_CASE("Every valid fixture is accepted by the decoder and by the JSON Schema", "[protocol]") {
    const Schema schema = schema_named("step_request.schema.json");
    for (const auto& one : protocol_fixtures::kValid) {
        INFO(one.name);
        CHECK(verdict(std::string(one.text)) == "ok");
        CHECK(accepts(schema, one.text));
    }
}

TEST_CASE("Every invalid fixture is refused with the status, code and path of the index", "[protocol]") {
    const Schema schema = schema_named("step_request.schema.json");
    const JsonDocument index = reading::document(fixture("invalid/index.json"));
    CHECK(index.root().size() == protocol_fixtures::kInvalid.size());
    for (const auto& one : protocol_fixtures::kInvalid) {
        INFO(one.name);
        const JsonValue row = index.root().find(one.name);
        REQUIRE(row);
        const std::string path(row.find("path").string());
        CHECK(verdict(std::string(one.text)) == std::to_string(static_cast<int>(row.find("status").number())) + " " +
                                                    std::string(row.find("code").string()) +
                                                    (path.empty() ? "" : " " + path));
        if (!row.find("schema")) CHECK_FALSE(accepts(schema, one.text));
    }
}

TEST_CASE("Each bound holds at its limit and is refused one beyond, by the decoder and by the schema", "[protocol]") {
    const Schema schema = schema_named("step_request.schema.json");
    const JsonDocument document = reading::document(fixture("bounds.json"));
    for (const JsonValue bound : document.root().find("bounds").elements()) {
        const std::string path(bound.find("path").string());
        const auto least = static_cast<std::size_t>(bound.find("least").number());
        const auto most = static_cast<std::size_t>(bound.find("most").number());
        const std::string beyond = std::to_string(static_cast<int>(bound.find("status").number())) + " " +
                                   std::string(bound.find("code").string()) + " " + path;
        INFO(bound.find("base").string() << path);
        for (const std::size_t count : {least, most}) {
            CHECK(verdict(filled(bound, "x", count)) == "ok");
            CHECK(accepts(schema, filled(bound, "x", count)));
        }
        CHECK(verdict(filled(bound, "x", most + 1)) == beyond);
        CHECK_FALSE(accepts(schema, filled(bound, "x", most + 1)));
        if (least > 0) {
            CHECK(verdict(filled(bound, "x", least - 1)) == decode_error(path));
            CHECK_FALSE(accepts(schema, filled(bound, "x", least - 1)));
        }
    }
}

TEST_CASE("Lengths are UTF-16 units: a text outside the basic plane counts double, one inside it once", "[protocol]") {
    const JsonDocument document = reading::document(fixture("bounds.json"));
    for (const JsonValue bound : document.root().find("bounds").elements()) {
        if (bound.find("fill").string() != "text") continue;
        const std::string path(bound.find("path").string());
        const auto most = static_cast<std::size_t>(bound.find("most").number());
        INFO(path);
        CHECK(verdict(filled(bound, "\u4E2D", most)) == "ok");
        CHECK(verdict(filled(bound, "\u4E2D", most + 1)) == decode_error(path));
        CHECK(verdict(filled(bound, "\U0001F600", most / 2)) == "ok");
        CHECK(verdict(filled(bound, "\U0001F600", most / 2 + 1)) == decode_error(path));
        CHECK(verdict(filled(bound, "\\uD83D\\uDE00", 1)).substr(0, 2) == "ok");
    }
}

TEST_CASE("Every valid frame passes reader, writer and JSON Schema, every invalid one is refused by all",
          "[protocol]") {
    const Schema schema = schema_named("frame.schema.json");
    JsonReader reader;
    for (const std::string& line : lines_of(fixture("valid/frames.ndjson"))) {
        INFO(line);
        const auto frame = read_frame(*reader.read(line, {1u << 20, 128}));
        REQUIRE(frame);
        CHECK(frame->has_value());
        const auto encoded = encode_frame(line);
        REQUIRE(encoded);
        CHECK(*encoded == line + "\n");
        CHECK(accepts(schema, line));
    }
    const JsonDocument index = reading::document(fixture("invalid/frames_index.json"));
    const std::vector<std::string> lines = lines_of(fixture("invalid/frames.ndjson"));
    REQUIRE(index.root().size() == lines.size());
    std::size_t at = 0;
    for (const JsonValue path : index.root().elements()) {
        const std::string& line = lines[at++];
        INFO(line);
        const auto frame = read_frame(*reader.read(line, {1u << 20, 128}));
        REQUIRE_FALSE(frame);
        CHECK(frame.error().code == host_codes::kProtocolDecodeError);
        CHECK(frame.error().path == path.string());
        CHECK_FALSE(encode_frame(line));
        CHECK_FALSE(accepts(schema, line));
    }
}
