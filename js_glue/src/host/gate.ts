// Which requests are looked at: the application's own pages, on the host's own name, with JSON (spec: host-protocol.md,
// "Step request"). The session cookie is SameSite=Strict; these rules hold where a browser or a proxy does not.

import { Refusal } from "./refusal.js";

export interface Gate {
  /** Empty: loopback names only. */
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
}

/** TypeError for an origin that is none: a path or a slash at its end would never match. */
export function gateOf(origins: readonly string[] = [], hosts: readonly string[] = []): Gate {
  for (const origin of origins) {
    if (!/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new TypeError(`origins: ${JSON.stringify(origin)} is no origin; "https://app.example.com" is one`);
    }
  }
  return {
    origins,
    hosts: [...origins.map((origin) => new URL(origin).host), ...hosts.map((one) => one.toLowerCase())],
  };
}

/** Throws the refusal of a request from elsewhere. */
export function checkOrigin({ origins, hosts }: Gate, request: Request): void {
  const host = (request.headers.get("host") ?? new URL(request.url).host).toLowerCase();
  const known = hosts.length > 0 ? hosts.includes(host) : isLoopback(host);
  if (!known) throw new Refusal("ORIGIN_REFUSED", "The request names a host that this server is not.");
  const origin = request.headers.get("origin");
  const own = origins.length > 0 ? origins : [`https://${host}`, `http://${host}`];
  if (origin !== null && !own.includes(origin)) {
    throw new Refusal("ORIGIN_REFUSED", "The request comes from another origin.");
  }
  // same-site is a sibling: it is let in where its origin was named, and only there.
  const site = request.headers.get("sec-fetch-site") ?? "none";
  const allowed = site === "same-origin" || site === "none" || (site === "same-site" && origin !== null);
  if (!allowed) throw new Refusal("ORIGIN_REFUSED", "The request comes from another site.");
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(host);
}

/** application/json, in UTF-8, as it is: a form or a text needs no preflight and is what another site could send. */
export function checkContentType({ headers }: Request): void {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const charsets = parameters.map((one) => one.trim()).filter((one) => one.startsWith("charset="));
  const utf8 = charsets.every((one) => /^charset="?utf-8"?$/.test(one));
  const encoding = headers.get("content-encoding") ?? "identity";
  if (type.trim() === "application/json" && utf8 && encoding === "identity") return;
  throw new Refusal("PROTOCOL_DECODE_ERROR", "The body must be application/json in UTF-8, not encoded otherwise.", {
    status: 415,
  });
}

export function checkMethod({ method }: Request): void {
  if (method === "POST") return;
  throw new Refusal("PROTOCOL_DECODE_ERROR", "Only POST is served here.", { status: 405, headers: { allow: "POST" } });
}
