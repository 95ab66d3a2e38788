// `pattern` runs in JavaScript's own RegExp: ECMA-262 exactly, and no regex library in the module.
#include <emscripten.h>
#include <map>

#include "boundary.h"

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
    for (var i = 0; i < bytes; i++) {
        var unit = HEAPU8[text + i];
        if (unit > 127 || i > 80) {
            spelled = new TextDecoder("utf-8", {ignoreBOM : true}).decode(HEAPU8.slice(text, text + bytes));
            break;
        }
        spelled += String.fromCharCode(unit);
    }
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
