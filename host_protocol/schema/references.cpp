#include "schema/references.h"

#include <string>

#include "schema/hex.h"

namespace host_protocol::schema_detail {
namespace {

bool percent_decode(std::string_view text, std::string& out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return false;
        const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
        if (high < 0 || low < 0) return false;
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return true;
}

bool unescape_token(std::string_view token, std::string& out) {
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '~') {
            out += token[i];
            continue;
        }
        if (i + 1 >= token.size() || (token[i + 1] != '0' && token[i + 1] != '1')) return false;
        out += token[++i] == '0' ? '~' : '/';
    }
    return true;
}

JsonValue element_at(JsonValue array, std::string_view token) {
    if (token.empty() || token.size() > 6 || (token.size() > 1 && token[0] == '0')) return {};
    std::uint32_t wanted = 0;
    for (char c : token) {
        if (c < '0' || c > '9') return {};
        wanted = wanted * 10 + static_cast<std::uint32_t>(c - '0');
    }
    std::uint32_t at = 0;
    for (JsonValue element : array.elements())
        if (at++ == wanted) return element;
    return {};
}

}  // namespace

JsonValue resolve_reference(JsonValue root, std::string_view reference) {
    std::string pointer;
    if (reference.empty() || reference[0] != '#' || !percent_decode(reference.substr(1), pointer)) return {};
    if (pointer.empty()) return root;
    if (pointer[0] != '/') return {};
    JsonValue at = root;
    std::string_view rest = std::string_view(pointer).substr(1);
    for (;;) {
        const std::size_t slash = rest.find('/');
        std::string token;
        if (!unescape_token(rest.substr(0, slash), token)) return {};
        at = at.is(JsonType::array) ? element_at(at, token) : at.find(token);
        if (!at || slash == std::string_view::npos) return at;
        rest.remove_prefix(slash + 1);
    }
}

}  // namespace host_protocol::schema_detail
