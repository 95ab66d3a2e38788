// What the host itself tells its operator. A recorder that fails changes nothing of what happens.

import { isThenable } from "../contract/values.js";
import type { HostEvent, HostSession } from "./types.js";
import type { Settings } from "./options.js";

export type Tell = (type: HostEvent["type"], data?: HostEvent["data"]) => void;
type Subject = Pick<HostEvent, "stepId" | "conversationId" | "turnId" | "stepIndex">;

export function tellerOf<S extends HostSession>(
  { audit, onError }: Pick<Settings<S>, "audit" | "onError">,
  session?: HostSession,
  subject: Subject = {},
): Tell {
  const actor = session === undefined ? {} : { actor: { id: session.actor.id, kind: session.actor.kind } };
  return (type, data = {}) => {
    try {
      const answer = audit({ type, timestamp: Date.now(), ...actor, ...subject, data });
      if (isThenable(answer)) Promise.resolve(answer).catch((error: unknown) => report(onError, error, "audit"));
    } catch (error) {
      report(onError, error, "audit");
    }
  };
}

export function report(onError: (error: unknown, where: string) => void, error: unknown, where: string): void {
  try {
    onError(error, where);
  } catch {
    // Nobody is left to tell.
  }
}
