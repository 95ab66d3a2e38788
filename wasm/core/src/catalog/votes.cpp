#include "catalog/votes.h"

#include <algorithm>

#include "host_protocol/heap_sort.h"
#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

using host_protocol::JsonType;
using host_protocol::JsonValue;

constexpr std::size_t kMaxReasonUnits = 300;
constexpr std::uint32_t kDisables = 1;
constexpr std::uint32_t kHides = 2;

bool is_before(const Vote& one, const Vote& other) {
    return one.registration != other.registration ? one.registration < other.registration
                                                  : one.capability < other.capability;
}

bool read_vote(JsonValue list, Vote& vote) {
    if (!list.is(JsonType::array)) return false;
    std::uint32_t numbers[3] = {0, 0, 0};
    std::size_t count = 0;
    vote.reason = host_protocol::reasons::kUnavailable;
    for (JsonValue part : list.elements()) {
        if (count < 3 ? !part.is(JsonType::number) : !part.is(JsonType::string)) return false;
        if (count < 3)
            numbers[count] = handle_of(part.number());
        else if (!part.string().empty())
            vote.reason = host_protocol::clip_utf16(part.string(), kMaxReasonUnits);
        ++count;
    }
    vote.registration = numbers[0];
    vote.capability = numbers[1];
    vote.hides = numbers[2] == kHides;
    return count >= 3 && (vote.hides || numbers[2] == kDisables);
}

}  // namespace

host_protocol::Result<Votes> Votes::read(JsonValue list) {
    Votes votes;
    if (!list) return votes;
    bool good = list.is(JsonType::array);
    if (good) {
        for (JsonValue element : list.elements()) {
            Vote vote{};
            good = good && read_vote(element, vote);
            votes.sorted_.push_back(std::move(vote));
        }
    }
    if (!good)
        return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                         "votes are [registration, capability, 1 or 2, reason?]", "votes");
    host_protocol::heap_sort(votes.sorted_.begin(), votes.sorted_.end(), is_before);
    return votes;
}

const Vote* Votes::find(RegistrationHandle registration, std::uint32_t capability) const {
    if (sorted_.empty()) return nullptr;
    const Vote wanted{registration, capability, false, {}};
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), wanted, is_before);
    return found == sorted_.end() || is_before(wanted, *found) ? nullptr : &*found;
}

bool Votes::hides_as(const Votes& other) const {
    const auto next_hidden = [](const std::vector<Vote>& list, std::size_t& at) -> const Vote* {
        while (at < list.size() && !list[at].hides) ++at;
        return at < list.size() ? &list[at++] : nullptr;
    };
    std::size_t here = 0;
    std::size_t there = 0;
    while (true) {
        const Vote* one = next_hidden(sorted_, here);
        const Vote* two = next_hidden(other.sorted_, there);
        if (one == nullptr || two == nullptr) return one == two;
        if (is_before(*one, *two) || is_before(*two, *one)) return false;
    }
}

Availability availability_under(const Vote* vote, const Registration& registration, std::uint32_t capability) {
    const Availability own = registration.availability(capability);
    if (vote == nullptr || !own.available) return own;
    return {false, vote->reason};
}

}  // namespace viewcap
