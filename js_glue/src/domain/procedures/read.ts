// What an author's value is: a procedure of either kind, something of oRPC's that is no procedure yet, or none of them.
//
// oRPC's things are read by their shape, `~orpc`, as oRPC itself reads those of another copy of its package. Its marks
// of lazy entries and event iterators are symbols that no other package can name; they are known by their description.

import { isObject, member } from "../../contract/values.js";
import type { DomainSchema } from "../schema/schema.js";
import { isDomainProcedure } from "./define.js";

const LAZY = "ORPC_LAZY_SYMBOL";
const EVENT_ITERATOR = "ORPC_EVENT_ITERATOR_DETAILS";

export interface ProcedureView {
  /** As it was given. */
  readonly procedure: object;
  readonly inputSchema: DomainSchema | undefined;
  readonly outputSchema: DomainSchema | undefined;
  readonly meta: unknown;
}

export type Found =
  | { readonly kind: "procedure"; readonly view: ProcedureView }
  /** oRPC's lazy(…), a procedure or a router that is not loaded. */
  | { readonly kind: "lazy" }
  /** A contract, or a builder that got no handler. */
  | { readonly kind: "contract" }
  | { readonly kind: "other" };

/** Runs getters of the value, which may throw. */
export function findProcedure(value: unknown): Found {
  // A callable procedure of oRPC is a function.
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return { kind: "other" };
  // Before all else: oRPC's lazy routers answer to every name.
  if (hasMark(value, LAZY)) return { kind: "lazy" };
  const definition = orpcDefinition(value);
  if (definition !== undefined) {
    return isImplemented(definition) ? { kind: "procedure", view: viewOf(value, definition) } : { kind: "contract" };
  }
  return isDomainProcedure(value) ? { kind: "procedure", view: viewOf(value, value) } : { kind: "other" };
}

/** The `~orpc` of a procedure, a contract or a builder. */
export function orpcDefinition(value: object): object | undefined {
  const definition: unknown = Reflect.get(value, "~orpc");
  return isObject(definition) ? definition : undefined;
}

function isImplemented(definition: object): boolean {
  return typeof member(definition, "handler") === "function" && Array.isArray(member(definition, "middlewares"));
}

function viewOf(procedure: object, definition: object): ProcedureView {
  return {
    procedure,
    inputSchema: schemaOf(member(definition, "inputSchema")),
    outputSchema: schemaOf(member(definition, "outputSchema")),
    meta: member(definition, "meta"),
  };
}

function schemaOf(value: unknown): DomainSchema | undefined {
  return isSchema(value) ? value : undefined;
}

/** Whatever stands there is the schema: if it is none, converting or validating says so. */
function isSchema(value: unknown): value is DomainSchema {
  return value !== undefined && value !== null;
}

/** One that describes a stream of events instead of one value. */
export function isStreamSchema(schema: DomainSchema): boolean {
  const standard: unknown = Reflect.get(Object(schema), "~standard");
  return isObject(standard) && hasMark(standard, EVENT_ITERATOR);
}

function hasMark(value: object, description: string): boolean {
  return Object.getOwnPropertySymbols(value).some((symbol) => symbol.description === description);
}
