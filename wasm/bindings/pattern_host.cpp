// `pattern` runs in JavaScript's own RegExp: ECMA-262 exactly, and no regex library in the module.
#include <emscripten.h>
#include <map>

#include "crossing.h"

// Compiles a pattern under a number; 1 when it compiles.
EM_JS(int, viewcap_compile_pattern, (int number, const char* pattern, int bytes), {
    var compiled = Module.viewcapPatterns || (Module.viewcapPatterns = []);
    var source = new TextDecoder("utf-8", {ignoreBOM : true}).decode(HEAPU8.slice(pattern, pattern + bytes));
    try {
        compiled[number] = new RegExp(source, "u");
        return 1;
    } catch (error) {
        return 0;
    }
});

// Short ASCII texts, nearly all that have a pattern, are spelled out: a TextDecoder costs several times as much for
// them.
EM_JS(int, viewcap_match_pattern, (int number, const char* text, int bytes), {
    var spelled = "";
    var end = text + bytes;
    var at = text;
    var seen = bytes > 80 ? 128 : 0;
    // Eight units at a time: each concatenation makes a string.
    for (; seen < 128 && at + 8 <= end; at += 8) {
        var a = HEAPU8[at], b = HEAPU8[at + 1], c = HEAPU8[at + 2], d = HEAPU8[at + 3];
        var e = HEAPU8[at + 4], f = HEAPU8[at + 5], g = HEAPU8[at + 6], h = HEAPU8[at + 7];
        seen |= a | b | c | d | e | f | g | h;
        spelled += String.fromCharCode(a, b, c, d, e, f, g, h);
    }
    for (; seen < 128 && at < end; at++) {
        seen |= HEAPU8[at];
        spelled += String.fromCharCode(HEAPU8[at]);
    }
    if (seen > 127) spelled = new TextDecoder("utf-8", {ignoreBOM : true}).decode(HEAPU8.slice(text, end));
    return Module.viewcapPatterns[number].test(spelled) ? 1 : 0;
});

namespace viewcap::boundary {
namespace {

/// More patterns than this and the table starts over; a page has few.
constexpr std::size_t kMaxPatterns = 1000;

using Numbers = std::map<std::string, int, std::less<>>;

/// The pattern's number, or -1 when it does not compile. A list of a thousand rows asks for one pattern a thousand
/// times: the last one is looked at first.
int pattern_number(std::string_view pattern) {
    static Numbers numbers;
    static Numbers::const_iterator last = numbers.end();
    if (last != numbers.end() && last->first == pattern) return last->second;
    last = numbers.find(pattern);
    if (last != numbers.end()) return last->second;
    if (numbers.size() >= kMaxPatterns) numbers.clear();
    int number = static_cast<int>(numbers.size());
    if (viewcap_compile_pattern(number, pattern.data(), static_cast<int>(pattern.size())) == 0) number = -1;
    last = numbers.emplace(pattern, number).first;
    return number;
}

}  // namespace

int match_pattern(std::string_view pattern, std::string_view text) {
    const int number = pattern_number(pattern);
    return number < 0 ? -1 : viewcap_match_pattern(number, text.data(), static_cast<int>(text.size()));
}

}  // namespace viewcap::boundary
