// The capability registry of a server: procedures by id, with their metadata checked once, when it is built (spec:
// domain.md §§2, 3).
//
//     const registry = createCapabilityRegistry({ invoices: { list, issue } });
//     registry.filter({ surface: "mcp" }).ids();                         // ["invoices.list"]
//
// Immutable: filtering makes another registry, lists are copies. A capability that was filtered out is unknown to a
// runtime of the filtered registry, not hidden.

import { isRecord, isThenable, swallow } from "../contract/values.js";
import { AgentSurfaceDefinitionError } from "../errors.js";
import { isAgentSchema } from "../schema/schema.js";
import { asTypeError, checkLiteral, liveModule } from "./module.js";
import { toAdvertisedSchema } from "./schema/json_schema.js";
import type {
  AgentCapability,
  AgentPolicy,
  CapabilityQuery,
  CapabilityRegistryLike,
  RegistryInspection,
} from "./types.js";
import { valueFacts } from "./value_facts.js";
import { walk, type WalkedCapability } from "./walk.js";

/** Every problem of a build at once; the message has one bullet each. */
export class CapabilityBuildError extends Error {
  override readonly name = "CapabilityBuildError";
  readonly problems: readonly string[];
  constructor(message: string) {
    super(message);
    this.problems = message.split("\n- ").slice(1);
  }
}

/** What a runtime needs of a registry besides its public face. */
export interface RegistryParts {
  readonly handle: number;
  readonly capabilities: readonly AgentCapability[];
  /** Expanded, in the order in which the module counts them. */
  readonly policies: readonly (readonly AgentPolicy[])[];
  readonly excluded: RegistryInspection["excluded"];
  readonly positions: ReadonlyMap<string, number>;
}

interface Kept {
  readonly registry: number;
  readonly origins: readonly number[];
}

const partsOf = new WeakMap<object, RegistryParts>();
const collected = new FinalizationRegistry<number>((handle) => {
  const module = liveModule();
  if (!module.dead) module.call("", (table) => table.freeRegistry(handle));
});

/** Undefined for what is no registry of this package. */
export function registryParts(registry: unknown): RegistryParts | undefined {
  return isRecord(registry) ? partsOf.get(registry) : undefined;
}

export class CapabilityRegistry<Definitions = unknown> implements CapabilityRegistryLike {
  /** For types alone: what the registry was built from. */
  declare readonly "~definitions"?: Definitions;
  readonly #parts: RegistryParts;

  /** Only by createCapabilityRegistry and filter. */
  constructor(parts: RegistryParts) {
    this.#parts = parts;
    partsOf.set(this, parts);
    collected.register(this, parts.handle);
    Object.freeze(this);
  }

  /** In walk order; a fresh array. */
  ids(): string[] {
    return this.#parts.capabilities.map(({ id }) => id);
  }

  /** Exact match only. */
  get(id: string): AgentCapability | undefined {
    const position = this.#parts.positions.get(id);
    return position === undefined ? undefined : this.#parts.capabilities[position];
  }

  capabilities(): AgentCapability[] {
    return [...this.#parts.capabilities];
  }

  /** Keys combine with AND, inside a key it is any of; `{}` is everything. TypeError for what is no query. */
  filter(query: CapabilityQuery | ((capability: AgentCapability) => boolean)): CapabilityRegistry<Definitions> {
    const { handle, capabilities } = this.#parts;
    if (typeof query === "function") {
      const positions = capabilities.flatMap((capability, at) => (isKept(query(capability)) ? [at] : []));
      return this.#kept(keptOf(JSON.stringify(positions), (table) => table.keepRegistry(handle)));
    }
    return this.#kept(keptOf(valueFacts(query), (table) => table.filterRegistry(handle)));
  }

  inspect(): RegistryInspection {
    const { handle, capabilities, excluded } = this.#parts;
    const said: unknown = JSON.parse(liveModule().text("", (table) => table.inspectRegistry(handle)));
    const unexposed: unknown = isRecord(said) ? said["unexposed"] : undefined;
    return {
      capabilities: [...capabilities],
      excluded: [...excluded],
      unexposed: Array.isArray(unexposed) ? unexposed.map(String) : [],
    };
  }

  #kept({ registry, origins }: Kept): CapabilityRegistry<Definitions> {
    const { capabilities, policies, excluded } = this.#parts;
    const pick = <T>(list: readonly T[]): T[] => origins.flatMap((at) => list.slice(at, at + 1));
    return new CapabilityRegistry(partsFrom(registry, pick(capabilities), pick(policies), excluded));
  }
}

/**
 * Builds a registry from a nested record of procedures (or a Map, or a list of pairs). CapabilityBuildError with every
 * problem at once (spec §2.3); TypeError for what is no record.
 */
export function createCapabilityRegistry<const Definitions extends object>(
  definitions: Definitions,
): CapabilityRegistry<Definitions> {
  const { text, capabilities } = walk(definitions);
  const module = liveModule();
  const started: unknown = module.answer(text, (table) => table.startRegistry());
  const build = isRecord(started) ? Number(started["build"]) : 0;
  const convert: readonly unknown[] = isRecord(started) && Array.isArray(started["convert"]) ? started["convert"] : [];
  const failures = convert.map(Number).flatMap((at) => conversionFailure(at, capabilities[at]));
  const kept = keptOf(`[${failures.join(",")}]`, (table) => table.finishRegistry(build), asBuildError);
  const excluded = excludedOf(kept.registry);
  const built = capabilities.map(capabilityOf);
  const policies = capabilities.map((walked) => walked.policies);
  return new CapabilityRegistry<Definitions>(partsFrom(kept.registry, built, policies, excluded));
}

/** A promise would be a yes, whatever it comes to. */
function isKept(answer: unknown): boolean {
  if (!isThenable(answer)) return Boolean(answer);
  swallow(answer);
  throw new TypeError("filter: the predicate must answer at once; it gave a promise");
}

function conversionFailure(at: number, walked: WalkedCapability | undefined): string[] {
  const schema = walked?.inputSchema;
  if (schema === undefined) return [];
  try {
    toAdvertisedSchema(schema);
    if (isAgentSchema(schema)) checkLiteral(schema);
    return [];
  } catch (error) {
    return [`[${String(at)},${valueFacts(error instanceof Error ? error.message : "the converter threw no error")}]`];
  }
}

function capabilityOf({ path, meta, procedure, inputSchema, outputSchema }: WalkedCapability): AgentCapability {
  return Object.freeze({
    id: path.join("."),
    path,
    meta,
    procedure,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  });
}

function partsFrom(
  handle: number,
  capabilities: readonly AgentCapability[],
  policies: readonly (readonly AgentPolicy[])[],
  excluded: RegistryInspection["excluded"],
): RegistryParts {
  const positions = new Map(capabilities.map(({ id }, at) => [id, at]));
  return { handle, capabilities: Object.freeze([...capabilities]), policies, excluded, positions };
}

function excludedOf(handle: number): RegistryInspection["excluded"] {
  const said: unknown = JSON.parse(liveModule().text("", (table) => table.inspectRegistry(handle)));
  const list: unknown = isRecord(said) ? said["excluded"] : undefined;
  const excluded: readonly unknown[] = Array.isArray(list) ? list : [];
  return Object.freeze(
    excluded.map((entry) =>
      Object.freeze({ path: isRecord(entry) ? String(entry["path"]) : "", reason: "no-agent-meta" as const }),
    ),
  );
}

type Table = Parameters<Parameters<ReturnType<typeof liveModule>["answer"]>[1]>[0];

function keptOf(text: string, use: (table: Table) => number, mistake = asTypeError): Kept {
  let answer: unknown;
  try {
    answer = liveModule().answer(text, use);
  } catch (error) {
    throw mistake(error);
  }
  const origins: unknown = isRecord(answer) ? answer["origins"] : undefined;
  return {
    registry: isRecord(answer) ? Number(answer["registry"]) : 0,
    origins: Array.isArray(origins) ? origins.map(Number) : [],
  };
}

function asBuildError(error: unknown): unknown {
  return error instanceof AgentSurfaceDefinitionError ? new CapabilityBuildError(error.message) : error;
}
