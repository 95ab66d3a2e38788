#include "host_protocol/wire_names.h"

#include <algorithm>
#include <random>
#include <set>

#include "host_protocol/canonical_json.h"
#include "host_protocol/ids.h"
#include "reading.h"
#include "test_vectors.h"

using namespace host_protocol;

namespace {

JsonDocument vectors() { return reading::document(test_vectors::wire_names); }

std::vector<std::string> texts(JsonValue array) {
    std::vector<std::string> out;
    for (const JsonValue element : array.elements()) out.emplace_back(element.string());
    return out;
}

bool is_wire_name(std::string_view name) { return !name.empty() && name.size() <= 64 && is_instance_id(name); }

struct Entry {
    std::string id, instance_id;
};

std::vector<std::string> assign(const std::vector<Entry>& entries) {
    std::vector<WireNameEntry> views;
    for (const Entry& entry : entries) views.push_back({entry.id, entry.instance_id});
    return assign_wire_names(views);
}

void check_order_independence(std::vector<Entry> entries) {
    const std::vector<std::string> names = assign(entries);
    std::mt19937 random(3);
    for (int round = 0; round < 10; ++round) {
        std::vector<std::size_t> order(entries.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        std::vector<Entry> shuffled;
        for (const std::size_t i : order) shuffled.push_back(entries[i]);
        const std::vector<std::string> again = assign(shuffled);
        for (std::size_t i = 0; i < order.size(); ++i) REQUIRE(again[i] == names[order[i]]);
    }
}

}  // namespace

TEST_CASE("Faithful names go both ways", "[wire_names]") {
    const JsonDocument document = vectors();
    for (const JsonValue pair : document.root().find("faithful").elements()) {
        const std::vector<std::string> both = texts(pair);
        CHECK(encode_wire_name(both[0]) == both[1]);
        CHECK(decode_wire_name(both[1]) == both[0]);
    }
}

TEST_CASE("An instance qualifier is appended, and such a name has no decoding", "[wire_names]") {
    const JsonDocument document = vectors();
    for (const JsonValue triple : document.root().find("instances").elements()) {
        const std::vector<std::string> parts = texts(triple);
        CHECK(encode_wire_name_for_instance(parts[0], parts[1]) == parts[2]);
        CHECK_FALSE(decode_wire_name(parts[2]));
    }
    CHECK_FALSE(decode_wire_name(encode_wire_name_for_instance("view:a.b", "__x")));
    CHECK_FALSE(decode_wire_name(encode_wire_name_for_instance("view:a.b", "_")));
}

TEST_CASE("Shortened names fit, are deterministic and have no decoding at any level", "[wire_names]") {
    const JsonDocument document = vectors();
    for (const std::string& id : texts(document.root().find("shortened"))) {
        std::set<std::string> levels;
        for (int level = 0; level <= 2; ++level) {
            const std::string name = encode_wire_name_for_instance(id, {}, level);
            INFO("name: " << name);
            CHECK(is_wire_name(name));
            CHECK(name == encode_wire_name_for_instance(id, {}, level));
            CHECK(name.substr(name.size() - static_cast<std::size_t>(8 * level + 8) - 3, 3) == "_0_");
            CHECK_FALSE(decode_wire_name(name));
            levels.insert(name);
        }
        CHECK(levels.size() == 3);
        CHECK(encode_wire_name(id) == *std::min_element(levels.begin(), levels.end(), [](auto& a, auto& b) {
                  return a.size() - a.rfind("_0_") < b.size() - b.rfind("_0_");
              }));
    }
}

TEST_CASE("The hash of a shortened name is base32 of SHA-256 over id, instance and level", "[wire_names]") {
    CHECK(encode_wire_name("domain:a b") == "domain_a-b_0_k7i4adiy");
    CHECK(encode_wire_name_for_instance("domain:a b", "row-7", 1) == "domain_a-b_at_row-7_0_h6x6la56djgxtodj");
    CHECK(encode_wire_name_for_instance("view:a.b", {}, 2) == "view_a__b_0_wqvunuwqyq4axnm7n5yb335m");
    CHECK(encode_wire_name("domain:\xF0\x9F\x98\x80").substr(0, 11) == "domain_-_0_");
}

TEST_CASE("Names that nothing was faithfully encoded to have no decoding", "[wire_names]") {
    const JsonDocument document = vectors();
    for (const std::string& name : texts(document.root().find("notDecodable"))) {
        INFO("name: " << name);
        CHECK_FALSE(decode_wire_name(name));
    }
    for (const char* name : {"surface_discover", "view_a", "domain_", "domain__x", "view_a__b ", "view:a.b", "_", "a_",
                             "domain_a\xC3\xA9", "view_a__B", "view__a__b", "domain_a.b"})
        CHECK_FALSE(decode_wire_name(name));
    CHECK_FALSE(decode_wire_name(std::string_view("domain_a\0b", 10)));
    CHECK_FALSE(decode_wire_name("domain_" + std::string(58, 'x')));
    CHECK(decode_wire_name("domain_" + std::string(57, 'x')));
}

TEST_CASE("Names of every shared catalog are unique, fit and do not depend on order", "[wire_names]") {
    const JsonDocument document = vectors();
    for (const JsonValue catalog : document.root().find("catalogs").elements()) {
        std::vector<Entry> entries;
        for (const JsonValue entry : catalog.elements()) {
            const JsonValue instance = entry.find("instanceId");
            entries.push_back({std::string(entry.find("id").string()), instance ? std::string(instance.string()) : ""});
        }
        const std::vector<std::string> names = assign(entries);
        CHECK(std::set<std::string>(names.begin(), names.end()).size() == entries.size());
        for (const std::string& name : names) CHECK(is_wire_name(name));
        check_order_independence(entries);
    }
}

TEST_CASE("A capability that one instance serves keeps its plain name whatever the instance is called",
          "[wire_names]") {
    CHECK(assign({{"view:t.a", "x"}, {"view:t.b", "y"}}) == std::vector<std::string>{"view_t__a", "view_t__b"});
    CHECK(assign({{"view:t.a", "x"}, {"view:t.a", "y"}}) ==
          std::vector<std::string>{"view_t__a_at_x", "view_t__a_at_y"});
    CHECK(assign({}).empty());
}

TEST_CASE("Entries that would share a name all get a longer hash", "[wire_names]") {
    // The domain path spells what the shortened form of the other entry is: the two would share it.
    const std::string shortened = encode_wire_name_for_instance("domain:x", "a b", 0);
    const std::string hash = shortened.substr(shortened.rfind("_0_") + 3);
    const std::vector<Entry> entries = {{"domain:x", "a b"}, {"domain:x", "a-b_0_" + hash}};
    const std::vector<std::string> names = assign(entries);
    CHECK(names[0] == encode_wire_name_for_instance(entries[0].id, entries[0].instance_id, 1));
    CHECK(names[1] == encode_wire_name_for_instance(entries[1].id, entries[1].instance_id, 1));
    check_order_independence(entries);
}

TEST_CASE("Equal entries cannot be told apart: their names are withheld, the others stay", "[wire_names]") {
    const std::vector<std::string> names = assign({{"view:t.a", "x"}, {"view:t.b", ""}, {"view:t.a", "x"}});
    CHECK(names == std::vector<std::string>{"", "view_t__b", ""});
    check_order_independence({{"view:t.a", "x"}, {"view:t.b", ""}, {"view:t.a", "x"}, {"view:t.a", "y"}});
}

TEST_CASE("A thousand entries of hostile spellings get a thousand names in any order", "[wire_names]") {
    std::vector<Entry> entries;
    const char* const paths[] = {"a b", "a-b", "a/b", "a.b", "a_b", "a..b", "A.b", "\xC3\xA9", "at.x", "x_at_y"};
    for (std::size_t i = 0; i < 1000; ++i)
        entries.push_back(
            {std::string("domain:") + paths[i % 10] + std::to_string(i / 20), i % 20 < 10 ? "left" : "right"});
    const std::vector<std::string> names = assign(entries);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 1000);
    for (const std::string& name : names) REQUIRE(is_wire_name(name));
    check_order_independence(entries);
}
