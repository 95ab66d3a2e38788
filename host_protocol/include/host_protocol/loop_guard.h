// Stops a turn that goes in circles (spec: host-protocol.md, "Loop guard"), over both planes in the order of
// settlement.
//
//     LoopGuard guard;
//     std::optional<LoopVerdict> verdict = guard.record({"view:t.save", input, false, "no"});
//
// The identity of a call is its canonical id and the canonical JSON of its input. Three identical failures, four
// failures in a row, or a call that is repeated after retry "no" end the turn; each is counted over the whole turn.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "host_protocol/canonical_json.h"
#include "host_protocol/result.h"

namespace host_protocol {

struct SettledCall {
    std::string_view canonical_id;
    std::string_view input;  // JSON text; a text that is none stands for itself
    bool ok;
    std::string_view retry{};  // of the failure's error
};

struct LoopVerdict {
    std::string_view code;  // RUN_LIMIT_EXCEEDED
    std::string message;    // names the capability
    std::string canonical_id;
};

class LoopGuard {
  public:
    /// A verdict is given once a rule is met, and again for every call after it that meets one.
    std::optional<LoopVerdict> record(const SettledCall& call);
    /// `{"canonicalId":…,"input":…,"ok":…,"result"?:…}` in; `null` or `{"code":…,"message":…,"canonicalId":…}` out. The
    /// retry hint is `result.error.retry`. INVALID_DEFINITION for what is no JSON object.
    Result<std::string> record_text(std::string_view call);

  private:
    struct Record {
        std::uint32_t failures = 0;
        bool final = false;  // it failed with retry "no"
    };

    JsonReader reader_;
    std::map<Sha256Digest, Record> records_;
    std::uint32_t run_ = 0;
};

}  // namespace host_protocol
