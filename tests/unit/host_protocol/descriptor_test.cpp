#include "host_protocol/descriptor.h"

#include "reading.h"

using namespace host_protocol;

namespace {

std::string descriptor(const DescriptorSource& source, bool available, std::string_view reason) {
    const DescriptorTemplate parts = make_descriptor_template(source);
    std::string out = parts.head + "view_t__a" + parts.tail;
    append_availability(out, available, reason);
    return out;
}

}  // namespace

TEST_CASE("A descriptor is one object with its fields in the order of the specification", "[descriptor]") {
    const std::string text = descriptor(
        {"view:t.a", "view", "Narrow this \"table\".", R"({"type":"object"})", "local-state", "never"}, true, "");
    CHECK(text ==
          "{\"wireName\":\"view_t__a\",\"canonicalId\":\"view:t.a\",\"plane\":\"view\","
          "\"description\":\"[view \xC2\xB7 local-state] Narrow this \\\"table\\\".\","
          "\"inputSchema\":{\"type\":\"object\"},\"effect\":\"local-state\",\"confirmation\":\"never\",\"available\":"
          "true}");
    CHECK(reading::document(text).root().size() == 8);
}

TEST_CASE("Without a schema the input is the empty closed object", "[descriptor]") {
    const std::string text = descriptor({"view:t.a", "view", "d", "", "read", "never"}, true, "");
    CHECK(reading::document(text).root().find("inputSchema").raw() == kEmptyObjectSchema);
}

TEST_CASE("The description says that confirmation is required, and only then", "[descriptor]") {
    const auto described = [](std::string_view confirmation) {
        const std::string text = descriptor({"domain:x", "domain", "d", "", "destructive", confirmation}, true, "");
        return std::string(reading::document(text).root().find("description").string());
    };
    CHECK(described("required") == "[domain \xC2\xB7 destructive \xC2\xB7 requires confirmation] d");
    CHECK(described("optional") == "[domain \xC2\xB7 destructive] d");
    CHECK(described("never") == "[domain \xC2\xB7 destructive] d");
}

TEST_CASE("The stable half is the same whatever the availability", "[descriptor]") {
    const DescriptorSource source{"view:t.a", "view", "d", "", "read", "never"};
    const std::string open = descriptor(source, true, "");
    const std::string shut = descriptor(source, false, "Select a \"row\" first");
    CHECK(open.substr(0, open.find(",\"available\"")) == shut.substr(0, shut.find(",\"available\"")));
    const JsonDocument document = reading::document(shut);
    CHECK_FALSE(document.root().find("available").boolean());
    CHECK(document.root().find("unavailableReason").string() == "Select a \"row\" first");
}

TEST_CASE("A state entry carries a reason only when unavailable and a note only when there is one", "[descriptor]") {
    std::string out;
    append_state_entry(out, "domain_x", false, "Open it first", "live\ntext");
    CHECK(out ==
          R"({"wireName":"domain_x","available":false,"unavailableReason":"Open it first","note":"live\ntext"})");
    out.clear();
    append_state_entry(out, "domain_x", true, "unused", "");
    CHECK(out == R"({"wireName":"domain_x","available":true})");
}
