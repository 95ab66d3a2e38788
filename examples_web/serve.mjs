// Serves the minimal example at / and the built package at /viewcap/, with the Content-Security-Policy that the package
// promises to work under. PORT picks the port; a taken one is replaced by a free one.
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

const HEADERS = {
  "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};

export const MINIMAL_PAGE = fileURLToPath(new URL("minimal", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../js_glue/dist", import.meta.url));

/** The file that a URL path names under the page or the package; undefined when it names none. */
async function fileOf(pathname, page) {
  const inPackage = pathname.startsWith("/viewcap/");
  const root = await realpath(inPackage ? PACKAGE : page).catch(() => undefined);
  if (root === undefined) return undefined;
  const relative = inPackage ? pathname.slice("/viewcap/".length) : pathname.slice(1);
  const path = await realpath(join(root, relative)).catch(() => undefined);
  if (path === undefined || (path !== root && !path.startsWith(root + sep))) return undefined;
  const found = await stat(path);
  if (found.isFile()) return path;
  const index = join(path, "index.html");
  return (await stat(index).catch(() => undefined))?.isFile() ? index : undefined;
}

function decodedPath(url) {
  try {
    return decodeURIComponent(new URL(url, "http://host").pathname);
  } catch {
    return undefined;
  }
}

/** Answers with the file that the path names under `page`, or with one of the package under /viewcap/. */
export async function answerFile(request, response, page) {
  const pathname = decodedPath(request.url);
  const path = pathname === undefined || pathname.includes("\0") ? undefined : await fileOf(pathname, page);
  if (path === undefined) {
    response.writeHead(404, { ...HEADERS, "content-type": "text/plain; charset=utf-8" });
    response.end("not found\n");
    return;
  }
  response.writeHead(200, { ...HEADERS, "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
  if (request.method === "HEAD") response.end();
  else createReadStream(path).pipe(response);
}

/** Listens on `port`, or on a free one when it is taken; resolves to the address. */
export async function listenOn(server, { port = 0, host = "127.0.0.1" }) {
  const listen = (number) =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(number, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
  await listen(port).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    return listen(0);
  });
  return `http://${host}:${server.address().port}/`;
}

/** The minimal page alone. Resolves to the server and its address. */
export async function serve({ port = 0, host = "127.0.0.1", page = MINIMAL_PAGE } = {}) {
  const server = createServer((request, response) => {
    answerFile(request, response, page).catch(() => response.writeHead(500).end());
  });
  return { server, url: await listenOn(server, { port, host }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { server, url } = await serve({
    port: Number(process.env.PORT ?? 8080),
    host: process.env.HOST ?? "127.0.0.1",
  });
  console.log(`viewcap: the example page is at ${url}`);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}
