// Who an event names, and what it says of a listing.
#include "domain/audit.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::ActorFacts;

ActorFacts actor(const std::string& facts) {
    // The text is gone before the actor is looked at.
    const auto document = json(facts);
    return domain::read_actor(document.root());
}
void check_actor(const std::string& facts, const std::string& id, const std::string& kind, bool well_formed) {
    INFO(facts);
    const ActorFacts read = actor(facts);
    CHECK(read.id == id);
    CHECK(read.kind == kind);
    CHECK(read.is_well_formed == well_formed);
}

TEST_CASE("an actor with a non-empty id and one of the four kinds is well-formed, whatever else it has", "[domain]") {
    for (const std::string kind : {"user", "service", "automation", "anonymous"}) {
        check_actor(R"({"id":"a","kind":")" + kind + "\"}", "a", kind, true);
        check_actor(R"({"kind":")" + kind + R"(","displayName":7,"attributes":{"$is":"function"},"id":" "})", " ", kind,
                    true);
    }
}

TEST_CASE("a malformed actor is anonymous, and unknown unless its id is text", "[domain]") {
    for (const std::string none : {"null", "true", "7", R"("u1")", "[]", R"(["u1","user"])", R"({"$is":"function"})",
                                   R"({"$is":"undefined"})", R"({"$is":"unreadable"})", "{}"})
        check_actor(none, "unknown", "anonymous", false);
    CHECK(domain::read_actor({}).id == "unknown");
    CHECK_FALSE(domain::read_actor({}).is_well_formed);
    for (const std::string id : {"null", "7", "true", "[]", R"(["a"])", "{}", R"({"$is":"symbol"})"})
        for (const std::string kind : {"", R"(,"kind":"user")", R"(,"kind":7)"})
            check_actor(R"({"id":)" + id + kind + "}", "unknown", "anonymous", false);
    check_actor(R"({"kind":"user"})", "unknown", "anonymous", false);
    for (const std::string kind : {"null", "7", R"("")", R"("User")", R"("admin")", R"(["user"])", R"({"$is":"NaN"})"})
        check_actor(R"({"id":"u1","kind":)" + kind + "}", "u1", "anonymous", false);
    check_actor(R"({"id":"u1"})", "u1", "anonymous", false);
    check_actor(R"({"id":"","kind":"user"})", "", "anonymous", false);
    check_actor(R"({"id":"unknown","kind":"user"})", "unknown", "user", true);
}

TEST_CASE("an event names id and kind of a malformed actor and nothing else of it", "[domain]") {
    const ActorFacts odd = actor(R"({"id":"x","kind":"root","displayName":"secret","attributes":{"token":"secret"}})");
    domain::AuditLog log;
    log.listen(true);
    log.started({"direct", &odd, "e", {}, {}, {}}, "", 0);
    log.started({"direct", nullptr, {}, {}, {}, {}}, "", 0);
    CHECK(log.take() == R"([{"type":"capability.started","timestamp":0,"surface":"direct",)"
                        R"("actor":{"id":"x","kind":"anonymous"},"executionId":"e","data":{"attempt":1}},)"
                        R"({"type":"capability.started","timestamp":0,"surface":"direct",)"
                        R"("actor":{"id":"unknown","kind":"anonymous"},"data":{"attempt":1}}])");
}

std::string discovered(const std::vector<std::string_view>& ids, bool verbose) {
    const ActorFacts user{"u1", domain::actor_kinds::kUser, true};
    domain::AuditLog log;
    log.listen(true);
    log.discovered("aiSdk", user, ids, verbose, 9);
    return log.take();
}
std::string digest(const std::vector<std::string_view>& ids) {
    const auto read = json(discovered(ids, false));
    return std::string((*read.root().elements().begin()).find("data").find("digest").string());
}

TEST_CASE("discovered carries count, surface and digest, and the ids in order only when verbose", "[domain]") {
    const std::string head = R"([{"type":"capabilities.discovered","timestamp":9,"surface":"aiSdk",)"
                             R"("actor":{"id":"u1","kind":"user"},"data":{"count":2,"surface":"aiSdk","digest":")" +
                             digest({"b", "a"}) + "\"";
    CHECK(discovered({"b", "a"}, false) == head + "}}]");
    CHECK(discovered({"b", "a"}, true) == head + R"(,"capabilityIds":["b","a"]}}])");
    CHECK(discovered({}, true).find(R"("count":0,"surface":"aiSdk","digest":")" + digest({}) +
                                    R"(","capabilityIds":[]})") != std::string::npos);
}

TEST_CASE("the digest is the same for the same ids in any order and another one for other ids", "[domain]") {
    CHECK(digest({"a", "b", "c"}) == digest({"c", "a", "b"}));
    CHECK(digest({"a", "b", "c"}) == digest({"b", "c", "a"}));
    const std::vector<std::vector<std::string_view>> different = {
        {}, {""}, {"a"}, {"a", "b"}, {"ab"}, {"a,b"}, {"a\",\"b"}, {"a\nb"}, {"a", "b", "c"}, {"a", "bc"}, {"b"}};
    for (std::size_t one = 0; one < different.size(); ++one) {
        const std::string text = digest(different[one]);
        CHECK(text.size() == 64);
        CHECK(text.find_first_not_of("0123456789abcdef") == std::string::npos);
        for (std::size_t other = 0; other < one; ++other) CHECK(text != digest(different[other]));
    }
}

TEST_CASE("the event of a listing does not grow with the listing", "[domain]") {
    const auto listing = [](std::size_t count) {
        std::vector<std::string> names;
        for (std::size_t at = 0; at < count; ++at) names.push_back("group.capability" + std::to_string(at));
        const std::vector<std::string_view> ids(names.begin(), names.end());
        return discovered(ids, false).size();
    };
    CHECK(listing(300) == listing(3) + 2);  // the digits of the count
}

}  // namespace
