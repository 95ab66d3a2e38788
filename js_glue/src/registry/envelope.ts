// From the caller's request to the envelope that crosses. A request comes from outside and may be anything: whatever
// cannot be read is marked as malformed, and the pipeline answers it.

import type { AgentConsumer } from "../contract/types.js";
import { freshInvocationId } from "../ids.js";
import { isWellFormed, jsonText, quoted } from "../json/value.js";
import type { Envelope } from "./call.js";
import type { Settings } from "./options.js";

export interface InvocationRequest {
  readonly invocationId?: string | undefined;
  readonly capabilityId: string;
  readonly instanceId?: string | undefined;
  readonly registrationId?: string | undefined;
  readonly surfaceVersion?: string | undefined;
  readonly input?: unknown;
  readonly confirmationId?: string | undefined;
}

export interface InvokeOptions {
  readonly consumer?: AgentConsumer | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

const ANONYMOUS: AgentConsumer = Object.freeze({ id: "anonymous", kind: "embedded" });
const OPTIONAL = ["instanceId", "registrationId", "surfaceVersion", "confirmationId"] as const;

/** Reads one member; an accessor or a proxy that throws counts as a malformed member. */
function member(from: unknown, key: string): unknown {
  if (typeof from !== "object" || from === null) return undefined;
  try {
    return Reflect.get(from, key);
  } catch {
    return UNREADABLE;
  }
}
const UNREADABLE = Symbol("unreadable");

function isText(value: unknown): value is string {
  return typeof value === "string" && isWellFormed(value);
}

function quotedText(value: unknown): string | undefined {
  return typeof value === "string" ? quoted(value) : undefined;
}

// Most calls come from the same consumer as the one before.
let lastConsumer = ANONYMOUS;
let lastConsumerText = "";

function sameConsumer(value: object): boolean {
  return (
    member(value, "id") === lastConsumer.id &&
    member(value, "kind") === lastConsumer.kind &&
    member(value, "grants") === undefined &&
    lastConsumer.grants === undefined
  );
}

function readConsumer(value: object): AgentConsumer | undefined {
  const id = member(value, "id");
  const kind = member(value, "kind");
  const grants = member(value, "grants");
  if (!isText(id) || !isKind(kind)) return undefined;
  if (grants === undefined) return Object.freeze({ id, kind });
  if (!Array.isArray(grants) || !grants.every(isText)) return undefined;
  return Object.freeze({ id, kind, grants: Object.freeze([...grants]) });
}

function isKind(value: unknown): value is AgentConsumer["kind"] {
  return isText(value);
}

// What the last readIds found: an object for two values would be made in every call.
let confirmationId = "";

/** The ids that may be there; `malformed` gets those that are no texts. */
function readIds(request: unknown, malformed: string[]): string {
  let text = "";
  let evidence = "";
  for (const key of OPTIONAL) {
    const value = member(request, key);
    if (value === undefined) continue;
    const own = quotedText(value);
    if (key === "confirmationId" && typeof value === "string") evidence = value;
    if (own !== undefined) text += `,"${key}":${own}`;
    else malformed.push(key);
  }
  confirmationId = evidence;
  return text;
}

export function readEnvelope(
  settings: Settings,
  request: unknown,
  options: unknown,
  running: readonly number[],
): Envelope {
  const malformed: string[] = [];
  const capabilityId = member(request, "capabilityId");
  const known = quotedText(capabilityId);
  let text = "";
  let invocationId = member(request, "invocationId");
  const ownId = quotedText(invocationId);
  if (ownId !== undefined) {
    text = `{"invocationId":${ownId}`;
  } else {
    if (invocationId !== undefined) malformed.push("invocationId");
    invocationId = freshInvocationId();
    text = `{"freshId":"${String(invocationId)}"`;
  }
  if (known !== undefined) text += `,"capabilityId":${known}`;
  text += readIds(request, malformed);
  const evidence = confirmationId;
  let input: Envelope["input"];
  const given = member(request, "input");
  if (given !== undefined) {
    const json = jsonText(given, settings.bounds);
    if ("text" in json) text += `,"input":${(input = json).text}`;
    else text += `,"inputProblem":${JSON.stringify({ path: json.problem.path, message: json.problem.message })}`;
  }
  const rest = options === undefined ? undefined : readInvokeOptions(options, malformed);
  if (rest !== undefined) text += rest.text;
  if (running.length > 0) text += `,"running":[${running.join()}]`;
  if (malformed.length > 0) text += `,"malformed":${JSON.stringify(malformed)}`;
  return {
    text: `${text}}`,
    capabilityId: known === undefined ? "" : String(capabilityId),
    invocationId: String(invocationId),
    confirmationId: evidence,
    input,
    consumer: rest?.consumer ?? ANONYMOUS,
    signal: rest?.signal,
  };
}

interface ReadOptions {
  readonly text: string;
  readonly consumer: AgentConsumer | undefined;
  readonly signal: AbortSignal | undefined;
}

function readInvokeOptions(options: unknown, malformed: string[]): ReadOptions {
  let text = "";
  let consumer: AgentConsumer | undefined;
  const given = member(options, "consumer");
  if (typeof given === "object" && given !== null) {
    if (!sameConsumer(given)) {
      const fresh = readConsumer(given);
      if (fresh !== undefined) {
        lastConsumer = fresh;
        lastConsumerText = `,"consumer":{"id":${JSON.stringify(fresh.id)},"kind":${JSON.stringify(fresh.kind)}}`;
      } else malformed.push("consumer");
    }
    consumer = lastConsumer;
    if (!malformed.includes("consumer")) text += lastConsumerText;
  } else if (given !== undefined) malformed.push("consumer");
  const timeoutMs = member(options, "timeoutMs");
  if (typeof timeoutMs === "number" && Number.isFinite(timeoutMs)) {
    text += `,"timeoutMs":${String(timeoutMs)}`;
  } else if (timeoutMs !== undefined) malformed.push("timeoutMs");
  const signal = member(options, "signal");
  if (signal !== undefined && !isSignal(signal)) malformed.push("signal");
  return { text, consumer, signal: isSignal(signal) ? signal : undefined };
}

function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof member(value, "aborted") === "boolean" &&
    typeof member(value, "addEventListener") === "function" &&
    typeof member(value, "removeEventListener") === "function"
  );
}
