// Writing of JSON scalars; the forms are RFC 8785's, which are ECMAScript's.
#include <cmath>

#include "host_protocol/json_text.h"
#include "shortest_digits.h"
#include "utf8.h"

namespace host_protocol {
namespace {

constexpr double kExactIntegerLimit = 9007199254740992.0;
constexpr int kPlainPointMax = 21;  // ECMAScript writes an exponent from 1e21 on and below 1e-6
constexpr int kPlainPointMin = -5;

void append_integer(std::string& out, std::uint64_t value) {
    char digits[20];
    char* const end = digits + sizeof digits;
    char* at = end;
    do {
        *--at = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    out.append(at, end);
}

void append_exponent_form(std::string& out, const ShortestDigits& number) {
    out.push_back(number.digits[0]);
    if (number.count > 1) {
        out.push_back('.');
        out.append(number.digits.data() + 1, static_cast<std::size_t>(number.count - 1));
    }
    const int exponent = number.point - 1;
    out.append(exponent < 0 ? "e-" : "e+");
    append_integer(out, static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
}

void append_plain_form(std::string& out, const ShortestDigits& number) {
    const char* const digits = number.digits.data();
    const auto count = static_cast<std::size_t>(number.count);
    if (number.point <= 0) {
        out.append("0.");
        out.append(static_cast<std::size_t>(-number.point), '0');
        out.append(digits, count);
        return;
    }
    const auto point = static_cast<std::size_t>(number.point);
    if (count <= point) {
        out.append(digits, count);
        out.append(point - count, '0');
        return;
    }
    out.append(digits, point);
    out.push_back('.');
    out.append(digits + point, count - point);
}

bool needs_escape(char c) { return utf8::byte(c) < 0x20 || c == '"' || c == '\\'; }

void append_escape(std::string& out, char c) {
    constexpr std::string_view kNamed = "\b\t\n\f\r\"\\";
    constexpr std::string_view kLetters = "btnfr\"\\";
    constexpr std::string_view kHex = "0123456789abcdef";
    out.push_back('\\');
    const std::size_t named = kNamed.find(c);
    if (named != std::string_view::npos) {
        out.push_back(kLetters[named]);
        return;
    }
    out.append("u00");
    out.push_back(kHex[utf8::byte(c) >> 4]);
    out.push_back(kHex[utf8::byte(c) & 15u]);
}

}  // namespace

void append_json_number(std::string& out, double value) {
    if (value == 0) {
        out.push_back('0');
        return;
    }
    if (value < 0) {
        out.push_back('-');
        value = -value;
    }
    if (value <= kExactIntegerLimit && value == std::trunc(value)) {
        append_integer(out, static_cast<std::uint64_t>(value));
        return;
    }
    const ShortestDigits number = shortest_digits(value);
    if (number.point > kPlainPointMax || number.point < kPlainPointMin) {
        append_exponent_form(out, number);
    } else {
        append_plain_form(out, number);
    }
}

void append_json_string(std::string& out, std::string_view text) {
    out.push_back('"');
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!needs_escape(text[at])) continue;
        out.append(text.substr(copied, at - copied));
        append_escape(out, text[at]);
        copied = at + 1;
    }
    out.append(text.substr(copied));
    out.push_back('"');
}

}  // namespace host_protocol
