// Reading of one capability's metadata, meta.agent: every field is checked, every fault is a problem of its own
// (spec: domain.md §§2.1, 2.3 problems 1 to 27).
//
//     MetaReader(Report(id, problems), capability).read(meta);      // did report.count() grow? then it is not valid
#pragma once

#include <optional>
#include <string_view>

#include "domain/capability.h"
#include "metadata/field.h"

namespace domain {

class MetaReader {
  public:
    /// Both outlive the reader. `capability` has its id; what is valid is filled in, defaults of §2.2 included.
    MetaReader(const Report& report, Capability& capability) : report_(report), capability_(capability) {}

    void read(host_protocol::JsonValue meta);

  private:
    void read_description(Field description);
    void read_expose(Field expose);
    /// Position in `words`; -1, and a problem, when it is none.
    int read_word(Field word, std::string_view allowed, int position);
    void read_tags(Field tags);
    void read_policies(Field policies);
    void read_retry(host_protocol::JsonValue meta);
    void check_retry_safety(host_protocol::JsonValue meta);
    void read_approval(host_protocol::JsonValue meta);
    void read_redact(host_protocol::JsonValue meta);
    void read_adapters(host_protocol::JsonValue meta);
    void read_tool_name(Field name, std::size_t adapter);

    /// The object of that field, or an absent value; a problem when it is there and no object.
    host_protocol::JsonValue section(host_protocol::JsonValue owner, std::string_view place);
    void read_flag(Field field, bool& into);
    void read_positive(Field field, std::optional<double>& into);
    /// Is there one? A problem when there is something else.
    bool read_function(Field field);

    const Report& report_;
    Capability& capability_;
};

}  // namespace domain
