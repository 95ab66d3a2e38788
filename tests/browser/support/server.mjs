// A real HTTP server for fixtures: folders of files, the pages that load one module each, and headers that a test may choose.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

export const PACKAGE = folder("../../../js_glue/dist");
const MOUNTS = {
  "/viewcap/": PACKAGE,
  "/viewcap-copy/": PACKAGE,
  "/fixtures/": folder("../fixtures"),
  "/shared/": folder("../../shared"),
};
const TYPES = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

export const STRICT_CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
export const CSP_WITHOUT_WASM = "default-src 'self'; script-src 'self'";

async function fileOf(pathname) {
  const prefix = Object.keys(MOUNTS).find((mount) => pathname.startsWith(mount));
  if (prefix === undefined) return undefined;
  const path = join(MOUNTS[prefix], pathname.slice(prefix.length));
  if (!path.startsWith(MOUNTS[prefix] + sep)) return undefined;
  return (await stat(path).catch(() => undefined))?.isFile() ? path : undefined;
}

/** `/page/<name>` is an empty document whose only script is the module `/fixtures/<name>.js`. */
function pageText(pathname) {
  const name = /^\/page\/([a-z0-9_]+)$/.exec(pathname)?.[1];
  if (name === undefined) return undefined;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title>` +
    `<link rel="icon" href="/icon.svg"><script type="module" src="/fixtures/${name}.js"></script></head><body></body></html>`
  );
}

/**
 * Listens on a free port of 127.0.0.1. `wasmType` is the media type of .wasm files; `scripts` are texts by path, as a
 * test has bundled them. Resolves to {url, close}.
 */
export async function serveFixtures({ csp = STRICT_CSP, wasmType = TYPES[".wasm"], scripts = {} } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    const headers = { "content-security-policy": csp, "cache-control": "no-store" };
    const send = (status, type, body) => response.writeHead(status, { ...headers, "content-type": type }).end(body);
    const page = pageText(pathname);
    if (page !== undefined) return send(200, "text/html; charset=utf-8", page);
    if (Object.hasOwn(scripts, pathname)) return send(200, TYPES[".js"], scripts[pathname]);
    if (pathname === "/icon.svg") return send(200, "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"/>');
    return fileOf(pathname).then(
      (path) => {
        if (path === undefined) return send(404, "text/plain", "not found");
        const extension = extname(path);
        const type = extension === ".wasm" ? wasmType : (TYPES[extension] ?? "application/octet-stream");
        response.writeHead(200, { ...headers, "content-type": type });
        return createReadStream(path).pipe(response);
      },
      () => send(500, "text/plain", "failed"),
    );
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => closeServer(server),
  };
}

export function closeServer(server) {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return closed;
}
