// References to procedures of the server (spec: contextual.md): what the model sees of one, and what the page binds.
//
//     const approve = defineAgentProcedureContract({ id: "domain:approve-invoice", description: …, input, effect: "server-mutation" });
//     registry.registerProcedure(approve, refs["approve-invoice"], { bind: () => ({ invoiceId: open.id }) });
//
// Data only; nothing here needs the module.

import { invalidDefinition } from "../errors.js";
import type { ConfirmationLevel, Effect } from "../generated/vocabulary.js";
import { jsonText, LOOSE_BOUNDS } from "../json/value.js";
import { isAgentSchema, type AgentSchema, type JsonSchema } from "../schema/schema.js";
import type { Policy } from "./policy.js";
import type { Concurrency, JsonRecord } from "./types.js";
import { isObject } from "./values.js";

export type ServerEffect = Extract<Effect, "server-query" | "server-mutation" | "external-side-effect" | "destructive">;

export interface AgentProcedureContract<out Input = unknown, out Output = unknown> {
  /** `domain:` and the procedure's path. */
  readonly id: `domain:${string}`;
  /** At most 300 characters, written for the agent. */
  readonly description: string;
  readonly input: AgentSchema<Input>;
  readonly output?: AgentSchema<Output>;
  readonly effect: ServerEffect;
  /** Default by effect: query never, mutation optional, the others required. */
  readonly confirmation?: ConfirmationLevel;
  readonly meta?: JsonRecord;
}

/** What a procedure may be at most, as the server's side says it. */
export interface ProcedureManifestEntry {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly effect: ServerEffect;
  readonly requiresApproval?: boolean;
}

/** A procedure that can be referred to; createProcedureBridge makes them. */
export interface ProcedureRef {
  readonly path: string;
}

export interface ProcedureConfig<Input = unknown> {
  readonly when?: () => unknown;
  readonly unavailableReason?: string | (() => string);
  /** Live state of the page as part of the input; asked at every call. Synchronous, a plain object. */
  readonly bind?: () => Partial<Input>;
  /** The keys that `bind` gives; without it those of the first time that it succeeds. */
  readonly boundFields?: readonly string[];
  /** Bound keys that the agent may give itself. */
  readonly overridableFields?: readonly string[];
  /** The component that it belongs to and ends with: its handle, or type and instance. */
  readonly owner?: object;
  /** Raises the contract's level, never lowers it. */
  readonly confirmation?: "optional" | "required";
  /** One sentence on the state that it would act on; told beside the availability, never in the description. */
  readonly describe?: () => string;
  readonly policies?: readonly Policy[];
  readonly meta?: JsonRecord;
  readonly concurrency?: Concurrency;
}

/** A reference for the `procedures` of a component. */
export interface BoundProcedure {
  readonly ref: ProcedureRef;
  readonly config: ProcedureConfig & { readonly contract?: AgentProcedureContract };
}

/** A contract with its input and output types inferred from the schemas. */
export function defineAgentProcedureContract<I, O = unknown>(
  contract: AgentProcedureContract<I, O>,
): AgentProcedureContract<I, O> {
  if (!isObject(contract)) throw invalidDefinition("a procedure contract is an object");
  return Object.freeze({ ...contract });
}

/** What the manifest says of `ref` is the contract, unless `config` brings one of its own. */
export function bindAgentProcedure<I = unknown>(
  ref: ProcedureRef,
  config: ProcedureConfig<I> & { readonly contract?: AgentProcedureContract<I> } = {},
): BoundProcedure {
  if (!isObject(ref) || !isObject(config))
    throw invalidDefinition("bindAgentProcedure takes a reference and an object");
  const bound = Object.freeze({ ref, config });
  if (!isBoundProcedure(bound)) throw invalidDefinition("bindAgentProcedure: a reference has a path");
  return bound;
}

export function isBoundProcedure(value: unknown): value is BoundProcedure {
  if (!isObject(value)) return false;
  const ref: unknown = Reflect.get(value, "ref");
  return isObject(ref) && typeof Reflect.get(ref, "path") === "string" && isObject(Reflect.get(value, "config"));
}

/** A contract by what it is made of. */
export function isProcedureContract(value: unknown): value is AgentProcedureContract {
  if (!isObject(value)) return false;
  const id: unknown = Reflect.get(value, "id");
  return typeof id === "string" && id.startsWith("domain:") && typeof Reflect.get(value, "effect") === "string";
}

const entries = new WeakMap<object, ProcedureManifestEntry>();

/** Only what a bridge made is known. */
export function rememberRef(ref: ProcedureRef, entry: ProcedureManifestEntry): void {
  entries.set(ref, entry);
}

export function manifestEntryOf(ref: object): ProcedureManifestEntry | undefined {
  return entries.get(ref);
}

/** What the manifest says, as a contract's literal JSON. */
export function derivedContract(ref: ProcedureRef, entry: ProcedureManifestEntry): object {
  const { description, inputSchema, outputSchema, effect, requiresApproval } = entry;
  return {
    id: `domain:${ref.path}`,
    description,
    input: inputSchema,
    ...(outputSchema === undefined ? {} : { output: outputSchema }),
    effect,
    ...(requiresApproval === true ? { confirmation: "required" } : {}),
  };
}

/** A contract as literal JSON: what crosses, and what an authority's hash is over. Throws INVALID_DEFINITION. */
export function literalProcedure(contract: object): object {
  const id: unknown = Reflect.get(contract, "id");
  const literal: Record<string, unknown> = { __proto__: null };
  for (const key of Object.keys(contract)) {
    const value: unknown = Reflect.get(contract, key);
    if (value === undefined) continue;
    const schema = key === "input" || key === "output";
    if (schema && !isAgentSchema(value)) {
      throw invalidDefinition(
        `procedure "${String(id)}": ${key} is no schema; make one with fromJsonSchema or fromStandardSchema`,
      );
    }
    literal[key] = schema && isAgentSchema(value) ? value.jsonSchema : value;
  }
  const json = jsonText(literal, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`procedure "${String(id)}": ${json.problem.message}`);
  return literal;
}
