// Procedures without oRPC, and the check of `meta.agent` on oRPC's builders (spec: domain.md §0).
//
//     const close = defineProcedure({
//       input: z.object({ ledger: z.string() }),
//       meta: { agent: { description: "Closes a ledger.", expose: { mcp: true }, sideEffect: "write", risk: "high" } },
//       use: [withTenant],
//       handler: async ({ input, context, signal }) => ledgers.close(context.tenant, input.ledger, { signal }),
//     });

import { isObject, member } from "../../contract/values.js";
import { isAgentSchema } from "../../schema/schema.js";
import type { DomainSchema } from "../schema/schema.js";
import { NO_SCHEMA, standardPart } from "../schema/validate.js";
import type { AgentMeta } from "../types.js";
import type { SchemaInput, SchemaOutput } from "./infer.js";
import type { AddedBy, AnyMiddleware, ProcedureContext, ProcedureMiddleware } from "./middleware.js";

export interface HandlerOptions<out Input, out Context> {
  /** Validated. */
  readonly input: Input;
  readonly context: Context;
  readonly signal: AbortSignal;
}

export interface ProcedureMeta {
  readonly agent?: AgentMeta;
  readonly [key: string]: unknown;
}

/** `Input`: what a caller gives. `Output`: what a caller gets. */
export interface DomainProcedure<out Input = unknown, out Output = unknown> {
  readonly inputSchema: DomainSchema | undefined;
  readonly outputSchema: DomainSchema | undefined;
  readonly meta: ProcedureMeta;
  readonly middlewares: readonly ProcedureMiddleware[];
  readonly handler: (options: HandlerOptions<unknown, ProcedureContext>) => unknown;
  /** For inference alone. */
  readonly "~types"?: { readonly input: Input; readonly output: Output };
}

type NoSchema = undefined;
/** With an output schema the handler gives what that schema takes. */
type HandlerResult<Output> = Output extends DomainSchema ? SchemaInput<Output> : unknown;

export interface ProcedureDefinition<
  Input extends DomainSchema | NoSchema,
  Output extends DomainSchema | NoSchema,
  Use extends readonly AnyMiddleware[],
  Context,
  Result,
> {
  readonly input?: Input;
  readonly output?: Output;
  readonly meta?: ProcedureMeta;
  /** Outermost first. All of it sees the validated input. */
  readonly use?: Use;
  /** An author may name the context that the application gives: `({ context }: { context: AppContext }) => …`. */
  handler(options: HandlerOptions<SchemaOutput<Input>, Context & AddedBy<Use>>): Result | PromiseLike<Result>;
}

// Known by mark and not by class: procedures of another copy of the package work here too.
const MARK = Symbol.for("viewcap.procedure");

/** TypeError for what is missing or of the wrong kind; `meta.agent` is checked where a registry is built. */
export function defineProcedure<
  Result extends HandlerResult<Output>,
  const Use extends readonly AnyMiddleware[],
  Input extends DomainSchema | NoSchema = NoSchema,
  Output extends DomainSchema | NoSchema = NoSchema,
  Context = ProcedureContext,
>(
  definition: ProcedureDefinition<Input, Output, Use, Context, Result>,
): DomainProcedure<
  Input extends DomainSchema ? SchemaInput<Input> : unknown,
  Output extends DomainSchema ? SchemaOutput<Output> : Result
> {
  if (!isObject(definition)) throw new TypeError("defineProcedure: needs { handler, input?, output?, meta?, use? }");
  const { input, output, meta = {}, use = [] } = definition;
  const handler: unknown = definition.handler;
  if (!isHandler(handler)) throw new TypeError("defineProcedure: handler must be a function");
  checkSchema("input", input);
  checkSchema("output", output);
  if (!isObject(meta)) throw new TypeError("defineProcedure: meta must be an object");
  if (!isMiddlewareList(use)) throw new TypeError("defineProcedure: use must be an array of functions");
  const procedure = { inputSchema: input, outputSchema: output, meta, middlewares: Object.freeze([...use]), handler };
  Object.defineProperty(procedure, MARK, { value: true });
  return Object.freeze(procedure);
}

function isMiddlewareList(value: unknown): value is readonly ProcedureMiddleware[] {
  return Array.isArray(value) && value.every((one) => typeof one === "function");
}

function isHandler(value: unknown): value is DomainProcedure["handler"] {
  return typeof value === "function";
}

function checkSchema(side: string, schema: unknown): void {
  if (schema === undefined || standardPart(schema) !== undefined || isAgentSchema(schema)) return;
  throw new TypeError(`defineProcedure: ${side}: ${NO_SCHEMA}`);
}

export function isDomainProcedure(value: unknown): value is DomainProcedure {
  return member(value, MARK) === true;
}

/** What `.meta()` of a builder takes, `agent` being checked. */
export type AgentBuilder<Builder extends MetaBuilder> = Omit<Builder, "meta"> & {
  meta(
    meta: Parameters<Builder["meta"]>[0] & { readonly agent?: AgentMeta },
  ): ReturnType<Builder["meta"]> extends MetaBuilder ? AgentBuilder<ReturnType<Builder["meta"]>> : never;
};
export interface MetaBuilder {
  meta(meta: never): unknown;
}

/**
 * The builder of oRPC as it is, typed so that `.meta({ agent })` is checked:
 * `agentProcedure(os.input(Ledger)).meta({ agent: { … } }).handler(…)`. To have every `.meta` of an application checked,
 * start from `os.$meta<{ agent?: AgentMeta }>({})` instead.
 */
export function agentProcedure<Builder extends MetaBuilder>(builder: Builder): AgentBuilder<Builder>;
export function agentProcedure(builder: unknown): unknown {
  return builder;
}
