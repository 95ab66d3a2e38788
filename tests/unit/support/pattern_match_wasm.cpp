#ifdef __EMSCRIPTEN__
#include <emscripten.h>

#include "support/pattern_match.h"

// clang-format off
EM_JS(int, viewcap_test_match, (const char* pattern, int pattern_size, const char* text, int text_size), {
    const decoder = Module.viewcapDecoder || (Module.viewcapDecoder = new TextDecoder('utf-8', { ignoreBOM: true }));
    const known = Module.viewcapPatterns || (Module.viewcapPatterns = new Map());
    const source = decoder.decode(HEAPU8.subarray(pattern, pattern + pattern_size));
    if (!known.has(source)) {
        let compiled = null;
        try {
            compiled = new RegExp(source, 'u');
        } catch (e) {
            compiled = null;
        }
        known.set(source, compiled);
    }
    const compiled = known.get(source);
    if (compiled === null) return -1;
    return compiled.test(decoder.decode(HEAPU8.subarray(text, text + text_size))) ? 1 : 0;
});
// clang-format on

namespace viewcap_test {

int pattern_match(std::string_view pattern, std::string_view text) {
    return viewcap_test_match(pattern.data(), static_cast<int>(pattern.size()), text.data(),
                              static_cast<int>(text.size()));
}

}  // namespace viewcap_test
#endif
