// Text in and out by hand: a module without embind.
#include <emscripten/emscripten.h>

#include "echo.h"

extern "C" EMSCRIPTEN_KEEPALIVE const char* plain_echo(const char* text) {
    static std::string kept;
    kept = echo(text);
    return kept.c_str();
}
