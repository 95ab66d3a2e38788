// embind, and nlohmann's document read and written.
#include <emscripten/bind.h>
#include <nlohmann/json.hpp>

#include "echo.h"

static std::string reread(const std::string& text) {
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    return document.is_discarded() ? std::string() : echo(document.dump());
}

EMSCRIPTEN_BINDINGS(probe) { emscripten::function("reread", &reread); }
