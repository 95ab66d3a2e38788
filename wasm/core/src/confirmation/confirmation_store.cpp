#include "confirmation/confirmation_store.h"

#include <algorithm>
#include <cmath>

#include "host_protocol/canonical_json.h"
#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

namespace outcomes = host_protocol::outcomes;
namespace reasons = host_protocol::reasons;

constexpr std::size_t kMaxSummaryUnits = 300;
constexpr double kKeepMs = 600000;
constexpr std::size_t kMaxResolved = 200;

ConfirmationVerdict invalid(std::string_view reason) { return {failures::confirmation_invalid(reason), -1}; }

}  // namespace

std::string_view ConfirmationStore::outcome_of(State state) {
    switch (state) {
        case State::approved: return outcomes::kApproved;
        case State::denied: return outcomes::kDenied;
        default: return outcomes::kExpired;
    }
}

ConfirmationNote ConfirmationStore::note_of(const Record& record) {
    const std::string_view key = record.consumer_key;
    return {record.id, record.capability_id, record.registration_id, key.substr(key.find(':') + 1)};
}

ConfirmationVerdict ConfirmationStore::required(const Record& record) {
    return {failures::confirmation_required(record.id, record.summary, record.expires_at, record.effect), -1};
}

/// The members stand in canonical order and the input is canonical, so the whole is.
std::string ConfirmationStore::digest_of(const ConfirmationAsk& ask) const {
    std::string bound = "{";
    append_text_member(bound, "capabilityId", ask.capability_id);
    append_text_member(bound, "consumerKey", ask.consumer_key);
    append_text_member(bound, "effect", ask.effect);
    append_json_member(bound, "effectiveInput", ask.input);
    append_text_member(bound, "registrationId", ask.registration_id);
    append_text_member(bound, "surfaceId", options_.surface_id);
    return host_protocol::sha256_hex(bound += '}');
}

ConfirmationStore::Record* ConfirmationStore::find(std::string_view id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second.get();
}

ConfirmationStore::Record* ConfirmationStore::find_digest(std::string_view digest) const {
    const auto found = by_digest_.find(digest);
    return found == by_digest_.end() ? nullptr : found->second;
}

void ConfirmationStore::forget(Record& record) {
    if (find_digest(record.digest) == &record) by_digest_.erase(record.digest);
    resolved_.erase({record.ended_at, record.number});
    by_id_.erase(by_id_.find(record.id));
}

void ConfirmationStore::keep(Record& record, State state, double ended_at) {
    record.state = state;
    record.by = 0;
    record.ended_at = ended_at;
    resolved_.emplace(std::pair(ended_at, record.number), &record);
    if (resolved_.size() > kMaxResolved) forget(*resolved_.begin()->second);
}

void ConfirmationStore::end(Record& record, State state, double now) {
    pending_.erase({record.expires_at, record.number});
    record.input = std::string();
    const std::string_view outcome = outcome_of(state);
    outbox_.confirmation(record.id, outcome);
    log_.confirmation_resolved(note_of(record), outcome, now);
    keep(record, state, now);
}

bool ConfirmationStore::lapse(Record& record, double now) {
    if (record.state != State::approved || record.by != 0 || now < record.expires_at) return false;
    log_.confirmation_lapsed(note_of(record), now);
    resolved_.erase({record.ended_at, record.number});
    keep(record, State::expired, now);
    return true;
}

void ConfirmationStore::lead(Record& record) {
    by_digest_.erase(record.digest);  // its key is the text of the record before
    by_digest_.emplace(record.digest, &record);
}

double ConfirmationStore::expire(double now) {
    while (!pending_.empty() && pending_.begin()->first.first <= now)
        end(*pending_.begin()->second, State::expired, now);
    // An approval that is good for longer, or a refusal that holds for longer, is remembered that long.
    const double kept = std::max(kKeepMs, static_cast<double>(options_.limits.confirmation_ttl_ms));
    while (!resolved_.empty() && resolved_.begin()->first.first + kept <= now) forget(*resolved_.begin()->second);
    return pending_.empty() ? -1 : std::ceil(pending_.begin()->first.first - now);
}

void ConfirmationStore::dispose(double now) {
    while (!pending_.empty()) end(*pending_.begin()->second, State::expired, now);
}

ConfirmationVerdict ConfirmationStore::check(const ConfirmationAsk& ask, std::string_view evidence,
                                             std::string_view fresh_id, InvocationHandle by, double now) {
    expire(now);
    std::string digest = digest_of(ask);
    if (!evidence.empty()) return check_evidence(evidence, digest, by, now);
    if (Record* record = find_digest(digest); record != nullptr && !lapse(*record, now)) {
        if (record->state == State::pending) return required(*record);
        if (record->state == State::approved && record->by == 0) return required(*record);
        if (record->state == State::denied && now - record->ended_at < options_.limits.confirmation_ttl_ms)
            return invalid(reasons::kDenied);
    }
    return request(ask, std::move(digest), fresh_id, now);
}

ConfirmationVerdict ConfirmationStore::check_evidence(std::string_view evidence, std::string_view digest,
                                                      InvocationHandle by, double now) {
    Record* record = find(evidence);
    // Another consumer's has another digest.
    if (record == nullptr || record->digest != digest) return invalid(reasons::kMismatch);
    if (lapse(*record, now)) return invalid(reasons::kExpired);
    switch (record->state) {
        case State::pending: return required(*record);
        case State::denied: return invalid(reasons::kDenied);
        case State::expired: return invalid(reasons::kExpired);
        case State::consumed: return invalid(reasons::kConsumed);
        case State::approved: break;
    }
    if (record->by != 0 && record->by != by) return invalid(reasons::kConsumed);
    if (record->by == 0) {
        resolved_.erase({record->ended_at, record->number});
        record->by = by;
    }
    return {std::nullopt, record->ended_at};
}

ConfirmationVerdict ConfirmationStore::request(const ConfirmationAsk& ask, std::string digest,
                                               std::string_view fresh_id, double now) {
    if (pending_.size() >= options_.limits.max_pending_confirmations) return {failures::too_many_confirmations(), -1};
    if (find(fresh_id) != nullptr) return {failures::internal(), -1};  // never two records of one id
    auto made = std::make_unique<Record>();
    Record& record = *made;
    record.number = next_number_++;
    record.requested_at = now;
    record.expires_at = now + options_.limits.confirmation_ttl_ms;
    record.id = fresh_id;
    record.digest = std::move(digest);
    record.capability_id = ask.capability_id;
    record.registration_id = ask.registration_id;
    record.consumer_key = ask.consumer_key;
    record.effect = ask.effect;
    record.input = ask.input;
    record.summary = ask.summary;
    if (ask.summary.empty()) record.summary = concat({ask.description, " — input: ", ask.input});
    record.summary.resize(host_protocol::clip_utf16(record.summary, kMaxSummaryUnits).size());

    by_id_.emplace(record.id, std::move(made));
    lead(record);
    pending_.emplace(std::pair(record.expires_at, record.number), &record);
    outbox_.confirmation(record.id, "requested");
    log_.confirmation_requested(note_of(record), record.expires_at, now);
    return required(record);
}

void ConfirmationStore::settle(std::string_view id, InvocationHandle by, double spent_at) {
    Record* record = find(id);
    if (record == nullptr || by == 0 || record->by != by) return;
    log_.confirmation_consumed(note_of(*record), spent_at);
    keep(*record, State::consumed, spent_at);
}

void ConfirmationStore::release(std::string_view id, InvocationHandle by) {
    Record* record = find(id);
    if (record == nullptr || by == 0 || record->by != by) return;
    const Record* leading = find_digest(record->digest);
    if (leading == nullptr || leading->state == State::expired || leading->state == State::consumed) lead(*record);
    keep(*record, State::approved, record->ended_at);
}

bool ConfirmationStore::resolve(std::string_view id, bool approved, double now) {
    expire(now);
    Record* record = find(id);
    if (record == nullptr || record->state != State::pending) return false;
    end(*record, approved ? State::approved : State::denied, now);
    return true;
}

bool ConfirmationStore::carries_approval(std::string_view id, std::string_view consumer_key,
                                         std::string_view registration_id, std::string_view capability_id,
                                         double now) const {
    const Record* record = find(id);
    return record != nullptr && record->state == State::approved && record->by == 0 && now < record->expires_at &&
           record->consumer_key == consumer_key && record->capability_id == capability_id &&
           (registration_id.empty() || record->registration_id == registration_id);
}

std::string ConfirmationStore::pending(double now) {
    expire(now);
    std::string out = "[";
    for (const auto& [when, record] : pending_) {
        if (out.size() > 1) out += ',';
        out += '{';
        append_text_member(out, "confirmationId", record->id);
        append_text_member(out, "capabilityId", record->capability_id);
        append_text_member(out, "registrationId", record->registration_id);
        append_text_member(out, "consumerKey", record->consumer_key);
        append_text_member(out, "effect", record->effect);
        append_text_member(out, "summary", record->summary);
        append_json_member(out, "input", record->input);
        append_number_member(out, "requestedAt", record->requested_at);
        append_number_member(out, "expiresAt", record->expires_at);
        out += '}';
    }
    return out + "]";
}

}  // namespace viewcap
