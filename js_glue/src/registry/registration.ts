// One mounted instance, as the glue knows it: the closures, and what the module was last told of its gates.

import type { Entry, InternedContract } from "../contract/intern.js";
import { toWellFormed } from "../json/value.js";

export type RegistrationStatus = "registered" | "rejected" | "unregistered";

export class Registration {
  readonly reg: number;
  readonly registrationId: string;
  readonly contract: InternedContract;
  status: RegistrationStatus = "registered";
  /** Type and instance, where a newcomer may replace this one. */
  key: string | undefined = undefined;
  /** By capability index; gone with the component, so that its closures can be collected. */
  entries: readonly Entry[] | undefined;
  /** Indexes of the capabilities that have a `when`. */
  readonly gated: readonly number[];
  /** Per gated capability, what the module believes: undefined is open, a text is the reason for being closed. */
  readonly told: (string | undefined)[];

  constructor(reg: number, registrationId: string, contract: InternedContract, entries: readonly Entry[]) {
    this.reg = reg;
    this.registrationId = registrationId;
    this.contract = contract;
    this.entries = entries;
    let gated: number[] | undefined;
    for (let index = 0; index < entries.length; index++) {
      if (entries[index]?.when !== undefined) (gated ??= []).push(index);
    }
    this.gated = gated ?? NONE;
    this.told = gated === undefined ? NO_TEXTS : gated.map(() => undefined);
  }

  release(): void {
    this.status = "unregistered";
    this.entries = undefined;
  }
}

const NONE: readonly number[] = [];
const NO_TEXTS: (string | undefined)[] = [];

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof Reflect.get(value, "then") === "function";
}

/** The promise of a callback that must answer at once: what it comes to later is nobody's business. */
export function swallow(thenable: PromiseLike<unknown>): void {
  Promise.resolve(thenable).then(undefined, () => undefined);
}

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
