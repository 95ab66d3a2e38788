// The formats of the profile, really checked: RFC 3339 dates and times, RFC 9562 UUIDs, RFC 5321 mailboxes, RFC 3986
// URIs.
#pragma once

#include <cstdint>
#include <string_view>

namespace host_protocol::schema_detail {

enum class Format : std::uint8_t { none, date_time, date, time, uuid, email, uri };

/// Format::none when `name` is not in the profile.
Format format_named(std::string_view name);
std::string_view format_name(Format format);
bool matches_format(Format format, std::string_view text);

bool is_email(std::string_view text);
bool is_uri(std::string_view text);
bool is_ipv4(std::string_view text);
bool is_ipv6(std::string_view text);

}  // namespace host_protocol::schema_detail
