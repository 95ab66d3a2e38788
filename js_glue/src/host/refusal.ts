// How the host says no: a status, a code, one sentence (host_protocol/PROTOCOL.md §4). The sentence never repeats a value
// of the request, and nothing of what went wrong inside.

import { HOST_ERROR_STATUS, PROTOCOL_VERSION, type HostErrorCode } from "../generated/protocol_vocabulary.js";

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: HostErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON Pointer into the body, of decode errors. */
  readonly path: string | undefined;

  constructor(
    code: HostErrorCode,
    message: string,
    { status, path, headers }: { status?: number; path?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status ?? HOST_ERROR_STATUS[code];
    this.path = path;
    this.headers = headers ?? {};
  }

  response(): Response {
    const error = { code: this.code, message: this.message, ...(this.path === undefined ? {} : { path: this.path }) };
    return jsonResponse({ error }, this.status, this.headers);
  }
}

export function jsonResponse(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-host-protocol-version": String(PROTOCOL_VERSION),
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
