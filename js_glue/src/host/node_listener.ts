// A Fetch handler as a listener of node:http. Only shapes are named, so that http, https and http2's compatibility layer
// fit alike.

import { Refusal } from "./refusal.js";

export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket?: { readonly encrypted?: boolean } | object | null;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

export interface NodeResponse {
  readonly destroyed?: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

type Handle = (request: Request) => Promise<Response>;

export function toNodeListener(handler: Handle): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    // A response that cannot go on must not look as if it had come to its end.
    void respond(handler, request, response).catch(() => response.destroy());
  };
}

async function respond(handler: Handle, incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
  const body = new IncomingBody(incoming);
  const request = requestOf(incoming, body);
  const response = await (request === undefined ? UNREADABLE.response() : answered(handler, request));
  // What nobody read is let through: the connection serves the next request, too.
  body.discard();
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body !== null) await pipe(response.body, outgoing);
  outgoing.end();
}

const UNREADABLE = new Refusal("PROTOCOL_DECODE_ERROR", "The request names no address that can be read.");

async function answered(handler: Handle, request: Request): Promise<Response> {
  try {
    return await handler(request);
  } catch {
    return new Refusal("HOST_ERROR", "The host failed.").response();
  }
}

function requestOf(incoming: NodeRequest, { stream }: IncomingBody): Request | undefined {
  const { method = "GET", url = "/", headers: given } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    // Names with a colon are HTTP/2's own.
    if (value !== undefined && !name.startsWith(":"))
      headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const authority = given[":authority"];
  if (!headers.has("host") && typeof authority === "string") headers.set("host", authority);
  const encrypted = incoming.socket != null && "encrypted" in incoming.socket && incoming.socket.encrypted === true;
  const address = `${encrypted ? "https" : "http"}://${headers.get("host") ?? ""}${url}`;
  if (!url.startsWith("/") || !URL.canParse(address)) return undefined;
  // duplex is not in the library's types yet; a body that streams needs it.
  const init = { method, headers, body: method === "GET" || method === "HEAD" ? null : stream, duplex: "half" };
  return new Request(address, init);
}

/** Read as it is asked for. Leaving it does not end the connection: the answer still has to go out on it. */
class IncomingBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #incoming: NodeRequest;
  #over = false;

  constructor(incoming: NodeRequest) {
    this.#incoming = incoming;
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => this.#start(controller);
    const stream = { start, pull: () => void incoming.resume(), cancel: () => this.discard() };
    this.stream = new ReadableStream<Uint8Array>(stream, { highWaterMark: 0 });
  }

  discard(): void {
    this.#over = true;
    this.#incoming.resume();
  }

  #start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const incoming = this.#incoming;
    const end = (finish: () => void): void => {
      if (this.#over) return;
      this.#over = true;
      finish();
    };
    incoming.pause();
    incoming.on("data", (chunk) => {
      if (this.#over) return;
      controller.enqueue(new Uint8Array(chunk));
      incoming.pause();
    });
    incoming.on("end", () => end(() => controller.close()));
    const broken = (): void => end(() => controller.error(new Error("the connection broke")));
    incoming.on("error", broken);
    incoming.on("close", broken);
  }
}

/** As fast as the reader takes it; one that goes away is no failure of the handler's. */
async function pipe(body: ReadableStream<Uint8Array>, outgoing: NodeResponse): Promise<void> {
  const reader = body.getReader();
  const gone = (): void => void reader.cancel().catch(() => undefined);
  outgoing.on("close", gone);
  outgoing.on("error", gone);
  if (outgoing.destroyed === true) gone();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (!outgoing.write(value)) await drained(outgoing);
  }
}

function drained(outgoing: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
    if (outgoing.destroyed === true) done();
  });
}
