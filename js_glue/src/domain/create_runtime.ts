// Makes a runtime out of its options, or refuses them (spec: domain.md §5).

import { isRecord, member } from "../contract/values.js";
import { auditSettings, AuditDelivery, type AuditOptions } from "./audit.js";
import { createInMemoryApprovalCoordinator } from "./approvals/memory.js";
import { Engine } from "./engine.js";
import { asTypeError, liveModule } from "./module.js";
import { flattenPolicies } from "./policies.js";
import { registryParts, type CapabilityRegistry, type RegistryParts } from "./registry.js";
import { AgentRuntime } from "./runtime.js";
import { toAdvertisedSchema } from "./schema/json_schema.js";
import type { ApprovalCoordinator, ApprovalHandler, AuditSink, Governance, Tracing } from "./types.js";
import { factRecord, valueFacts } from "./value_facts.js";

export interface AgentRuntimeOptions<Definitions = unknown> {
  readonly governance: Governance & { readonly registry: CapabilityRegistry<Definitions> };
  readonly approvals?: {
    /** Default: in memory, sharing `now`. */
    readonly coordinator?: ApprovalCoordinator;
    /** Decides inline, in the same execution. */
    readonly handler?: ApprovalHandler;
    /** Requester and approver must differ; default true. */
    readonly rejectSelfApproval?: boolean;
  };
  readonly audit?: AuditSink | readonly AuditSink[] | AuditOptions;
  readonly tracing?: Tracing;
  readonly defaults?: {
    /** Of one attempt; default 30000. */
    readonly timeoutMs?: number;
    /** Of one batch of policies; default 5000. */
    readonly policyTimeoutMs?: number;
    /** Capabilities at once in a listing; default 16. */
    readonly policyConcurrency?: number;
    /** Of a whole listing; default 30000. */
    readonly discoveryBudgetMs?: number;
    /** Default 900000. */
    readonly approvalExpiresInMs?: number;
  };
  /** Milliseconds of the Unix epoch; default: the system's clock. */
  readonly now?: () => number;
}

/** Synchronous and without I/O. TypeError for options that cannot be; an Error for the first schema that no model can read. */
export function createAgentRuntime<Definitions>(options: AgentRuntimeOptions<Definitions>): AgentRuntime<Definitions> {
  const governance: unknown = isRecord(options) ? options.governance : undefined;
  const parts = registryParts(member(governance, "registry"));
  if (parts === undefined || !Array.isArray(member(governance, "manifest"))) {
    throw new TypeError("createAgentRuntime: governance must be what defineGovernance({ registry, policies? }) gave");
  }
  const audit = auditSettings(options.audit);
  const given = options.now ?? Date.now;
  if (typeof given !== "function") throw new TypeError("createAgentRuntime: now must be a function");
  const now = soundClock(given);
  const policies = flattenPolicies(options.governance.policies);
  const { coordinator, handler } = checkedApprovals(options.approvals);
  const facts = factRecord({
    policies: valueFacts(policies.map(({ name, phases }) => ({ name, phases }))),
    defaults: options.defaults === undefined ? undefined : valueFacts(options.defaults),
    approvals: valueFacts({
      coordinator: coordinator !== undefined,
      handler: handler !== undefined,
      rejectSelfApproval: options.approvals?.rejectSelfApproval,
    }),
    audit: valueFacts({ sinks: audit.emits.length, strict: audit.strict, verbose: audit.verbose }),
  });
  const module = liveModule();
  let made: unknown;
  try {
    made = module.answer(facts, (table) => table.createRuntime(parts.handle));
  } catch (error) {
    throw asTypeError(error);
  }
  checkConvertible(parts);
  const fields = isRecord(made) ? made : {};
  for (const warning of Array.isArray(fields["warnings"]) ? fields["warnings"] : []) console.warn(String(warning));
  const engine = new Engine({
    module,
    handle: Number(fields["runtime"]),
    parts,
    policies,
    policyTimeoutMs: Number(fields["policyTimeoutMs"]),
    audit: new AuditDelivery(audit),
    tracing: options.tracing,
    coordinator: coordinator ?? createInMemoryApprovalCoordinator({ now }),
    handler,
    now,
  });
  return new AgentRuntime(options.governance, engine);
}

/** A clock of the caller's may be anything: what is no time is not passed on. */
function soundClock(now: () => unknown): () => number {
  return () => {
    try {
      const time = now();
      if (typeof time === "number" && Number.isFinite(time)) return time;
    } catch {
      // The system's clock answers instead.
    }
    return Date.now();
  };
}

function checkedApprovals(approvals: AgentRuntimeOptions["approvals"]) {
  if (approvals !== undefined && !isRecord(approvals))
    throw new TypeError("createAgentRuntime: approvals must be an object");
  const { coordinator, handler } = approvals ?? {};
  if (handler !== undefined && typeof handler !== "function") {
    throw new TypeError("createAgentRuntime: approvals.handler must be a function");
  }
  for (const method of coordinator === undefined ? [] : ["create", "get", "decide", "markConsumed"]) {
    if (typeof member(coordinator, method) !== "function") {
      throw new TypeError(`createAgentRuntime: approvals.coordinator must have ${method}()`);
    }
  }
  return { coordinator, handler };
}

/** Again, because a converter may have been registered since the registry was built (spec §11). */
function checkConvertible({ capabilities }: RegistryParts): void {
  for (const { id, meta, inputSchema } of capabilities) {
    if (inputSchema === undefined || (meta.expose.aiSdk !== true && meta.expose.mcp !== true)) continue;
    try {
      toAdvertisedSchema(inputSchema);
    } catch (error) {
      const why = error instanceof Error ? error.message : "the converter threw";
      throw new Error(`createAgentRuntime: the input schema of ${JSON.stringify(id)}: ${why}`, { cause: error });
    }
  }
}
