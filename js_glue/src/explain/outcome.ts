// What came of it: read off the snapshot that the module made, and why, as this side of the boundary knows it.

import type { UnavailableReason } from "../generated/vocabulary.js";
import type { Registration } from "../registry/registration.js";
import type { SurfaceSnapshot } from "../registry/snapshot.js";
import type { ExplainedVote, Outcome, UnavailableCause } from "./types.js";

const BINDING_ERROR: UnavailableReason = "binding-error";
const AVAILABLE: Outcome = Object.freeze({ outcome: "available" });

/** By `outcomeKey`; what is not in it is hidden. */
export function outcomesOf(snapshot: SurfaceSnapshot): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const note = (key: string, one: object): void => {
    const reason: unknown = Reflect.get(one, "unavailableReason");
    const why = typeof reason === "string" ? { reason } : {};
    const outcome = Reflect.get(one, "available") === true ? AVAILABLE : { outcome: "unavailable" as const, ...why };
    outcomes.set(key, outcome);
  };
  for (const { registrationId, observations, actions } of snapshot.components) {
    for (const one of [...observations, ...actions]) note(outcomeKey(registrationId, one.name), one);
  }
  const procedures: readonly object[] = snapshot.procedures;
  for (const one of procedures) note(outcomeKey(String(Reflect.get(one, "registrationId")), PROCEDURE), one);
  return outcomes;
}

/** A reference to a procedure is a registration with one capability, which needs no name here. */
export const PROCEDURE = "";

export function outcomeKey(registrationId: string, name: string): string {
  return `${registrationId} ${name}`;
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
  if (gate >= 0) add(told[gate] === BINDING_ERROR ? "binding" : "when", told[gate]);
  for (const { policy, decision, reason } of votes) {
    if (decision !== "expose") causes.push({ by: "policy", policy, ...(reason === undefined ? {} : { reason }) });
  }
  // Nothing of the component's own: what a reference to a procedure binds is not there.
  if (causes.length === 0 && outcome.outcome === "unavailable") add("binding", outcome.reason ?? "");
  return Object.freeze(causes.map((cause) => Object.freeze(cause)));
}
