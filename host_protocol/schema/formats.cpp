#include "schema/formats.h"

namespace host_protocol::schema_detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number in text[at, at + digits), -1 when one of them is no digit.
int digits_at(std::string_view text, std::size_t at, std::size_t digits) {
    if (at + digits > text.size()) return -1;
    int value = 0;
    for (std::size_t i = at; i < at + digits; ++i) {
        if (!is_digit(text[i])) return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

bool is_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    const int year = digits_at(text, 0, 4), month = digits_at(text, 5, 2), day = digits_at(text, 8, 2);
    if (year < 0 || month < 1 || month > 12 || day < 1) return false;
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day <= kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

/// Minutes east of UTC; the offset must fill the whole of `text`.
bool read_offset(std::string_view text, int& minutes) {
    minutes = 0;
    if (text.size() == 1) return text[0] == 'Z' || text[0] == 'z';
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return false;
    const int hour = digits_at(text, 1, 2), minute = digits_at(text, 4, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return false;
    minutes = (hour * 60 + minute) * (text[0] == '-' ? -1 : 1);
    return true;
}

bool is_time(std::string_view text) {
    if (text.size() < 9 || text[2] != ':' || text[5] != ':') return false;
    const int hour = digits_at(text, 0, 2), minute = digits_at(text, 3, 2), second = digits_at(text, 6, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
    std::size_t at = 8;
    if (text[at] == '.') {
        const std::size_t first = ++at;
        while (at < text.size() && is_digit(text[at])) ++at;
        if (at == first) return false;
    }
    int offset = 0;
    if (!read_offset(text.substr(at), offset)) return false;
    // A leap second is the last second of a UTC day, whatever the local clock shows (RFC 3339 §5.7).
    constexpr int kDay = 24 * 60;
    return second < 60 || (hour * 60 + minute - offset + kDay) % kDay == kDay - 1;
}

bool is_date_time(std::string_view text) {
    return text.size() > 11 && (text[10] == 'T' || text[10] == 't') && is_date(text.substr(0, 10)) &&
           is_time(text.substr(11));
}

bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            if (c != '-') return false;
        } else if (!is_digit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) {
            return false;
        }
    }
    return true;
}

struct FormatRow {
    std::string_view name;
    Format format;
};
constexpr FormatRow kFormats[] = {{"date-time", Format::date_time}, {"date", Format::date},   {"time", Format::time},
                                  {"uuid", Format::uuid},           {"email", Format::email}, {"uri", Format::uri}};

}  // namespace

Format format_named(std::string_view name) {
    for (const FormatRow& row : kFormats)
        if (row.name == name) return row.format;
    return Format::none;
}

std::string_view format_name(Format format) {
    for (const FormatRow& row : kFormats)
        if (row.format == format) return row.name;
    return {};
}

bool matches_format(Format format, std::string_view text) {
    switch (format) {
        case Format::none: return true;
        case Format::date_time: return is_date_time(text);
        case Format::date: return is_date(text);
        case Format::time: return is_time(text);
        case Format::uuid: return is_uuid(text);
        case Format::email: return is_email(text);
        case Format::uri: return is_uri(text);
    }
    return false;
}

}  // namespace host_protocol::schema_detail
