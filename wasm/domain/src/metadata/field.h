// One field of an author's object: how it is found, what is asked of it, and the sentence when it is something else.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "domain/value_facts.h"

namespace domain {

/// `place` is what an author reads, such as "retry.maxAttempts"; the member is its last step.
struct Field {
    std::string_view place;
    host_protocol::JsonValue value;

    explicit operator bool() const { return static_cast<bool>(value); }
};

/// The field of `owner`; one that is undefined is absent, as in JavaScript.
Field field_of(host_protocol::JsonValue owner, std::string_view place);

/// Numbers of the reader are finite; what is not finite is a fact and no number.
inline bool is_positive(host_protocol::JsonValue value) { return is_number(value) && value.number() > 0; }
inline bool is_whole(host_protocol::JsonValue value) {
    return is_number(value) && std::floor(value.number()) == value.number();
}

/// What the sentences say is allowed.
inline constexpr std::string_view kPositive = "a finite number above 0";
inline constexpr std::string_view kFlag = "true or false";
inline constexpr std::string_view kObject = "an object";

/// Position of the word in a table of the vocabulary, or -1.
template <class Words>
int position_in(const Words& words, std::string_view word) {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (words[at] == word) return static_cast<int>(at);
    return -1;
}
/// The words with commas between them.
template <class Words>
std::string listed(const Words& words) {
    std::string out;
    for (std::string_view word : words) out.append(out.empty() ? "" : ", ").append(word);
    return out;
}

/// As a JSON string, whole: it stays on its line whatever it holds.
std::string quoted(std::string_view text);
/// The same, cut at 60 UTF-16 units.
std::string quoted_in_short(std::string_view text);

/// `retry.maxAttempts must be a whole number of at least 0; found the string "3"`
std::string must_be(std::string_view place, std::string_view allowed, host_protocol::JsonValue value);

/// Problems of one owner go into the list of all, each with the owner's quoted id before it.
class Report {
  public:
    Report(std::string_view id, std::vector<std::string>& problems) : owner_(quoted(id)), problems_(problems) {}

    void say(std::string_view sentence) const { problems_.push_back(owner_ + ": " + std::string(sentence)); }
    void say_must_be(Field field, std::string_view allowed) const { say(must_be(field.place, allowed, field.value)); }
    std::size_t count() const { return problems_.size(); }

  private:
    std::string owner_;
    std::vector<std::string>& problems_;
};

}  // namespace domain
