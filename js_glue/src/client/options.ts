// The options of a turn, checked before anything is sent: what is wrong here is the page's own mistake. The bounds of
// texts are the protocol's, and the step encoder's to check.

import { isFunctionOrAbsent, isObject } from "../contract/values.js";
import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import { CATALOG_MODES, type CatalogMode } from "../generated/protocol_vocabulary.js";
import { makeClock, type RegistryClock } from "../registry/clock.js";
import { consumerOf } from "../registry/consumer.js";
import { coreOf } from "../registry/internals.js";
import { Listeners } from "./listeners.js";
import type { Fetch } from "./transport.js";
import type { RunTurnOptions } from "./types.js";

export interface TurnSettings extends Omit<RunTurnOptions, "mode" | "fetch" | "events" | "settle" | "clock"> {
  readonly mode: CatalogMode;
  readonly fetch: Fetch;
  readonly listeners: Listeners;
  readonly until: (() => boolean) | undefined;
  readonly clock: RegistryClock;
}

const KNOWN = [
  "conversationId",
  "turnId",
  "messages",
  "registry",
  "consumer",
  "scopeFor",
  "pathname",
  "mode",
  "endpoint",
  "fetch",
  "signal",
  "settle",
  "events",
  "modelId",
  "clock",
];

function refused(what: string): AgentSurfaceDefinitionError {
  return invalidDefinition(`runTurn: ${what}`);
}

/** Throws INVALID_DEFINITION, and what the registry says of itself when it is none or no more. */
export function readTurnOptions(options: RunTurnOptions): TurnSettings {
  if (!isObject(options)) throw refused("takes { conversationId, turnId, messages, registry, … }");
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw refused(`"${unknown}" is unknown; allowed are ${KNOWN.join(", ")}`);
  coreOf(options.registry, "runTurn");
  checkTexts(options);
  checkFunctions(options);
  const { mode = "direct", fetch = globalThis.fetch, settle, events = {}, clock, ...rest } = options;
  return {
    ...rest,
    mode,
    // The platform's own must not be called as a method of something else.
    fetch: (input, init) => Reflect.apply(fetch, undefined, [input, init]),
    listeners: new Listeners(events),
    until: settle?.until,
    clock: makeClock(clock === undefined ? () => performance.now() : undefined, clock),
  };
}

function checkTexts({ conversationId, turnId, modelId, messages, mode, endpoint, consumer }: RunTurnOptions): void {
  for (const [name, value] of Object.entries({ conversationId, turnId, modelId })) {
    if (typeof value === "string" || (name === "modelId" && value === undefined)) continue;
    throw refused(`${name} is ${typeof value}; a string is allowed`);
  }
  if (!Array.isArray(messages)) throw refused(`messages is ${typeof messages}; an array of messages is allowed`);
  if (mode !== undefined && !CATALOG_MODES.includes(mode)) {
    throw refused(
      `mode is ${JSON.stringify(mode)}; ${CATALOG_MODES.map((one) => `"${one}"`).join(" and ")} are allowed`,
    );
  }
  if (typeof endpoint !== "string" && !(endpoint instanceof URL)) {
    throw refused(`endpoint is ${typeof endpoint}; a string or a URL is allowed`);
  }
  if (!isObject(consumer)) throw refused("consumer is missing; { id, kind } says for whom the turn is");
  consumerOf(consumer, "runTurn");
}

function checkFunctions({ scopeFor, pathname, fetch, settle, events, signal }: RunTurnOptions): void {
  for (const [name, value] of Object.entries({ scopeFor, pathname })) {
    if (typeof value !== "function") throw refused(`${name} is ${typeof value}; a function is allowed`);
  }
  if (!isFunctionOrAbsent(fetch)) throw refused(`fetch is ${typeof fetch}; a function is allowed`);
  for (const [name, value] of Object.entries({ settle, events, signal })) {
    if (value !== undefined && !isObject(value)) throw refused(`${name} is ${typeof value}; an object is allowed`);
  }
  if (!isFunctionOrAbsent(settle?.until)) throw refused("settle.until is no function");
  if (signal !== undefined && typeof signal.addEventListener !== "function") throw refused("signal is no AbortSignal");
}
