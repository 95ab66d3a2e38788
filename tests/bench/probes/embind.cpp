// The same through embind.
#include <emscripten/bind.h>

#include "echo.h"

EMSCRIPTEN_BINDINGS(probe) { emscripten::function("echo", &echo); }
