// Contracts of references to procedures: what is read, what follows from the effect, and the manifest's ceiling.
#include "contract/contract.h"
#include "procedures.h"
#include "viewcap/manifest.h"

namespace {

using namespace viewcap_test;
using viewcap::AuditLevel;
using viewcap::Capability;
using viewcap::Confirmation;

/// A procedure read without a registry.
std::unique_ptr<viewcap::Contract> read(const std::string& request) {
    viewcap::RegistryOptions options;
    options.schema.match = pattern_match;
    const auto text = document(request);
    auto contract = viewcap::read_procedure(text.root(), options);
    if (!contract) INFO(contract.error().message);
    REQUIRE(contract);
    return std::move(*contract);
}

std::string effect(const std::string& name, const std::string& more = "") {
    return disable(R"(,"effect":")" + name + "\"" + more);
}

std::string manifest(const std::string& effect_name, const std::string& more = "") {
    return R"(,"manifest":{"description":"d","effect":")" + effect_name + R"(","inputSchema":)" + kDisableInput + more +
           "}";
}

TEST_CASE("a procedure's one capability is named by its path and lies in the domain plane", "[core]") {
    TestSurface surface;
    const auto interned = try_intern(surface, reference_of(disable()));
    REQUIRE(interned);
    CHECK(interned->capabilities == std::vector<std::string>{"devices.disable"});
    const auto contract = read(reference_of(disable()));
    CHECK(contract->is_procedure());
    CHECK(contract->capabilities.front().plane() == "domain");
    CHECK(contract->capabilities.front().timeout_ms == 30000);
}

TEST_CASE("confirmation, idempotence and audit follow from the effect", "[core]") {
    const auto check = [](const char* name, bool idempotent, Confirmation confirmation, AuditLevel audit) {
        INFO(name);
        const auto contract = read(reference_of(effect(name)));
        const Capability& capability = contract->capabilities.front();
        CHECK(capability.idempotent == idempotent);
        CHECK(capability.confirmation == confirmation);
        CHECK(capability.audit == audit);
        CHECK(viewcap::effect_name(capability.effect) == name);
    };
    check("server-query", true, Confirmation::never, AuditLevel::metadata);
    check("server-mutation", false, Confirmation::optional, AuditLevel::metadata);
    check("external-side-effect", false, Confirmation::required, AuditLevel::full);
    check("destructive", false, Confirmation::required, AuditLevel::full);
}

TEST_CASE("a destructive procedure is never below optional, others may be", "[core]") {
    TestSurface surface;
    CHECK(refusal(surface, reference_of(effect("destructive", R"(,"confirmation":"never")")), "confirmation") ==
          "INVALID_DEFINITION");
    CHECK(
        read(reference_of(effect("destructive", R"(,"confirmation":"optional")")))->capabilities.front().confirmation ==
        Confirmation::optional);
    CHECK(read(reference_of(effect("external-side-effect", R"(,"confirmation":"never")")))
              ->capabilities.front()
              .confirmation == Confirmation::never);
}

TEST_CASE("a reference raises the contract's confirmation and never lowers it", "[core]") {
    TestSurface surface;
    CHECK(read(reference_of(effect("server-query"), R"(,"confirmation":"required")"))
              ->capabilities.front()
              .confirmation == Confirmation::required);
    CHECK(
        read(reference_of(effect("destructive"), R"(,"confirmation":"optional")"))->capabilities.front().confirmation ==
        Confirmation::required);
    CHECK(refusal(surface, reference_of(disable(), R"(,"confirmation":"never")")) == "INVALID_DEFINITION");
}

TEST_CASE("an id outside the domain plane's grammar is refused", "[core]") {
    TestSurface surface;
    const std::string long_id = "\"domain:" + std::string(122, 'x') + "\"";
    for (const std::string& id : std::vector<std::string>{R"("view:a.b")", R"("domain:")", R"("devices.disable")", "7",
                                                          "null", R"("domain:a\u0007")", long_id})
        CHECK(refusal(surface, R"({"procedure":{"id":)" + id + R"(,"description":"d","effect":"server-query"}})") ==
              "INVALID_ID");
    CHECK(refusal(surface, R"({"procedure":{"description":"d","effect":"server-query"}})", "without an id") ==
          "INVALID_ID");
    CHECK(refusal(surface, R"({"procedure":{"id":"domain:请求.处理 😀","description":"d","effect":"server-query"}})") ==
          "accepted");
}

TEST_CASE("unknown fields, view effects, missing texts and texts that are too long are refused by name", "[core]") {
    TestSurface surface;
    CHECK(refusal(surface, reference_of(disable(R"(,"effect":"server-query","colour":1)")), "colour") ==
          "INVALID_DEFINITION");
    CHECK(refusal(surface, reference_of(disable(), R"(,"colour":1)"), "colour") == "INVALID_DEFINITION");
    CHECK(refusal(surface, reference_of(disable(R"(,"effect":"local-state")")), "effect") == "INVALID_DEFINITION");
    CHECK(refusal(surface, reference_of(disable("")), "'effect' is missing") == "INVALID_DEFINITION");
    CHECK(refusal(surface, R"({"procedure":{"id":"domain:x","effect":"server-query"}})", "description") ==
          "INVALID_DEFINITION");
    CHECK(refusal(surface, R"({"procedure":7})") == "INVALID_DEFINITION");
    CHECK(refusal(surface, R"({"procedure":{"id":"domain:x","effect":"server-query","description":")" +
                               std::string(301, 'd') + "\"}}") == "LIMIT_EXCEEDED");
    CHECK(refusal(surface, reference_of(disable(R"(,"effect":"server-query","meta":{"m":")" + std::string(2048, 'm') +
                                                "\"}"))) == "LIMIT_EXCEEDED");
    CHECK(refusal(surface, reference_of(disable(R"(,"effect":"server-query","output":{"if":true})")), "output") ==
          "UNSUPPORTED_SCHEMA");
    CHECK(refusal(surface, reference_of(disable(), R"(,"bound":["ids",7])"), "bound") == "INVALID_DEFINITION");
}

TEST_CASE("a contract at its manifest's ceiling is accepted, however the schemas are written", "[core]") {
    TestSurface surface;
    CHECK(refusal(surface, reference_of(disable(), manifest("server-mutation"))) == "accepted");
    const std::string rewritten =
        R"(,"manifest":{"effect":"server-mutation","inputSchema":{"additionalProperties":false,"required":["ids","reason"],)"
        R"("properties":{"reason":{"type":"string"},"ids":{"description":"Device\u0020ids.","type":"array","items":{"type":"string"}}},)"
        R"("type":"object"}})";
    CHECK(refusal(surface, reference_of(disable(), rewritten)) == "accepted");
    CHECK(refusal(surface, reference_of(R"({"id":"domain:x","description":"d","effect":"server-query"})",
                                        R"(,"manifest":{"effect":"server-query"})")) == "accepted");
}

TEST_CASE("a contract that differs from its manifest's entry is refused, naming the field", "[core]") {
    TestSurface surface;
    const auto refused = [&](const std::string& contract, const std::string& entry, const char* named) {
        CHECK(refusal(surface, reference_of(contract, entry), named) == "INVALID_DEFINITION");
    };
    refused(disable(), manifest("destructive"), "'effect' is 'server-mutation'");
    refused(disable(), manifest("server-mutation", R"(,"requiresApproval":true)"), "'confirmation' is 'optional'");
    refused(disable(), manifest("server-mutation", R"(,"outputSchema":{"type":"null"})"), "'output' is missing");
    refused(disable(R"(,"effect":"server-mutation","output":{"type":"null"})"), manifest("server-mutation"),
            "'output' is another schema");
    refused(disable(), R"(,"manifest":{"effect":"server-mutation","inputSchema":{"type":"object"}})", "'input' is");
    refused(disable(), R"(,"manifest":{"effect":"server-mutation"})", "'input' is");
    refused(disable(), R"(,"manifest":7)", "manifest");
    CHECK(refusal(surface, reference_of(disable(R"(,"effect":"server-mutation","confirmation":"required")"),
                                        manifest("server-mutation", R"(,"requiresApproval":true)"))) == "accepted");
}

TEST_CASE("a reference's own confirmation does not lift a contract to its manifest", "[core]") {
    TestSurface surface;
    CHECK(refusal(surface,
                  reference_of(disable(), manifest("server-mutation", R"(,"requiresApproval":true)") +
                                              R"(,"confirmation":"required")"),
                  "confirmation") == "INVALID_DEFINITION");
}

TEST_CASE("locked keys leave what is advertised, and the merged input is checked against the whole", "[core]") {
    const auto contract = read(reference_of(disable(), R"(,"bound":["ids","ids","reason"],"overridable":["reason"])"));
    const Capability& capability = contract->capabilities.front();
    REQUIRE(capability.bound.size() == 2);
    CHECK(capability.bound[0].key == "ids");
    CHECK(capability.bound[0].locked);
    CHECK_FALSE(capability.bound[1].locked);
    CHECK(capability.full_input->text() == kDisableInput);
    CHECK(capability.input->validate(document("{}").root()).empty());
    CHECK_FALSE(capability.input->validate(document(R"({"ids":[]})").root()).empty());
    CHECK_FALSE(capability.full_input->validate(document("{}").root()).empty());
    CHECK(capability.full_input->validate(document(R"({"ids":["a"],"reason":"r"})").root()).empty());
}

TEST_CASE("while its keys are not known a reference advertises the empty closed object", "[core]") {
    const auto contract = read(reference_of(disable(), R"(,"unbound":true)"));
    CHECK(contract->capabilities.front().input->text() ==
          R"({"type":"object","properties":{},"additionalProperties":false})");
    CHECK(contract->capabilities.front().full_input->text() == kDisableInput);
}

TEST_CASE("a schema that no key can be taken out of is refused where something is or will be bound", "[core]") {
    TestSurface surface;
    const std::string open =
        R"({"id":"domain:x","description":"d","effect":"server-query","input":{"anyOf":[{"type":"object"}]}})";
    CHECK(refusal(surface, reference_of(open)) == "accepted");
    CHECK(refusal(surface, reference_of(open, R"(,"bound":[])")) == "accepted");
    CHECK(refusal(surface, reference_of(open, R"(,"bound":["a"])"), "'domain:x': 'input'") == "UNSUPPORTED_SCHEMA");
    CHECK(refusal(surface, reference_of(open, R"(,"unbound":true)")) == "UNSUPPORTED_SCHEMA");
}

TEST_CASE("the sentence about omission does not count against the schema's limit", "[core]") {
    const std::string wide =
        R"({"id":"domain:x","description":"d","effect":"server-query","input":{"type":"object","properties":{"a":{"description":")" +
        std::string(16300, 'd') + R"("}}}})";
    TestSurface surface;
    CHECK(refusal(surface, reference_of(wide, R"(,"bound":["a"],"overridable":["a"])")) == "accepted");
}

TEST_CASE("a value of any kind in any field of a reference's request is accepted or refused with a code", "[core]") {
    TestSurface surface;
    for (const char* field : {"procedure", "external", "manifest", "bound", "overridable", "unbound", "confirmation",
                              "concurrency", "id", "description", "input", "output", "effect", "meta"}) {
        for (const char* value : {"null", "true", "-1e308", "\"\"", "\"x\"", "[]", "[[]]", "[null]", "{}",
                                  R"({"type":{}})", R"({"effect":[],"inputSchema":7,"outputSchema":[]})"}) {
            INFO(field << ": " << value);
            const std::string member = ",\"" + std::string(field) + "\":" + value;
            const bool of_contract =
                std::string("id description input output effect meta").find(field) != std::string::npos;
            const std::string contract = of_contract ? "{\"x\":1" + member + "}" : disable();
            const std::string request = std::string(field) == "procedure" ? "{" + member.substr(1) + "}"
                                        : of_contract                     ? reference_of(contract)
                                                                          : reference_of(contract, member);
            CHECK(refusal(surface, request) != "");
        }
    }
}

TEST_CASE("equal references share one contract, another binding is another", "[core]") {
    TestSurface surface;
    const auto one = intern_reference(surface, reference_of(disable(), R"(,"bound":["ids"])"));
    CHECK(intern_reference(surface, reference_of(disable(), R"(,"bound":["ids"])")) == one);
    CHECK(intern_reference(surface, reference_of(disable(), R"(,"bound":["reason"])")) != one);
    CHECK(intern_reference(surface, reference_of(disable())) != one);
}

TEST_CASE("in production a procedure's contract is in the authority's manifest by id and hash", "[core]") {
    const auto contracts = document("[" + disable() + "]");
    auto authority = viewcap::make_manifest(contracts.root());
    REQUIRE(authority);
    const auto given =
        document(R"({"surfaceId":"srf_test","environment":"production","authority":)" + *authority + "}");
    auto made = viewcap::Registry::create(given.root(), pattern_match);
    REQUIRE(made);
    const auto intern = [&](const std::string& request) {
        const auto text = document(request);
        auto interned = (*made)->intern_procedure(text.root());
        return interned ? std::string("accepted") : interned.error().message;
    };
    CHECK(intern(reference_of(disable(), R"(,"bound":["ids"])")) == "accepted");
    CHECK(intern(reference_of(disable(R"(,"effect":"server-query")"))).find("differs") != std::string::npos);
    CHECK(intern(R"({"procedure":{"id":"domain:x","description":"d","effect":"server-query"}})")
              .find("procedure 'domain:x': its contract is not in the authority's manifest") == 0);
}

}  // namespace
