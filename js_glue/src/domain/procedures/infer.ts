// Types from procedures and from nested records of them: ids, inputs and outputs, for both kinds of procedure.

import type { AgentSchema } from "../../schema/schema.js";

/** What a caller gives: fields with a default are optional. */
export type SchemaInput<Schema> =
  StandardTypes<Schema> extends { readonly input: infer Input } ? Input : Literal<Schema>;
/** What validation gives. */
export type SchemaOutput<Schema> =
  StandardTypes<Schema> extends { readonly output: infer Output } ? Output : Literal<Schema>;

type StandardTypes<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types>
  : unknown;
type Literal<Schema> = Schema extends AgentSchema<infer T> ? T : unknown;

interface TypedProcedure<Input = unknown, Output = unknown> {
  readonly "~types"?: { readonly input: Input; readonly output: Output };
  readonly middlewares: readonly unknown[];
}
/** oRPC's, as far as types need it. A contract alone has no handler. */
interface OrpcProcedure {
  readonly "~orpc": { readonly handler: unknown };
}

export type AnyProcedure = TypedProcedure | OrpcProcedure;

/** What `invoke` takes for this procedure. */
export type InferInput<Procedure> = Procedure extends { readonly "~orpc": { readonly inputSchema?: infer Schema } }
  ? SchemaInput<NonNullable<Schema>>
  : Procedure extends TypedProcedure<infer Input>
    ? Input
    : never;

/** What `invoke` gives, redaction aside. */
export type InferOutput<Procedure> = Procedure extends { readonly "~orpc": { readonly outputSchema?: infer Schema } }
  ? SchemaOutput<NonNullable<Schema>>
  : Procedure extends TypedProcedure<unknown, infer Output>
    ? Output
    : never;

type Key = string | number;
type Open = ReadonlyMap<string, unknown> | readonly (readonly [string, unknown])[];

/** Dotted ids of the procedures in a nested record; `string` where a Map or a list of pairs hides its keys. */
export type CapabilityIdOf<Definitions> = Definitions extends Open
  ? string
  : {
      [K in keyof Definitions & Key]: Definitions[K] extends AnyProcedure
        ? `${K}`
        : Definitions[K] extends object
          ? `${K}.${CapabilityIdOf<Definitions[K]>}`
          : never;
    }[keyof Definitions & Key];

/** The procedure at a dotted id; unknown below a Map or a list of pairs. */
export type ProcedureAt<Definitions, Id extends string> = Definitions extends Open
  ? unknown
  : {
      [K in keyof Definitions & Key]: Id extends `${K}`
        ? Definitions[K]
        : Id extends `${K}.${infer Rest}`
          ? ProcedureAt<Definitions[K], Rest>
          : never;
    }[keyof Definitions & Key];

export type InputOf<Definitions, Id extends string> =
  unknown extends ProcedureAt<Definitions, Id> ? unknown : InferInput<ProcedureAt<Definitions, Id>>;
export type OutputOf<Definitions, Id extends string> =
  unknown extends ProcedureAt<Definitions, Id> ? unknown : InferOutput<ProcedureAt<Definitions, Id>>;
