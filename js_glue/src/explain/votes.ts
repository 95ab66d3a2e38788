// Each policy's own vote, and what they come to.

import type { AgentConsumer } from "../contract/types.js";
import type { RegistryCore } from "../registry/core.js";
import { contextOf, hostReading, levelsOf, type HostReading } from "../registry/policy_chain.js";
import type { Registration } from "../registry/registration.js";
import { EXPOSED, hasDiscovery, stricter, voteOf, votesMember } from "../registry/votes.js";
import type { ExplainedVote } from "./types.js";

/** What each policy said, by registration and capability index. */
export type Ballot = Map<Registration, (readonly ExplainedVote[])[]>;

/** The votes as a snapshot takes them. Every policy is asked, also after one that hides, and `ballot` keeps what it said. */
export function takeVotes(core: RegistryCore, consumer: AgentConsumer, ballot: Ballot): string {
  if (!hasDiscovery(core)) return "";
  const host = hostReading(core);
  return votesMember(core, (registration, index) => {
    const votes = ask(core, registration, index, consumer, host);
    const all = ballot.get(registration) ?? [];
    all[index] = votes;
    ballot.set(registration, all);
    return votes.reduce(stricter, EXPOSED);
  });
}

function ask(
  core: RegistryCore,
  registration: Registration,
  index: number,
  consumer: AgentConsumer,
  host: HostReading,
): readonly ExplainedVote[] {
  const context = contextOf(core, registration, index, consumer, host);
  const votes = levelsOf(core, registration, index).flatMap(([level, policies]) =>
    policies
      .filter((policy) => policy.vote !== undefined)
      .map((policy) => Object.freeze({ policy: policy.name, level, ...voteOf(policy, context) })),
  );
  return Object.freeze(votes);
}
