// The agent's side of the same router: who may, who must approve, what is recorded (viewcap/domain).
import {
  allow,
  createAgentRuntime,
  createCapabilityRegistry,
  defineGovernance,
  definePolicy,
  hide,
  requireApproval,
} from "viewcap/domain";
import { createAuditFeed } from "viewcap/host";
import { createSqliteApprovalCoordinator, createSqliteAuditSink } from "viewcap/sqlite";
import { router } from "./router.mjs";

const LARGE_CENTS = 1_000_000;

/** An analyst neither sees nor calls what writes. */
const writesForCollectors = definePolicy(
  "writes are for collectors",
  ({ capability, actor }) => {
    const writes = capability.meta.sideEffect !== "read" && capability.meta.sideEffect !== "none";
    return writes && actor.attributes?.role !== "collector" ? hide() : allow();
  },
  { phases: ["discovery", "invocation"] },
);

const largePayments = definePolicy("a large payment needs an approval", ({ capability, input, context }) => {
  if (capability.id !== "mark-invoice-paid") return allow();
  const invoice = context.store.get(input.invoiceId);
  return (invoice?.amount ?? 0) > LARGE_CENTS ? requireApproval({ reason: "The amount is over 10,000.00." }) : allow();
});

export function createGovernedRuntime({ approvalsPath, auditPath, approvalExpiresInMs }) {
  const coordinator = createSqliteApprovalCoordinator({ path: approvalsPath });
  const sink = createSqliteAuditSink({ path: auditPath });
  const auditFeed = createAuditFeed();
  const runtime = createAgentRuntime({
    governance: defineGovernance({
      registry: createCapabilityRegistry(router),
      policies: [writesForCollectors, largePayments],
    }),
    // The person at the page decides what the assistant asks for in that person's name.
    approvals: { coordinator, rejectSelfApproval: false },
    audit: { sinks: [sink, auditFeed] },
    ...(approvalExpiresInMs && { defaults: { approvalExpiresInMs } }),
  });
  const close = () => {
    coordinator.close();
    sink.close();
  };
  return { runtime, coordinator, auditFeed, close };
}
