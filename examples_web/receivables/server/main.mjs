// The server of the workbench: the page, the router for people, the host for the assistant, one SQLite file.
//
//     node examples_web/receivables/server/main.mjs       PORT, HOST, DATA (a folder), TODAY (an ISO date)
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toNodeListener } from "viewcap/host";
import { answerFile, listenOn, MINIMAL_PAGE } from "../../serve.mjs";
import { createAgentHost, pendingApprovals } from "./agent.mjs";
import { openDatabase } from "./database.mjs";
import { createGovernedRuntime } from "./governance.mjs";
import { InvoiceStore } from "./invoices.mjs";
import { chooseModel } from "./model.mjs";
import { createRpc } from "./rpc.mjs";
import { json, Sessions } from "./sessions.mjs";

const BUILD = fileURLToPath(new URL("../../../build", import.meta.url));
const PAGE = join(BUILD, "receivables");
const ROUTES = /^\/(?:invoices|clients|ageing|approvals)?\/?$/;

/** Requests that may change something come from the page itself. */
function fromElsewhere(request) {
  const origin = request.headers.get("origin");
  if (origin !== null) return origin !== new URL(request.url).origin;
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

function createApi({ sessions, store, governed, rpc }) {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== "GET" && fromElsewhere(request)) return json({ error: "another site's request" }, 403);
    if (pathname.startsWith("/rpc/")) return rpc(request);
    if (pathname === "/api/session") return sessions.answer(request);
    const user = sessions.of(request)?.user;
    if (user === undefined) return json({ error: "not signed in" }, 401);
    if (pathname === "/api/approvals") return json(await pendingApprovals(governed, user));
    if (pathname === "/api/today") return json({ today: store.today });
    return json({ error: "there is nothing here" }, 404);
  };
}

/** `dataFolder` holds the SQLite files. Resolves to the address and close(), which waits for steps that run. */
export async function startServer(options = {}) {
  const {
    port = 0,
    host = "127.0.0.1",
    dataFolder = join(BUILD, "receivables-data"),
    today,
    page = PAGE,
    limits,
    onError,
  } = options;
  mkdirSync(dataFolder, { recursive: true });
  const opened = openDatabase({ path: join(dataFolder, "receivables.db"), today });
  const store = new InvoiceStore(opened);
  const sessions = new Sessions(opened);
  const governed = createGovernedRuntime({
    approvalsPath: join(dataFolder, "approvals.db"),
    auditPath: join(dataFolder, "audit.db"),
    approvalExpiresInMs: options.approvalExpiresInMs,
  });
  const chosen =
    options.model === undefined
      ? await chooseModel(options.environment, { paceMs: options.paceMs })
      : { model: options.model, name: "given" };
  const agent = createAgentHost({ governed, sessions, store, model: chosen.model, limits, onError });
  const agentListener = toNodeListener(agent);
  const apiListener = toNodeListener(createApi({ sessions, store, governed, rpc: createRpc({ sessions, store }) }));

  const server = createServer((request, response) => {
    const path = request.url.split("?", 1)[0];
    if (path.startsWith("/agent/")) return agentListener(request, response);
    if (path.startsWith("/api/") || path.startsWith("/rpc/")) return apiListener(request, response);
    if (path === "/minimal") return response.writeHead(308, { location: "/minimal/" }).end();
    const [root, url] =
      path.startsWith("/minimal/") || path.startsWith("/viewcap/")
        ? [MINIMAL_PAGE, path.replace(/^\/minimal/, "")]
        : [page, ROUTES.test(path) ? "/index.html" : path];
    answerFile({ url, method: request.method }, response, root).catch(() => response.writeHead(500).end());
  });
  const url = await listenOn(server, { port, host });
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    await agent.idle();
    server.closeAllConnections();
    await closed;
    governed.close();
    opened.close();
  };
  return { url, server, close, governed, store, modelName: chosen.name };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { PORT = "8080", HOST, DATA, TODAY } = process.env;
  const { url, close, modelName } = await startServer({
    port: Number(PORT),
    host: HOST,
    dataFolder: DATA,
    today: TODAY,
    paceMs: 25,
  });
  console.log(`viewcap: the example page is at ${url}`);
  console.log(`         the minimal page is at ${url}minimal/; the model is ${modelName}`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void close());
}
