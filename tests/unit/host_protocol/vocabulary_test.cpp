#include "host_protocol/vocabulary.h"

#include <set>

#include "reading.h"
#include "test_vectors.h"

using namespace host_protocol;

namespace {

std::string joined(JsonValue array) {
    std::string out;
    for (const JsonValue element : array.elements()) out.append(out.empty() ? "" : " ").append(element.string());
    return out;
}

}  // namespace

TEST_CASE("The error table is the shared matrix, row by row", "[vocabulary]") {
    const JsonDocument matrix = reading::document(test_vectors::error_matrix);
    const JsonValue codes = matrix.root().find("codes");
    REQUIRE(codes.size() == kErrorRows.size());
    std::size_t at = 0;
    for (const JsonMember member : codes.members()) {
        const ErrorRow& row = kErrorRows[at++];
        INFO("code: " << member.key);
        CHECK(row.code == member.key);
        CHECK(find_error_row(member.key) == &row);
        std::uint32_t phases = 0;
        for (const JsonValue phase : member.value.find("phases").elements())
            phases |= 1u << static_cast<int>(phase.number());
        CHECK(row.phases == phases);
        std::set<std::string> allowed;
        for (const JsonValue hint : member.value.find("retry").elements()) allowed.emplace(hint.string());
        for (const std::string_view hint : kRetryHints)
            CHECK(allows_retry(row, hint) == (allowed.count(std::string(hint)) == 1));
        CHECK(row.cacheable == member.value.find("cacheable").boolean());
        CHECK(row.details == joined(member.value.find("details")));
    }
}

TEST_CASE("An unknown code has no row and an unknown hint is allowed nowhere", "[vocabulary]") {
    CHECK(find_error_row("NO_SUCH_CODE") == nullptr);
    CHECK(find_error_row("") == nullptr);
    for (const ErrorRow& row : kErrorRows) CHECK_FALSE(allows_retry(row, "later"));
}
