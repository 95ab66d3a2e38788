// Walks over procedures as the glue writes them, and what a registry makes of them.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "domain/registry.h"
#include "host_protocol/json_text.h"

namespace domain_test {

inline host_protocol::JsonDocument json(const std::string& text) {
    auto read = host_protocol::JsonDocument::read(text, {std::size_t{1} << 26, 128});
    INFO(text);
    REQUIRE(read);
    return std::move(*read);
}

/// JavaScript's values that are no JSON.
inline std::string fact(const std::string& word) { return R"({"$is":")" + word + R"("})"; }
inline const std::string kFunction = fact("function");

/// Valid metadata of a read; `more` are members with a leading comma.
inline std::string meta(const std::string& more = "", const std::string& expose = "{}",
                        const std::string& side_effect = "read") {
    return R"({"description":"What it does.","expose":)" + expose + R"(,"sideEffect":")" + side_effect +
           R"(","risk":"low")" + more + "}";
}
inline std::string exposed(const std::string& surfaces, const std::string& more = "",
                           const std::string& side_effect = "read") {
    return meta(more, surfaces, side_effect);
}

/// The segments of a dotted id, as JSON.
inline std::string path_of(const std::string& id) {
    std::string out = "[\"";
    for (char c : id) {
        if (c == '.')
            out += "\",\"";
        else
            out += c;
    }
    return out + "\"]";
}
/// `more` are members with a leading comma.
inline std::string node(const std::string& path, const std::string& kind, const std::string& more = "") {
    return R"({"path":)" + path + R"(,"kind":")" + kind + "\"" + more + "}";
}
inline std::string procedure(const std::string& id, const std::string& meta_text, const std::string& input = "none",
                             const std::string& output = "none") {
    return node(path_of(id), "procedure",
                R"(,"meta":)" + meta_text + R"(,"input":")" + input + R"(","output":")" + output + "\"");
}
inline std::string plain(const std::string& id) { return node(path_of(id), "procedure"); }

using Nodes = std::vector<std::string>;
using Texts = std::vector<std::string>;

inline domain::RegistryBuild start(const Nodes& nodes) {
    std::string text = R"({"nodes":[)";
    for (std::size_t at = 0; at < nodes.size(); ++at) text += (at == 0 ? "" : ",") + nodes[at];
    // The text is gone before the build goes on: nothing may point into it.
    const auto document = json(text + "]}");
    return domain::RegistryBuild(document.root());
}

/// The whole message of the refusal.
inline std::string refusal(domain::RegistryBuild& build) {
    const auto registry = build.finish();
    if (registry) return "built";
    CHECK(registry.error().code == "INVALID_DEFINITION");
    return registry.error().message;
}
inline std::string refusal(const Nodes& nodes) {
    auto build = start(nodes);
    return refusal(build);
}

/// The bullets of a refusal, whose first line counts them; none when it was built.
inline Texts bullets(const std::string& message) {
    Texts found;
    if (message == "built") return found;
    std::size_t at = message.find('\n');
    const std::string head = message.substr(0, at);
    while (at != std::string::npos) {
        const std::size_t next = message.find('\n', at + 1);
        const std::string line = message.substr(at + 1, next == std::string::npos ? next : next - at - 1);
        CHECK(line.substr(0, 2) == "- ");
        found.push_back(line.substr(2));
        at = next;
    }
    CHECK(head == "The capability registry cannot be built, " + std::to_string(found.size()) +
                      (found.size() == 1 ? " problem:" : " problems:"));
    return found;
}
inline Texts problems(const Nodes& nodes) { return bullets(refusal(nodes)); }
/// Of one capability "x" with these metadata, without its id.
inline Texts meta_problems(const std::string& meta_text) {
    Texts found = problems({procedure("x", meta_text)});
    for (std::string& problem : found) {
        CHECK(problem.substr(0, 5) == "\"x\": ");
        problem.erase(0, 5);
    }
    return found;
}

inline domain::SharedRegistry built(const Nodes& nodes) {
    auto registry = start(nodes).finish();
    if (!registry) INFO(registry.error().message);
    REQUIRE(registry);
    return *registry;
}
/// The one capability "x" with these metadata.
inline domain::SharedRegistry built_meta(const std::string& meta_text) { return built({procedure("x", meta_text)}); }

inline Texts ids(const domain::CapabilityRegistry& registry) {
    Texts found;
    for (std::uint32_t at = 0; at < registry.size(); ++at) found.push_back(registry.at(at).id);
    return found;
}

}  // namespace domain_test
