#ifndef __EMSCRIPTEN__
#include "support/pattern_match.h"

#include <optional>
#include <regex>
#include <string>
#include <unordered_map>

namespace viewcap_test {
namespace {

// std::wregex knows \s for ASCII only, and neither \u{…}, surrogate pairs, \p nor group names: they are spelled out.
constexpr std::wstring_view kSpaces = L"\\t\\n\\v\\f\\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";
constexpr std::wstring_view kLetters =
    L"A-Za-z\u00AA\u00B5\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02C1\u0370-\u0373"
    L"\u0388-\u03FF\u0400-\u0481\u048A-\u052F\u05D0-\u05EA\u0620-\u064A"
    L"\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3";
constexpr std::wstring_view kDigits = L"0-9\u0660-\u0669\u06F0-\u06F9\u07C0-\u07C9\u0966-\u096F\u09E6-\u09EF";

std::wstring widened(std::string_view text) {
    std::wstring wide;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i++]);
        const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
        unsigned value = more == 0 ? lead : lead & (0x3Fu >> more);
        for (int k = 0; k < more && i < text.size(); ++k)
            value = (value << 6) | (static_cast<unsigned char>(text[i++]) & 0x3Fu);
        wide += static_cast<wchar_t>(value);
    }
    return wide;
}

class Translation {
  public:
    explicit Translation(std::wstring pattern) : in_(std::move(pattern)) {}

    std::optional<std::wstring> run() {
        for (; at_ < in_.size() && known_; ++at_) {
            const wchar_t c = in_[at_];
            if (c == L'\\') {
                escape();
            } else if (c == L'(' && in_.compare(at_, 3, L"(?<") == 0) {
                if (at_ + 3 < in_.size() && (in_[at_ + 3] == L'=' || in_[at_ + 3] == L'!')) return std::nullopt;
                out_ += L'(';
                at_ = in_.find(L'>', at_);
            } else {
                if (c == L'[' || c == L']') in_class_ = c == L'[';
                out_ += c;
            }
        }
        return known_ ? std::optional(out_) : std::nullopt;
    }

  private:
    void escape() {
        const wchar_t c = in_[++at_];
        if (c == L's' || c == L'S') return members(kSpaces, c == L'S');
        if (c == L'p' || c == L'P') return property(c == L'P');
        if (c == L'c') {
            out_ += static_cast<wchar_t>(in_[++at_] & 31);
            return;
        }
        if (c != L'u') {
            (out_ += L'\\') += c;
            return;
        }
        const bool braces = in_[at_ + 1] == L'{';
        const std::size_t end = braces ? in_.find(L'}', at_) : at_ + 5;
        const std::size_t from = at_ + (braces ? 2u : 1u);
        unsigned long value = std::stoul(in_.substr(from, end - from), nullptr, 16);
        at_ = braces ? end : end - 1;
        if (value >= 0xD800 && value < 0xDC00 && in_.compare(at_ + 1, 2, L"\\u") == 0) {
            value = 0x10000 + ((value - 0xD800) << 10) + (std::stoul(in_.substr(at_ + 3, 4), nullptr, 16) - 0xDC00);
            at_ += 6;
        }
        if (value < 128 && !std::isalnum(static_cast<int>(value))) out_ += L'\\';
        out_ += static_cast<wchar_t>(value);
    }

    void property(bool negated) {
        const std::size_t end = in_.find(L'}', at_);
        const std::wstring name = in_.substr(at_ + 2, end - at_ - 2);
        at_ = end;
        if (name == L"L" || name == L"Letter")
            members(kLetters, negated);
        else if (name == L"Nd")
            members(kDigits, negated);
        else
            known_ = false;
    }

    void members(std::wstring_view set, bool negated) {
        if (in_class_) {
            known_ = known_ && !negated;
            out_ += set;
        } else {
            ((out_ += negated ? L"[^" : L"[") += set) += L']';
        }
    }

    std::wstring in_, out_;
    std::size_t at_ = 0;
    bool in_class_ = false, known_ = true;
};

std::optional<std::wregex> compiled(std::string_view pattern) {
    try {
        if (const std::optional<std::wstring> translated = Translation(widened(pattern)).run())
            return std::wregex(*translated, std::regex::ECMAScript);
    } catch (const std::exception&) {
    }
    return std::nullopt;
}

}  // namespace

int pattern_match(std::string_view pattern, std::string_view text) {
    static std::unordered_map<std::string, std::optional<std::wregex>> known;
    auto at = known.find(std::string(pattern));
    if (at == known.end()) at = known.emplace(pattern, compiled(pattern)).first;
    if (!at->second) return -1;
    try {
        return std::regex_search(widened(text), *at->second) ? 1 : 0;
    } catch (const std::exception&) {
        return 0;
    }
}

}  // namespace viewcap_test
#endif
