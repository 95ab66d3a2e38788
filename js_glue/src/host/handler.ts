// The host's server: one handler of Fetch requests (spec: host-protocol.md).
//
//     const handler = createHostHandler({ session, runtime, model: aiSdkModel(openai("…")), origins: ["https://…"] });
//     createServer(toNodeListener(handler)).listen(3000);
//
// Order of the checks: path, method, host and origin, content type, session, authority, rate, then the body. Whatever
// goes wrong inside is HOST_ERROR without its text; the operator hears it by onError.

import { isRecord } from "../contract/values.js";
import { CapabilityError } from "../domain/capability_error.js";
import { loadRuntime } from "../entry.node.js";
import { answerApproval } from "./approvals_endpoint.js";
import { checkContentType, checkMethod, checkOrigin } from "./gate.js";
import { report, tellerOf } from "./host_audit.js";
import { settingsOf, type Settings } from "./options.js";
import { RateWindow } from "./rate.js";
import { Refusal } from "./refusal.js";
import { RunningSteps } from "./running_steps.js";
import { answerStep } from "./step_endpoint.js";
import type { HostHandler, HostOptions, HostSession } from "./types.js";

type Route = { readonly to: "step" } | { readonly to: "approval"; readonly id: string };

/** TypeError for options that cannot be. */
export function createHostHandler<S extends HostSession>(options: HostOptions<S>): HostHandler {
  const settings = settingsOf(options);
  const running = new RunningSteps(settings.limits.runningSteps);
  const rate = new RateWindow(settings.limits.requestsPerMinute);
  const handle = async (request: Request): Promise<Response> => {
    let session: S | undefined;
    try {
      const route = routeOf(settings, request);
      checkMethod(request);
      checkOrigin(settings.gate, request);
      checkContentType(request);
      session = await sessionOf(settings, request);
      rate.take(session.id, Date.now());
      await loadRuntime();
      if (route.to === "step") return await answerStep(settings, running, session, request);
      return await answerApproval(settings, session, request, route.id);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : inside(settings, error);
      tellerOf(settings, session)("request.refused", { code: refusal.code, status: refusal.status });
      return refusal.response();
    }
  };
  return Object.assign(handle, { idle: () => running.idle() });
}

function routeOf<S extends HostSession>({ paths }: Settings<S>, { url }: Request): Route {
  const { pathname } = new URL(url);
  if (pathname === paths.step) return { to: "step" };
  const id = pathname.startsWith(`${paths.approvals}/`) ? pathname.slice(paths.approvals.length + 1) : "";
  // The ids that a coordinator gets are made of these; nothing else is looked up.
  if (/^[\w.~-]{1,128}$/.test(id)) return { to: "approval", id };
  throw new Refusal("PROTOCOL_DECODE_ERROR", "There is nothing under this path.", { status: 404 });
}

/** From a request without its body: nothing that a model wrote can say who asks. */
async function sessionOf<S extends HostSession>(settings: Settings<S>, request: Request): Promise<S> {
  const { url, headers } = request;
  const session = await settings.session(new Request(url, { method: "POST", headers }));
  if (session === undefined || session === null) throw new Refusal("NOT_AUTHENTICATED", "There is no session.");
  if (!isRecord(session) || typeof session.id !== "string" || session.id === "" || !isRecord(session.actor)) {
    throw new TypeError("session() must give { id, actor }, or nothing");
  }
  if ((await settings.authorize(session)) !== true) {
    throw new Refusal("NOT_AUTHORIZED", "This session may not use the agent.");
  }
  return session;
}

function inside<S extends HostSession>({ onError }: Settings<S>, error: unknown): Refusal {
  report(onError, error, "request");
  const slow = error instanceof CapabilityError && error.code === "TIMEOUT";
  return new Refusal("HOST_ERROR", slow ? "The tools could not be listed in time." : "The host failed.");
}
