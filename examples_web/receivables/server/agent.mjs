// The host of the assistant: viewcap/host over the governed runtime.
import { readFileSync } from "node:fs";
import { createHostHandler } from "viewcap/host";
import { actorOf } from "./sessions.mjs";

/** The page's compiled contracts; its domain ids are what the page may bind to what is on the screen. */
const MANIFEST = JSON.parse(readFileSync(new URL("../web/contract.json", import.meta.url), "utf8"));
const SCOPES = ["invoices", "clients", "ageing"];
const SYSTEM = `You help with accounts receivable. Amounts are in cents; say them in euros. Use the tools: those of the page
(view_…) act on what the person sees, those of the server (domain_…) on the records. Never invent figures.`;

export function createAgentHost({ governed, sessions, store, model, limits, onError }) {
  const { runtime, auditFeed } = governed;
  return createHostHandler({
    session: (request) => {
      const session = sessions.of(request);
      return session && { id: session.id, actor: actorOf(session.user), user: session.user };
    },
    runtime,
    auditFeed,
    contextFor: (actor) => ({ store, user: { id: actor.id, role: actor.attributes?.role } }),
    frontendManifest: MANIFEST,
    model,
    system: SYSTEM,
    scopeFor: (pathname) => {
      const token = SCOPES.find((scope) => pathname === `/${scope}` || pathname.startsWith(`/${scope}/`));
      return token === undefined ? [] : ["app", token];
    },
    approvals: { mayDecide: (session, record) => record.actor.id === session.actor.id, selfApproval: true },
    limits,
    ...(onError && { onError }),
  });
}

/** A person's own approvals that still wait, for the page. */
export async function pendingApprovals({ coordinator, runtime }, user) {
  const waiting = await coordinator.list({ status: "pending", actorId: user.id });
  const current = await Promise.all(waiting.map(({ id }) => runtime.approvals.get(id)));
  return current
    .filter((record) => record?.status === "pending")
    .map(({ id, capabilityId, input, reasons, requestedAt, expiresAt }) => {
      return { id, capabilityId, input, reasons, requestedAt, expiresAt };
    });
}
