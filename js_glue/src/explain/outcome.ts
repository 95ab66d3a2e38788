// What came of it: read off the snapshot that the module made, and why, as this side of the boundary knows it.

import type { Registration } from "../registry/registration.js";
import type { SurfaceSnapshot } from "../registry/snapshot.js";
import type { ExplainedVote, Outcome, UnavailableCause } from "./types.js";

const AVAILABLE: Outcome = Object.freeze({ outcome: "available" });

/** By registration id and capability id; what is not in it is hidden. */
export function outcomesOf(snapshot: SurfaceSnapshot): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const note = (registrationId: unknown, one: object): void => {
    const reason: unknown = Reflect.get(one, "unavailableReason");
    const why = typeof reason === "string" ? { reason } : {};
    const outcome = Reflect.get(one, "available") === true ? AVAILABLE : { outcome: "unavailable" as const, ...why };
    outcomes.set(outcomeKey(String(registrationId), String(Reflect.get(one, "capabilityId"))), outcome);
  };
  for (const { registrationId, observations, actions } of snapshot.components) {
    for (const one of [...observations, ...actions]) note(registrationId, one);
  }
  const procedures: readonly object[] = snapshot.procedures;
  for (const one of procedures) note(Reflect.get(one, "registrationId"), one);
  return outcomes;
}

export function outcomeKey(registrationId: string, capabilityId: string): string {
  return `${registrationId} ${capabilityId}`;
}

/** In the order of precedence: component disabled, pushed override, `when`, policies. */
export function causesOf(
  registration: Registration,
  index: number,
  votes: readonly ExplainedVote[],
  outcome: Outcome,
): readonly UnavailableCause[] {
  const causes: UnavailableCause[] = [];
  const add = (by: UnavailableCause["by"], reason: string | undefined): void => {
    if (reason !== undefined) causes.push(reason === "" ? { by } : { by, reason });
  };
  const { pushed, told, gated, contract } = registration;
  if (pushed?.enabled === false) causes.push({ by: "component-disabled" });
  add("override", pushed?.closed.get(contract.names[index] ?? ""));
  const gate = gated.indexOf(index);
  if (gate >= 0) add("when", told[gate]);
  for (const { policy, decision, reason } of votes) {
    if (decision !== "expose") causes.push({ by: "policy", policy, ...(reason === undefined ? {} : { reason }) });
  }
  // Nothing of the component's own: what a reference to a procedure binds is not there.
  if (causes.length === 0 && outcome.outcome === "unavailable") add("binding", outcome.reason ?? "");
  return Object.freeze(causes.map((cause) => Object.freeze(cause)));
}
