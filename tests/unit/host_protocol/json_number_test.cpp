#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "host_protocol/canonical_json.h"
#include "reading.h"

using namespace host_protocol;

namespace {

std::string written(double value) {
    std::string out;
    append_json_number(out, value);
    return out;
}

double read_number(std::string_view text) {
    INFO("text: " << text);
    JsonReader reader;
    const auto read = reader.read(text, {1u << 20, 32});
    REQUIRE(read);
    return read->number();
}

double of_bits(std::uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::size_t digit_count(const std::string& text) {
    std::string digits;
    for (char c : text.substr(0, text.find('e'))) {
        if (c >= '0' && c <= '9') digits += c;
    }
    const std::size_t first = digits.find_first_not_of('0');
    const std::size_t last = digits.find_last_not_of('0');
    return first == std::string::npos ? 0 : last - first + 1;
}

/// Significant digits that the C library needs for `value` to read back; shorter forms may exist only at powers of two.
std::size_t digits_needed(double value) {
    char text[64];
    for (int precision = 1; precision < 17; ++precision) {
        std::snprintf(text, sizeof text, "%.*e", precision - 1, value);
        if (std::strtod(text, nullptr) == value) return static_cast<std::size_t>(precision);
    }
    return 17;
}

}  // namespace

TEST_CASE("Numbers are written as ECMAScript writes them", "[json_number]") {
    const std::pair<double, const char*> cases[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {std::ldexp(1.0, -44), "5.684341886080802e-14"},
        {9007199254740991.0, "9007199254740991"},
        {9007199254740993.0, "9007199254740992"},
        {9007199254740994.0, "9007199254740994"},
        {123456789012345680000.0, "123456789012345680000"},
        {999999999999999900000.0, "999999999999999900000"},
        {1e21, "1e+21"},
        {1.5e21, "1.5e+21"},
        {1e-6, "0.000001"},
        {1e-7, "1e-7"},
        {1.25e-7, "1.25e-7"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3.0, "0.3333333333333333"},
        {9.5e-7, "9.5e-7"},
        {4.35, "4.35"},
        {1e23, "1e+23"},
        {9.999999999999999e22, "1e+23"},
        {2e-323, "2e-323"},
        {4e15 + 0.5, "4000000000000000.5"},
    };
    for (const auto& [value, text] : cases) CHECK(written(value) == text);
}

TEST_CASE("Every power of two and its neighbours is written as JavaScript writes it", "[json_number]") {
    // The digests are those of JavaScript's own String(2 ** k), joined by line feeds: at powers of two the doubles
    // below lie closer than those above, and the shortest digits differ from what any symmetric rule gives.
    std::string powers;
    for (int k = -1074; k <= 1023; ++k) powers += (k == -1074 ? "" : "\n") + written(std::ldexp(1.0, k));
    CHECK(sha256_hex(powers) == "2f251a067d4e7c3c4a2512831bbed978d5d82a527fc5bff3e19a7f9e1513e15e");

    // String(2 ** k * (1 + 2 ** -52)) and String(2 ** k * (2 - 2 ** -52)), alternating.
    std::string neighbours;
    for (int k = -1022; k <= 1023; ++k) {
        const double power = std::ldexp(1.0, k);
        neighbours += (k == -1022 ? "" : "\n") + written(power * (1 + std::ldexp(1.0, -52))) + "\n" +
                      written(power * (2 - std::ldexp(1.0, -52)));
    }
    CHECK(sha256_hex(neighbours) == "fb24df1bc94807fef3ef8da5450ed8f7924b4697fc481584288f6a4d1337b5ae");
}

TEST_CASE("Random doubles are written with the fewest digits and read back as themselves", "[json_number]") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20'000; ++i) {
        std::uint64_t bits = random();
        if (i % 2 == 0) bits = (bits & 0x800FFFFFFFFFFFFFu) | ((1023 - 40 + random() % 80) << 52);
        const double value = of_bits(bits);
        if (!std::isfinite(value)) continue;
        const std::string text = written(value);
        INFO("text: " << text);
        REQUIRE(read_number(text) == value);
        REQUIRE(std::strtod(text.c_str(), nullptr) == value);
        REQUIRE(digit_count(text) <= digits_needed(value));
    }
}

TEST_CASE("Decimals of every length are read to the nearest double", "[json_number]") {
    std::mt19937_64 random(11);
    for (int i = 0; i < 20'000; ++i) {
        std::string text = std::to_string(random() >> (random() % 64));
        if (i % 2 == 0) text += "." + std::to_string(random() >> (random() % 64)) + std::to_string(random());
        if (i % 3 != 0) text += "e" + std::to_string(static_cast<int>(random() % 640) - 340);
        const double expected = std::strtod(text.c_str(), nullptr);
        if (std::isfinite(expected)) REQUIRE(read_number(text) == expected);
    }
}

TEST_CASE("Decimals that lie halfway between two doubles round to even, and the smallest excess decides",
          "[json_number]") {
    CHECK(read_number("9007199254740993") == 9007199254740992.0);
    CHECK(read_number("9007199254740993.0000000000000000000000000000000000000000000000001") == 9007199254740994.0);
    CHECK(read_number("9007199254740995") == 9007199254740996.0);
    CHECK(read_number("9007199254740992.9999999999999999999999999999999999999999999999999") == 9007199254740992.0);
    // 2^-1075 is halfway between zero and the smallest subnormal; its 751 digits are exact.
    const std::string half =
        "2."
        "47032822920623272088284396434110686182529901307162382212792841250337753635104375932649918180817996189898282347"
        "72"
        "28588654633283551779698981993873980053909390631503565951557022639229085839244910518443593180284993653615250031"
        "93704"
        "57678249219365623669863658480757001585769269903706311928279558551332927834338409351978015531246597263579574622"
        "76646"
        "52728272200563740064854999770965994704540208281662262378573934507363390079677619305775067401763246736009689513"
        "40535"
        "53745851666113422376667860416215968046191446729184030053005753084904876539171138659164623952491262365388187963"
        "62393"
        "73280423891018672348497668235089863388587925628302755995657524455507255189313690836254779186948667994968324049"
        "70582"
        "1028513185451396213837722826145437693412532098591327667236328125";
    CHECK(read_number(half + "e-324") == 0.0);
    CHECK(read_number(half + "1e-324") == 5e-324);
    CHECK(read_number(half + std::string(2000, '0') + "1e-324") == 5e-324);
    CHECK(read_number("1.7976931348623158079e308") == std::numeric_limits<double>::max());
}

TEST_CASE("Leading and trailing zeros change nothing", "[json_number]") {
    CHECK(read_number("0." + std::string(400, '0') + "1e401") == 1.0);
    CHECK(read_number("1" + std::string(400, '0') + "e-400") == 1.0);
    CHECK(read_number("1.50" + std::string(1000, '0')) == 1.5);
    CHECK(read_number("1E+2") == 100.0);
    CHECK(read_number("0e0") == 0.0);
    CHECK(read_number("-0.0e-5") == 0.0);
}
