#include "domain_plane.h"

#include "host_protocol/json_out.h"

namespace viewcap::domain_table {

Plane& plane() {
    static Plane instance;
    return instance;
}

host_protocol::Error gone(std::string_view what) {
    return host_protocol::make_error("INVALID_DEFINITION", host_protocol::concat({"this ", what, " is gone"}));
}

std::string numbers(const std::vector<std::uint32_t>& list) {
    std::string out = "[";
    for (std::uint32_t number : list) {
        if (out.size() > 1) out += ',';
        out += std::to_string(number);
    }
    return out + ']';
}

std::string texts(const std::vector<std::string>& list) {
    std::string out = "[";
    for (const std::string& text : list) {
        if (out.size() > 1) out += ',';
        host_protocol::append_json_string(out, text);
    }
    return out + ']';
}

std::string ok(std::string_view members) { return host_protocol::concat({"{\"ok\":{", members, "}}"}); }

}  // namespace viewcap::domain_table
