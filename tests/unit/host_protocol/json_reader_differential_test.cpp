// The reader against a second one, on texts that nobody wrote by hand.
#include <nlohmann/json.hpp>
#include <random>

#include "reading.h"

using namespace host_protocol;

namespace {

class Texts {
  public:
    explicit Texts(std::uint32_t seed) : random_(seed) {}

    std::size_t below(std::size_t limit) { return random_() % limit; }

    void append_value(std::string& out, int depth) {
        append_space(out);
        switch (below(depth > 0 ? 9 : 6)) {
            case 0: out += "null"; break;
            case 1: out += below(2) ? "true" : "false"; break;
            case 2:
            case 3: append_number(out); break;
            case 4:
            case 5: append_string(out, below(12)); break;
            case 6: append_array(out, depth); break;
            default: append_object(out, depth); break;
        }
        append_space(out);
    }

    std::string mutate(std::string text) {
        constexpr std::string_view kBytes = "{}[]\",:\\u0019eE+-. \n\tdDafn\x80\xC3\xE2\xED\xA0\xF0\x9F\xFF";
        for (std::size_t i = 0, count = 1 + below(3); i < count && !text.empty(); ++i) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
                case 0: text.erase(at, 1 + below(3)); break;
                case 1: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
                case 2: text[at] = kBytes[below(kBytes.size())]; break;
                default: text.insert(at, text.substr(below(text.size()), below(6))); break;
            }
        }
        return text;
    }

  private:
    void append_space(std::string& out) {
        if (below(6) == 0) out.append(below(3), " \n\t\r"[below(4)]);
    }
    void append_number(std::string& out) {
        if (below(3) == 0) out += '-';
        out += below(4) ? std::to_string(random_() >> below(32)) : "0";
        if (below(2)) out += "." + std::to_string(random_()) + (below(3) ? "" : std::to_string(random_()));
        if (below(4) == 0)
            out += (below(2) ? "e" : "E") + std::string(below(2) ? "-" : "+") + std::to_string(below(330));
    }
    void append_string(std::string& out, std::size_t length) {
        constexpr std::array<const char*, 16> kParts = {"a",
                                                        "Z",
                                                        " ",
                                                        "\\n",
                                                        "\\\"",
                                                        "\\\\",
                                                        "\\u00e9",
                                                        "\\u0000",
                                                        "\xC3\xA9",
                                                        "\xE2\x82\xAC",
                                                        "\xF0\x9F\x98\x80",
                                                        "\\ud83d\\ude00",
                                                        "\\/",
                                                        "longer plain text",
                                                        "\x7F",
                                                        "\\uFFFF"};
        out += '"';
        for (std::size_t i = 0; i < length; ++i) out += kParts[below(kParts.size())];
        out += '"';
    }
    void append_array(std::string& out, int depth) {
        out += '[';
        for (std::size_t i = 0, count = below(5); i < count; ++i) {
            if (i != 0) out += ',';
            append_value(out, depth - 1);
        }
        out += ']';
    }
    void append_object(std::string& out, int depth) {
        out += '{';
        for (std::size_t i = 0, count = below(5); i < count; ++i) {
            if (i != 0) out += ',';
            append_string(out, 1 + below(4));
            out += ':';
            append_value(out, depth - 1);
        }
        out += '}';
    }

    std::mt19937 random_;
};

/// Whether both hold the same; walks with the second reader's tree. Objects have no key twice here.
bool same(JsonValue mine, const nlohmann::json& other) {
    switch (mine.type()) {
        case JsonType::null: return other.is_null();
        case JsonType::boolean: return other.is_boolean() && other.get<bool>() == mine.boolean();
        case JsonType::number: return other.is_number() && other.get<double>() == mine.number();
        case JsonType::string: return other.is_string() && other.get_ref<const std::string&>() == mine.string();
        default: break;
    }
    if (mine.size() != other.size() || other.is_array() != mine.is(JsonType::array)) return false;
    if (mine.is(JsonType::array)) {
        std::size_t at = 0;
        for (const JsonValue element : mine.elements()) {
            if (!same(element, other[at++])) return false;
        }
        return true;
    }
    for (const JsonMember member : mine.members()) {
        const auto found = other.find(std::string(member.key));
        if (found == other.end() || !same(member.value, *found)) return false;
    }
    return true;
}

/// The other reader's tree, or a discarded one. It takes a leading byte order mark; ours does not.
nlohmann::json other_reading(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

/// Faults that only our reader has a word for: the other one keeps the last of equal keys.
bool stricter_here(const Error& error) { return error.code == json_fault::kDuplicateKey; }

void compare(JsonReader& reader, const std::string& text) {
    INFO("text: " << text);
    const auto mine = reader.read(text, {1u << 20, 64});
    const nlohmann::json other = other_reading(text);
    if (!mine) {
        if (!stricter_here(mine.error())) REQUIRE(other.is_discarded());
        return;
    }
    REQUIRE_FALSE(other.is_discarded());
    REQUIRE(same(*mine, other));
}

}  // namespace

TEST_CASE("Ten thousand random texts are read as a second reader reads them", "[json_reader]") {
    Texts texts(20'260'301);
    JsonReader reader;
    for (int i = 0; i < 10'000; ++i) {
        std::string text;
        texts.append_value(text, 5);
        compare(reader, text);
    }
}

TEST_CASE("Ten thousand damaged texts are refused or read as a second reader does", "[json_reader]") {
    Texts texts(20'260'302);
    JsonReader reader;
    for (int i = 0; i < 10'000; ++i) {
        std::string text;
        texts.append_value(text, 3);
        compare(reader, texts.mutate(text));
    }
}
