// Ids of tool calls. A provider may use one again; within a turn the second use is another call, and so gets a name of its
// own (spec: host-protocol.md, "Frames"). The same history gives the same names: a step that is posted again asks with
// the same idempotency keys.

import { isRecord } from "../contract/values.js";
import type { WireModelMessage } from "../protocol/types.js";

export class CallIds {
  readonly #taken: Set<string>;

  /** The turn is what follows the user's last message. */
  constructor(messages: readonly WireModelMessage[]) {
    const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
    this.#taken = new Set(turn.flatMap(callsIn));
  }

  take(given: unknown): string {
    const wanted = typeof given === "string" && given !== "" ? given : `call_${crypto.randomUUID()}`;
    let id = wanted;
    for (let use = 2; this.#taken.has(id); use++) id = `${wanted}_${String(use)}`;
    this.#taken.add(id);
    return id;
  }
}

function callsIn({ content }: WireModelMessage): string[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => {
    const id = isRecord(part) && part["type"] === "tool-call" ? part["toolCallId"] : undefined;
    return typeof id === "string" ? [id] : [];
  });
}

/** The key of a domain call: the same call of the same turn is the same work, whoever delivers it twice. */
export async function idempotencyKey(parts: {
  readonly session: string;
  readonly conversation: string;
  readonly turn: string;
  readonly toolCallId: string;
}): Promise<string> {
  const text = JSON.stringify([parts.session, parts.conversation, parts.turn, parts.toolCallId]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
