// One describe from the caller's side: runs the batches that the module asks for, several at once, and makes descriptors
// of what it lists (spec: domain.md §7).

import { Listing } from "../runtime/domain_table.js";
import type { ListingStep } from "../runtime/domain_module.js";
import { CapabilityError } from "./capability_error.js";
import { PHASES, type Engine } from "./engine.js";
import { asTypeError } from "./module.js";
import { policyRequest } from "./policy_request.js";
import { ranOut, runBatch } from "./policy_runner.js";
import { toAdvertisedSchema, toJsonSchema } from "./schema/json_schema.js";
import type { Actor, AgentCapability, CapabilityDescriptor, Context, ExposureSurface } from "./types.js";

interface Asking {
  readonly surface: ExposureSurface;
  readonly actor: Actor;
  readonly context: Context;
}

const NO_INPUT = Object.freeze({ type: "object" });

/** `text`: what the module's describe takes. Rejects with a TypeError for misuse, with TIMEOUT over the budget. */
export async function describe(engine: Engine, text: string, asking: Asking): Promise<CapabilityDescriptor[]> {
  let first: ListingStep;
  try {
    first = engine.module.describe(engine.handle, engine.clock(), engine.now(), text);
  } catch (error) {
    throw asTypeError(error);
  }
  const listing = await new Promise<readonly number[]>((resolve, reject) => {
    new Lister(engine, asking, resolve, reject).go(first);
  });
  return listing.map((coded) => descriptor(engine, asking.surface, coded >> 1, (coded & 1) === 1));
}

class Lister {
  readonly #engine: Engine;
  readonly #asking: Asking;
  readonly #resolve: (listing: readonly number[]) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    engine: Engine,
    asking: Asking,
    resolve: (listing: readonly number[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#asking = asking;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  go(first: ListingStep): void {
    try {
      let step = first;
      while (step.kind === Listing.run) step = this.#run(step);
      if (step.kind === Listing.finished) this.#finish(step);
      if (step.kind === Listing.overBudget) this.#reject(overBudget());
    } catch (error) {
      this.#reject(new CapabilityError({ code: "INTERNAL_ERROR", stage: "discovery", cause: error }));
    }
  }

  /** Runs the batch that the step names; what comes after it, or beside it where it takes its time. */
  #run({ discovery, capability, timeoutMs }: ListingStep): ListingStep {
    const engine = this.#engine;
    const found = engine.capability(capability);
    if (found === undefined) throw new Error("the module named a capability that is not there");
    const request = policyRequest(PHASES.discovery, found, this.#asking);
    const policies = engine.batch(capability, PHASES.discovery);
    const end = engine.clock() + timeoutMs;
    const report = runBatch({ policies, request, timeoutMs, clock: engine.clock });
    const reported = (text: string): ListingStep => {
      // A timer may be early by less than a millisecond; a batch that was late has had all its time.
      const at = ranOut(text) ? Math.max(engine.clock(), end) : engine.clock();
      return engine.module.reported(engine.handle, discovery, capability, at, engine.now(), text);
    };
    if (typeof report === "string") return reported(report);
    void report.then((text) => {
      try {
        this.go(reported(text));
      } catch (error) {
        this.#reject(error);
      }
    });
    return engine.module.nextCandidate(engine.handle, discovery, engine.clock(), engine.now());
  }

  #finish(step: ListingStep): void {
    if (step.events) void this.#engine.deliver();
    const listing: readonly number[] = JSON.parse(step.text);
    this.#resolve(listing);
  }
}

function overBudget(): CapabilityError {
  return new CapabilityError({
    code: "TIMEOUT",
    stage: "discovery",
    publicMessage: "Listing the capabilities took longer than its budget (discoveryBudgetMs).",
  });
}

function descriptor(
  engine: Engine,
  surface: ExposureSurface,
  position: number,
  requiresApproval: boolean,
): CapabilityDescriptor {
  const capability = engine.capability(position);
  if (capability === undefined) throw new Error("the module listed a capability that is not there");
  const { id, meta } = capability;
  const inputSchema = schemaOf(capability, surface);
  return {
    id,
    description: meta.description,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    sideEffect: meta.sideEffect,
    risk: meta.risk,
    tags: meta.tags,
    ...(requiresApproval ? { requiresApproval: true } : {}),
  };
}

/** Models need a schema; elsewhere one that cannot be converted is left out (decision 14). */
function schemaOf({ inputSchema }: AgentCapability, surface: ExposureSurface): CapabilityDescriptor["inputSchema"] {
  if (inputSchema === undefined) return NO_INPUT;
  if (surface === "aiSdk" || surface === "mcp") return toAdvertisedSchema(inputSchema);
  try {
    return toJsonSchema(inputSchema);
  } catch {
    return undefined;
  }
}
