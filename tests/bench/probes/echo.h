// The same small function behind each probe: what differs between the probes is the library that carries or reads it.
#pragma once

#include <string>

inline std::string echo(const std::string& text) { return text + text; }
