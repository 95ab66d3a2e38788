// Mailboxes and URIs, by the letter of RFC 5321 §4.1.2 and RFC 3986 appendix A.
#include <cstddef>

#include "schema/formats.h"

namespace host_protocol::schema_detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_one_of(char c, std::string_view set) { return c != '\0' && set.find(c) != std::string_view::npos; }

bool is_atom_char(char c) { return is_alpha(c) || is_digit(c) || is_one_of(c, "!#$%&'*+-/=?^_`{|}~"); }

bool is_dot_atom(std::string_view text) {
    bool after_dot = true;
    for (char c : text) {
        if (c == '.' && after_dot) return false;
        if (c != '.' && !is_atom_char(c)) return false;
        after_dot = c == '.';
    }
    return !after_dot;
}

bool is_quoted_local(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') return false;
        if (text[i] == '\\' && ++i == text.size()) return false;
        if (text[i] < 32 || text[i] > 126) return false;
    }
    return true;
}

bool is_host_name(std::string_view text) {
    if (text.empty() || text.size() > 255) return false;
    while (!text.empty()) {
        const std::size_t dot = text.find('.');
        const std::string_view label = text.substr(0, dot);
        if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') return false;
        for (char c : label)
            if (!is_alpha(c) && !is_digit(c) && c != '-') return false;
        if (dot == std::string_view::npos) return true;
        text.remove_prefix(dot + 1);
    }
    return false;
}

bool is_mail_domain(std::string_view text) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return is_host_name(text);
    text = text.substr(1, text.size() - 2);
    return text.substr(0, 5) == "IPv6:" ? is_ipv6(text.substr(5)) : is_ipv4(text);
}

/// Characters of `extra`, unreserved ones, sub-delimiters and percent triplets.
bool is_uri_text(std::string_view text, std::string_view extra) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
            i += 2;
        } else if (!is_alpha(c) && !is_digit(c) && !is_one_of(c, "-._~!$&'()*+,;=") && !is_one_of(c, extra)) {
            return false;
        }
    }
    return true;
}

bool is_future_address(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos || dot < 2 || dot + 1 == text.size() || !is_one_of(text[0], "vV")) return false;
    for (char c : text.substr(1, dot - 1))
        if (!is_hex(c)) return false;
    const std::string_view address = text.substr(dot + 1);
    return address.find('%') == std::string_view::npos && is_uri_text(address, ":");
}

bool is_authority(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
        if (!is_uri_text(text.substr(0, at), ":")) return false;
        text.remove_prefix(at + 1);
    }
    std::string_view port;
    if (!text.empty() && text[0] == '[') {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) return false;
        const std::string_view address = text.substr(1, end - 1);
        if (!is_ipv6(address) && !is_future_address(address)) return false;
        port = text.substr(end + 1);
        if (!port.empty() && port[0] != ':') return false;
    } else {
        const std::size_t colon = text.find(':');
        if (!is_uri_text(text.substr(0, colon), "")) return false;
        if (colon != std::string_view::npos) port = text.substr(colon);
    }
    for (char c : port.substr(port.empty() ? 0 : 1))
        if (!is_digit(c)) return false;
    return true;
}

bool is_scheme(std::string_view text) {
    if (text.empty() || !is_alpha(text[0])) return false;
    for (char c : text)
        if (!is_alpha(c) && !is_digit(c) && !is_one_of(c, "+-.")) return false;
    return true;
}

/// Number of 16-bit groups in a run of `h16:h16:…`, -1 when malformed; a trailing IPv4 address counts as two.
int count_groups(std::string_view text, bool may_end_in_ipv4) {
    if (text.empty()) return 0;
    for (int groups = 1;; ++groups) {
        const std::size_t colon = text.find(':');
        const std::string_view group = text.substr(0, colon);
        if (colon == std::string_view::npos && may_end_in_ipv4 && is_ipv4(group)) return groups + 1;
        if (group.empty() || group.size() > 4) return -1;
        for (char c : group)
            if (!is_hex(c)) return -1;
        if (colon == std::string_view::npos) return groups;
        text.remove_prefix(colon + 1);
    }
}

}  // namespace

bool is_ipv4(std::string_view text) {
    for (int part = 0; part < 4; ++part) {
        const std::size_t dot = text.find('.');
        const std::string_view octet = text.substr(0, dot);
        if (octet.empty() || octet.size() > 3 || (octet.size() > 1 && octet[0] == '0')) return false;
        int value = 0;
        for (char c : octet) {
            if (!is_digit(c)) return false;
            value = value * 10 + (c - '0');
        }
        if (value > 255 || (dot == std::string_view::npos) != (part == 3)) return false;
        if (part < 3) text.remove_prefix(dot + 1);
    }
    return true;
}

bool is_ipv6(std::string_view text) {
    const std::size_t gap = text.find("::");
    if (gap == std::string_view::npos) return count_groups(text, true) == 8;
    const int before = count_groups(text.substr(0, gap), false);
    const int after = count_groups(text.substr(gap + 2), true);
    return before >= 0 && after >= 0 && before + after <= 7;
}

bool is_email(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at == std::string_view::npos || at > 64) return false;
    const std::string_view local = text.substr(0, at);
    return (is_dot_atom(local) || is_quoted_local(local)) && is_mail_domain(text.substr(at + 1));
}

bool is_uri(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || !is_scheme(text.substr(0, colon))) return false;
    text.remove_prefix(colon + 1);
    const std::size_t hash = text.find('#');
    if (hash != std::string_view::npos && !is_uri_text(text.substr(hash + 1), ":@/?")) return false;
    text = text.substr(0, hash);
    const std::size_t question = text.find('?');
    if (question != std::string_view::npos && !is_uri_text(text.substr(question + 1), ":@/?")) return false;
    text = text.substr(0, question);
    if (text.substr(0, 2) == "//") {
        const std::size_t slash = text.find('/', 2);
        if (!is_authority(text.substr(2, slash == std::string_view::npos ? slash : slash - 2))) return false;
        text = slash == std::string_view::npos ? std::string_view{} : text.substr(slash);
    }
    return is_uri_text(text, ":@/");
}

}  // namespace host_protocol::schema_detail
