// What every execution and listing of one runtime shares.

import type { DomainModule } from "../runtime/domain_module.js";
import type { AuditDelivery } from "./audit.js";
import type { RegistryParts } from "./registry.js";
import type {
  Actor,
  AgentCapability,
  AgentPolicy,
  ApprovalCoordinator,
  ApprovalHandler,
  Context,
  ExposureSurface,
  Tracing,
} from "./types.js";
import { isRecord } from "../contract/values.js";
import { EXPOSURE_SURFACES } from "../generated/domain_vocabulary.js";
import { factRecord, textFact, valueFacts } from "./value_facts.js";

export const PHASES = { discovery: 0, invocation: 1, execution: 2 } as const;
export type PhaseNumber = (typeof PHASES)[keyof typeof PHASES];

export class Engine {
  readonly module: DomainModule;
  readonly handle: number;
  readonly parts: RegistryParts;
  readonly policies: readonly AgentPolicy[];
  readonly policyTimeoutMs: number;
  readonly audit: AuditDelivery;
  readonly tracing: Tracing | undefined;
  readonly coordinator: ApprovalCoordinator;
  readonly handler: ApprovalHandler | undefined;
  readonly now: () => number;
  readonly #batches = new Map<number, readonly AgentPolicy[]>();

  constructor(fields: {
    module: DomainModule;
    handle: number;
    parts: RegistryParts;
    policies: readonly AgentPolicy[];
    policyTimeoutMs: number;
    audit: AuditDelivery;
    tracing: Tracing | undefined;
    coordinator: ApprovalCoordinator;
    handler: ApprovalHandler | undefined;
    now: () => number;
  }) {
    this.module = fields.module;
    this.handle = fields.handle;
    this.parts = fields.parts;
    this.policies = fields.policies;
    this.policyTimeoutMs = fields.policyTimeoutMs;
    this.audit = fields.audit;
    this.tracing = fields.tracing;
    this.coordinator = fields.coordinator;
    this.handler = fields.handler;
    this.now = fields.now;
  }

  /** Milliseconds that never run backwards. */
  readonly clock = (): number => performance.now();

  capability(position: number): AgentCapability | undefined {
    return this.parts.capabilities[position];
  }

  /** Policies of a batch, in the order in which the module counts them. */
  batch(capability: number, phase: PhaseNumber): readonly AgentPolicy[] {
    const key = capability * 3 + phase;
    const known = this.#batches.get(key);
    if (known !== undefined) return known;
    const text = this.module.text("", (table) => table.batch(this.handle, capability, phase));
    const positions: readonly number[] = JSON.parse(text);
    const own = this.parts.policies[capability] ?? [];
    const all = [...this.policies, ...own];
    const batch = positions.flatMap((at) => all.slice(at, at + 1));
    this.#batches.set(key, batch);
    return batch;
  }

  /** Delivers what the last crossing told; under strict audit the fate of `capability.started`. */
  deliver(): Promise<boolean> | undefined {
    return this.audit.deliver(this.module.text("", (table) => table.takeEvents(this.handle)));
  }
}

const ACTOR_FIELDS = ["id", "kind", "displayName", "attributes"];

/** The actor as it is now: nobody can turn it into another one in mid-call. It may be an instance of a class. */
export function actorSnapshot(actor: unknown): unknown {
  try {
    if (!isRecord(actor)) return actor;
    const snapshot: Record<string, unknown> = { ...actor };
    for (const field of ACTOR_FIELDS) {
      if (!Object.hasOwn(snapshot, field) && field in actor) snapshot[field] = actor[field];
    }
    return Object.freeze(snapshot);
  } catch {
    return undefined;
  }
}

/** Facts of an actor: what the module looks at and no more. */
export function actorFacts(actor: unknown): string {
  if (!isRecord(actor)) return valueFacts(actor);
  const { id, kind } = actor;
  if (typeof id === "string" && typeof kind === "string") return `{"id":${textFact(id)},"kind":${textFact(kind)}}`;
  return factRecord({ id: valueFacts(id), kind: valueFacts(kind) });
}

export function isActor(value: unknown): value is Actor {
  return isRecord(value);
}

/** What a policy or handler is handed as actor even where the call's is malformed: as it came. */
export function actorAsGiven(value: unknown): Actor {
  return isActor(value) ? value : NOBODY;
}
const NOBODY: Actor = Object.freeze({ id: "unknown", kind: "anonymous" });

export function isSurface(value: unknown): value is ExposureSurface {
  return EXPOSURE_SURFACES.some((surface) => surface === value);
}

export function contextOf(value: unknown): Context {
  return isRecord(value) ? value : {};
}
