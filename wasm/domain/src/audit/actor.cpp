// Who is named by an event (spec: domain.md §§1, 10).
#include "domain/audit.h"
#include "domain/value_facts.h"
#include "host_protocol/json_out.h"

namespace domain {

ActorFacts read_actor(host_protocol::JsonValue facts) {
    ActorFacts actor;
    actor.id = host_protocol::text_or(facts.find("id"), actor.id);
    const std::string_view kind = host_protocol::text_or(facts.find("kind"), "");
    // The "unknown" of an id that is no text is our word for it and nobody's id.
    if (!is_text(facts.find("id")) || actor.id.empty()) return actor;
    for (std::string_view known : kActorKinds)
        if (known == kind) {
            actor.kind = known;
            actor.is_well_formed = true;
        }
    return actor;
}

}  // namespace domain
