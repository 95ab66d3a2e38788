// Names of one catalog. Every decision looks at the set of entries alone, so their order cannot matter: an instance
// qualifier goes to all entries of a shared id, and a longer hash to all entries of a shared name.
#include <string>

#include "host_protocol/wire_names.h"
#include "text_index.h"

namespace host_protocol {
namespace {

constexpr int kMaxLevel = 2;

/// For each entry whether its text, `at(i)`, is also another entry's.
template <class At>
std::vector<char> find_shared(std::size_t count, const At& at) {
    std::vector<char> shared(count, 0);
    TextIndex index(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t first = index.first_equal(at(i), i, at);
        if (first != i) shared[first] = shared[i] = 1;
    }
    return shared;
}

}  // namespace

std::vector<std::string> assign_wire_names(const std::vector<WireNameEntry>& entries) {
    const std::size_t count = entries.size();
    const auto id_at = [&entries](std::uint32_t i) { return entries[i].id; };
    const std::vector<char> qualified = find_shared(count, id_at);
    std::vector<std::string> names(count);
    std::vector<int> levels(count, 0);
    const auto encode = [&](std::size_t i) {
        const std::string_view instance = qualified[i] != 0 ? entries[i].instance_id : std::string_view{};
        names[i] = encode_wire_name_for_instance(entries[i].id, instance, levels[i]);
    };
    for (std::size_t i = 0; i < count; ++i) encode(i);

    const auto name_at = [&names](std::uint32_t i) { return std::string_view(names[i]); };
    while (true) {
        const std::vector<char> shared = find_shared(count, name_at);
        bool lengthened = false;
        for (std::size_t i = 0; i < count; ++i) {
            if (shared[i] == 0 || levels[i] == kMaxLevel) continue;
            ++levels[i];
            encode(i);
            lengthened = true;
        }
        if (lengthened) continue;
        for (std::size_t i = 0; i < count; ++i) {
            if (shared[i] != 0) names[i].clear();
        }
        return names;
    }
}

}  // namespace host_protocol
