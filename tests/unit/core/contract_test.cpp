#include "host_protocol/vocabulary.h"
#include "surface.h"
#include "viewcap/manifest.h"

namespace {

using namespace viewcap_test;
namespace codes = host_protocol::definition_codes;

std::string with_actions(const std::string& actions) {
    return R"({"type":"a.b","description":"d","actions":)" + actions + "}";
}

/// The error of interning `contract`.
host_protocol::Error refusal(const std::string& contract, const std::string& options = "") {
    TestSurface surface(options);
    const auto read = document(contract);
    auto interned = surface.registry->intern_contract(read.root(), {});
    INFO(contract);
    REQUIRE_FALSE(interned);
    return interned.error();
}

TEST_CASE("a contract's faults are refused with their code and a message that names component, capability and field") {
    struct Row {
        std::string contract;
        std::string_view code;
        const char* named;
    };
    const Row rows[] = {
        {R"({"type":"A.b","description":"d"})", codes::kInvalidId, "type"},
        {R"({"description":"d"})", codes::kInvalidId, "type"},
        {R"([])", codes::kInvalidDefinition, "object"},
        {R"({"type":"a.b"})", codes::kInvalidDefinition, "description"},
        {R"({"type":"a.b","description":""})", codes::kInvalidDefinition, "description"},
        {R"({"type":"a.b","description":7})", codes::kInvalidDefinition, "a number"},
        {R"({"type":"a.b","description":"d","colour":1})", codes::kInvalidDefinition, "colour"},
        {R"({"type":"a.b","description":"d","meta":[1]})", codes::kInvalidDefinition, "meta"},
        {R"({"type":"a.b","description":"d","priority":"high"})", codes::kInvalidDefinition, "priority"},
        {R"({"type":"a.b","description":"d","tags":[1]})", codes::kInvalidDefinition, "tags"},
        {R"({"type":"a.b","description":")" + std::string(501, 'x') + "\"}", codes::kLimitExceeded, "501"},
        {R"({"type":"a.b","description":"d","meta":{"x":")" + std::string(2048, 'x') + "\"}}", codes::kLimitExceeded,
         "2048"},
        {with_actions(R"({"Run":{"description":"d","effect":"local-state"}})"), codes::kInvalidId, "Run"},
        {with_actions(R"({"a_b":{"description":"d","effect":"local-state"}})"), codes::kInvalidId, "a_b"},
        {with_actions(R"({"run":{"effect":"local-state"}})"), codes::kInvalidDefinition, "action 'run'"},
        {with_actions(R"({"run":{"description":"d"}})"), codes::kInvalidDefinition, "effect"},
        {with_actions(R"({"run":{"description":"d","effect":"magic"}})"), codes::kInvalidDefinition, "magic"},
        {with_actions(R"({"run":{"description":"d","effect":"destructive"}})"), codes::kPlaneViolation, "destructive"},
        {with_actions(R"({"run":{"description":"d","effect":"server-query"}})"), codes::kPlaneViolation, "domain"},
        {with_actions(R"({"run":{"description":"d","effect":"local-state","confirmation":"maybe"}})"),
         codes::kInvalidDefinition, "confirmation"},
        {with_actions(R"({"run":{"description":"d","effect":"local-state","timeoutMs":0}})"), codes::kInvalidDefinition,
         "timeoutMs"},
        {with_actions(R"({"run":{"description":"d","effect":"local-state","input":{"type":"object","allOf":[]}}})"),
         codes::kUnsupportedSchema, "allOf"},
        {with_actions(R"({"run":{"description":"d","effect":"local-state","input":true}})"), codes::kUnsupportedSchema,
         "input"},
        {with_actions(
             R"({"run":{"description":"d","effect":"local-state","input":{"type":"string","pattern":"^(a+)+$"}}})"),
         codes::kUnsupportedSchema, "pattern"},
        {with_actions(R"({"run":{"description":")" + std::string(301, 'x') + R"(","effect":"local-state"}})"),
         codes::kLimitExceeded, "301"},
        {R"({"type":"a.b","description":"d","observations":{"x":{"description":"d"}},"actions":{"x":{"description":"d","effect":"navigation"}}})",
         codes::kDuplicateCapability, "x"},
        {R"({"type":"a.b","description":"d","observations":{"x":{"description":"d","effect":"local-state"}}})",
         codes::kInvalidDefinition, "effect"},
    };
    for (const Row& row : rows) {
        const host_protocol::Error error = refusal(row.contract);
        INFO(row.contract << " → " << error.message);
        CHECK(error.code == row.code);
        CHECK(error.message.find(row.named) != std::string::npos);
    }
}

TEST_CASE("an id of more than 128 characters is refused") {
    const std::string type = "a." + std::string(120, 'b');
    CHECK(refusal(R"({"type":")" + type +
                  R"(","description":"d","actions":{"run":{"description":"d","effect":"navigation"}}})")
              .code == codes::kInvalidId);
}

TEST_CASE("an equal contract is interned once and a different one is another") {
    TestSurface surface;
    const auto first = surface.intern();
    CHECK(surface.intern() == first);
    CHECK(surface.intern(R"({"type":"invoices.pending","description":"Another."})") != first);
}

TEST_CASE("limits of a registry replace the defaults, and impossible ones are refused") {
    CHECK(refusal(R"({"type":"a.b","description":"four"})", R"("limits":{"maxComponentDescription":3})").code ==
          codes::kLimitExceeded);
    for (const char* limits :
         {R"({"maxInputBytes":0})", R"({"maxInputBytes":1.5})", R"({"maxInputBytes":"1"})", R"({"noSuchLimit":1})"}) {
        const auto options = document(R"({"surfaceId":"s","environment":"test","limits":)" + std::string(limits) + "}");
        const auto made = viewcap::Registry::create(options.root(), pattern_match);
        INFO(limits);
        REQUIRE_FALSE(made);
        CHECK(made.error().code == codes::kInvalidDefinition);
    }
}

TEST_CASE("production needs an authority, and an authority accepts exactly its contracts") {
    const auto bare = document(R"({"surfaceId":"s","environment":"production"})");
    REQUIRE_FALSE(viewcap::Registry::create(bare.root(), pattern_match));

    const auto contracts = document("[" + std::string(kInvoices) + "]");
    const auto manifest = viewcap::make_manifest(contracts.root());
    REQUIRE(manifest);
    TestSurface surface(R"("authority":)" + *manifest);
    CHECK(surface.intern() == 1);
    const auto stranger = document(R"({"type":"other.one","description":"d"})");
    const auto changed = document(R"({"type":"invoices.pending","description":"Changed."})");
    CHECK(surface.registry->intern_contract(stranger.root(), {}).error().code == codes::kInvalidDefinition);
    CHECK(surface.registry->intern_contract(changed.root(), {}).error().code == codes::kInvalidDefinition);
}

TEST_CASE("a manifest whose contract or hash was changed is refused, naming the place") {
    const auto contracts = document("[" + std::string(kInvoices) + "]");
    std::string text = *viewcap::make_manifest(contracts.root());
    const auto good = document(text);
    REQUIRE(viewcap::check_manifest(good.root()));
    text.replace(text.find("Narrow"), 6, "Widen!");
    const auto bad = document(text);
    const auto hashes = viewcap::check_manifest(bad.root());
    REQUIRE_FALSE(hashes);
    CHECK(hashes.error().path == "/contracts/invoices.pending/sha256");
}

}  // namespace
