// `pattern` runs in JavaScript's own RegExp: ECMA-262 exactly, and no regex library in the module.
#include <emscripten.h>

#include "boundary.h"

// Compiled patterns are kept by their text; a page has few. 1 found, 0 not found, -1 the pattern does not compile.
EM_JS(int, viewcap_match_pattern, (const char* pattern, int pattern_bytes, const char* text, int text_bytes), {
    var cache = Module.viewcapPatterns || (Module.viewcapPatterns = new Map());
    var decoder = Module.viewcapDecoder || (Module.viewcapDecoder = new TextDecoder("utf-8", { ignoreBOM: true }));
    var source = decoder.decode(HEAPU8.slice(pattern, pattern + pattern_bytes));
    var expression = cache.get(source);
    if (expression === undefined) {
        try {
            expression = new RegExp(source, "u");
        } catch (error) {
            expression = null;
        }
        if (cache.size >= 1000) cache.clear();
        cache.set(source, expression);
    }
    if (expression === null) return -1;
    return expression.test(decoder.decode(HEAPU8.slice(text, text + text_bytes))) ? 1 : 0;
});

namespace viewcap::boundary {

int match_pattern(std::string_view pattern, std::string_view text) {
    return viewcap_match_pattern(pattern.data(), static_cast<int>(pattern.size()), text.data(), static_cast<int>(text.size()));
}

}  // namespace viewcap::boundary
