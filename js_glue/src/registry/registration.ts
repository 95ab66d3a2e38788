// One mounted instance, as the glue knows it: the closures, and what the module was last told of its gates.

import { UNGOVERNED, type AttachedPolicies } from "../contract/attach.js";
import { NO_CONTRACT, type Entry, type InternedContract } from "../contract/intern.js";
import { isThenable, swallow } from "../contract/values.js";
import { toWellFormed } from "../json/value.js";
import type { ChainCache } from "./policy_chain.js";

export type RegistrationStatus = "registered" | "rejected" | "unregistered";

/** What policies are told of an instance, and the policies. */
export interface Governed {
  readonly instanceId: string;
  readonly internal: unknown;
  readonly policies: AttachedPolicies;
}
const ON_ITS_OWN: Governed = { instanceId: "default", internal: undefined, policies: UNGOVERNED };

/** What was pushed by updates, for explanations; the module decides by its own. */
export interface Pushed {
  readonly enabled: boolean;
  /** Reasons of what is pushed to be unavailable, by capability name. */
  readonly closed: ReadonlyMap<string, string>;
}

/** What a component is known by among those of its registry. */
export function placeKey(type: string, instanceId = "default"): string {
  return `${type}\n${instanceId}`;
}

export class Registration {
  readonly reg: number;
  readonly registrationId: string;
  /** Another one once the keys of a reference's binding are known. */
  contract: InternedContract;
  status: RegistrationStatus = "registered";
  /** Type and instance, where a newcomer may replace this one. */
  key: string | undefined = undefined;
  /** By capability index; gone with the component, so that its closures can be collected. */
  entries: readonly Entry[] | undefined;
  /** Indexes of the capabilities that have a `when`. */
  readonly gated: readonly number[];
  /** Per gated capability, what the module believes: undefined is open, a text is the reason for being closed. */
  readonly told: (string | undefined)[];
  governed: Governed;
  pushed: Pushed | undefined = undefined;
  /** The component that a reference to a procedure belongs to. */
  owner: Registration | undefined = undefined;
  /** Made when first asked for; policy_chain.ts keeps it. */
  chains: ChainCache | undefined = undefined;
  /** Told once, when the component is gone. */
  onRelease: (() => void) | undefined = undefined;

  constructor(
    reg: number,
    registrationId: string,
    contract: InternedContract,
    entries: readonly Entry[],
    governed: Governed = ON_ITS_OWN,
  ) {
    this.reg = reg;
    this.registrationId = registrationId;
    this.contract = contract;
    this.entries = entries;
    this.governed = governed;
    let gated: number[] | undefined;
    for (let index = 0; index < entries.length; index++) {
      if (entries[index]?.when !== undefined) (gated ??= []).push(index);
    }
    this.gated = gated ?? NONE;
    this.told = gated === undefined ? NO_TEXTS : gated.map(() => undefined);
  }

  release(status: RegistrationStatus = "unregistered"): void {
    this.status = status;
    this.entries = undefined;
    this.governed = ON_ITS_OWN;
    this.pushed = undefined;
    this.owner = undefined;
    this.chains = undefined;
    this.onRelease?.();
    this.onRelease = undefined;
  }
}

const NONE: readonly number[] = [];
const NO_TEXTS: (string | undefined)[] = [];

/** Stands where no registration is known yet. */
export const NOBODY = /* @__PURE__ */ new Registration(0, "", NO_CONTRACT, []);

/** Runs `when()`: undefined when the gate is open, else the reason ("" when the author gives none). Never throws. */
export function closedReason(entry: Entry): string | undefined {
  if (entry.when === undefined) return undefined;
  try {
    const answer = entry.when();
    if (isThenable(answer)) {
      swallow(answer);
      return "when-error";
    }
    if (answer) return undefined;
  } catch {
    return "when-error";
  }
  try {
    const reason = typeof entry.unavailableReason === "function" ? askReason(entry) : entry.unavailableReason;
    return typeof reason === "string" ? toWellFormed(reason) : reason === undefined ? "" : "unavailable";
  } catch {
    return "unavailable";
  }
}

function askReason(entry: Entry): unknown {
  const reason: unknown = typeof entry.unavailableReason === "function" ? entry.unavailableReason() : undefined;
  if (typeof reason === "string") return reason;
  if (isThenable(reason)) swallow(reason);
  return null;
}
