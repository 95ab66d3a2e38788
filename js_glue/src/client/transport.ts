// One exchange: a step is posted once, and its response read as it comes (spec: host-protocol.md, "Step request",
// "Frames"). Whatever the server does is an error with a code; no message repeats an address or a body.

import { isRecord, member } from "../contract/values.js";
import { PROTOCOL_VERSION } from "../generated/protocol_vocabulary.js";
import { toWellFormed } from "../json/value.js";
import type { TurnError } from "./types.js";

export type Fetch = (input: string | URL, init: RequestInit) => Promise<Response>;

export interface Exchange {
  readonly fetch: Fetch;
  readonly endpoint: string | URL;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Ends the exchange wherever it is. */
  readonly signal: AbortSignal;
}

const TYPE = "application/x-ndjson";
const VERSION_HEADER = "x-host-protocol-version";
/** An error body is a few hundred bytes; whatever is longer is a page of somebody else's. */
const MOST_ERROR_BYTES = 65_536;
const LONGEST_MESSAGE = 300;

export function transportFailed(message: string): TurnError {
  return { code: "TRANSPORT_FAILED", message };
}

/** A response whose frames are to be read, or why there is none. */
export type Posted = { readonly response: Response } | { readonly failure: TurnError };

export async function post({ fetch, endpoint, body, signal }: Exchange): Promise<Posted> {
  const headers = { "content-type": "application/json", accept: TYPE };
  try {
    // A redirect would post the step again, or turn it into something else.
    const sent = fetch(endpoint, { method: "POST", headers, body, signal, redirect: "error", cache: "no-store" });
    const response = await unlessAborted(sent, signal);
    const failure = await refusalOf(response, signal);
    if (failure === undefined) return { response };
    discard(response);
    return { failure };
  } catch {
    return { failure: transportFailed("The host could not be reached.") };
  }
}

/** A fetch of the page's own may not listen to the signal. */
function unlessAborted(sent: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new Error("aborted"));
      sent.then(discard, () => undefined);
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    sent.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function discard(response: Response): void {
  if (response.body?.locked === false) response.body.cancel().catch(() => undefined);
}

async function refusalOf(response: Response, signal: AbortSignal): Promise<TurnError | undefined> {
  const { status, headers } = response;
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!response.ok) {
    const known = type === "application/json" ? errorIn(await textOf(response, signal)) : undefined;
    return known ?? transportFailed(`The host answered with status ${String(status)} and no error that can be read.`);
  }
  if (type === "text/html" || type === "application/json") {
    return transportFailed(`The host answered with ${type}; ${TYPE} is expected.`);
  }
  const version = headers.get(VERSION_HEADER);
  if (version === null || version === String(PROTOCOL_VERSION)) return undefined;
  const message = `The host answered in another version of the protocol; this page speaks ${String(PROTOCOL_VERSION)}.`;
  return { code: "PROTOCOL_VERSION_MISMATCH", message };
}

/** `{"error":{code, message}}`, as far as it is one. */
function errorIn(text: string): TurnError | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const error = member(body, "error");
  const code = member(error, "code");
  const message = member(error, "message");
  if (!isRecord(error) || typeof code !== "string" || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) return undefined;
  return { code, message: typeof message === "string" ? clipped(message) : "The host gave no reason." };
}

function clipped(message: string): string {
  return toWellFormed(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message);
}

/** Empty for a body that is too long. */
async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  await readChunks(response, signal, (chunk) => {
    bytes += chunk.length;
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    return bytes <= MOST_ERROR_BYTES;
  });
  return bytes <= MOST_ERROR_BYTES ? text : "";
}

/**
 * Every chunk of the body, until `take` says that it has enough. Resolves to whether the body came to its end: false
 * when the connection broke or the signal aborted. What `take` throws comes out.
 */
export async function readChunks(
  response: Response,
  signal: AbortSignal,
  take: (chunk: Uint8Array | string) => boolean,
): Promise<boolean> {
  const reader = response.body?.getReader();
  if (reader === undefined) return true;
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const chunk = await reader.read().catch(() => undefined);
      if (chunk === undefined || signal.aborted) return false;
      if (chunk.done) return true;
      if (take(chunk.value)) continue;
      cancel();
      return true;
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
