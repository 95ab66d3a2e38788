// A request's body, never more of it than is allowed.

import { Refusal } from "./refusal.js";

/** 413 as soon as it is known; 400 when the connection breaks. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refusal("PROTOCOL_DECODE_ERROR", "The body broke off.");
    });
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

function tooLarge(maxBytes: number): Refusal {
  const message = `The body has more than the ${String(maxBytes)} bytes that are allowed.`;
  return new Refusal("PROTOCOL_DECODE_ERROR", message, { status: 413 });
}
