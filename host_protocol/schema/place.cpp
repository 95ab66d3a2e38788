#include "schema/place.h"

#include <vector>

namespace host_protocol::schema_detail {

void append_pointer_token(std::string& out, std::string_view token) {
    out += '/';
    for (char c : token) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
}

std::string json_pointer(const Place& place) {
    std::vector<const Place*> chain;
    for (const Place* at = &place; at->up != nullptr; at = at->up) chain.push_back(at);
    std::string pointer;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        if ((*it)->index >= 0)
            append_pointer_token(pointer, std::to_string((*it)->index));
        else
            append_pointer_token(pointer, (*it)->key);
    }
    return pointer;
}

}  // namespace host_protocol::schema_detail
