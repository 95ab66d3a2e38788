// Contracts, bindings, and the expanded form. All of it is data: nothing here needs the module.

import { invalidDefinition } from "../errors.js";
import type { AgentSchema } from "../schema/schema.js";
import type {
  ActionContract,
  ActionDefinition,
  Actions,
  AgentComponentContract,
  AgentComponentDefinition,
  ComponentBinding,
  ComponentContractFields,
  HandlerContext,
  ObservationContract,
  ObservationDefinition,
  Observations,
  PreconditionFailure,
} from "./types.js";
import { isObject } from "./values.js";

/** A contract for one observation, with its output type inferred from the schema. */
export function observationContract<O>(contract: ObservationContract<O>): ObservationContract<O> {
  return Object.freeze({ ...contract });
}

/** A contract for one action, with input and output types inferred from the schemas. */
export function actionContract<I, O = unknown>(contract: ActionContract<I, O>): ActionContract<I, O> {
  return Object.freeze({ ...contract });
}

/** What a bound definition was made of: the contract is checked once per registry, however many instances bind it. */
export interface Bound {
  readonly contract: object;
  readonly binding: object;
}
const bound = new WeakMap<object, Bound>();

export function boundOf(definition: object): Bound | undefined {
  return bound.get(definition);
}

export function defineAgentComponentContract<
  const O extends Observations = Record<never, never>,
  const A extends Actions = Record<never, never>,
>(fields: ComponentContractFields<O, A>): AgentComponentContract<O, A> {
  if (!isObject(fields)) throw invalidDefinition("a component contract is an object");
  const copy: ComponentContractFields<O, A> = { ...fields };
  for (const table of [copy.observations, copy.actions]) if (isObject(table)) freezeTable(table);
  const contract: AgentComponentContract<O, A> = Object.freeze({
    ...copy,
    bind: (binding: ComponentBinding<O, A>): AgentComponentDefinition => bind(contract, binding),
  });
  return contract;
}

function freezeTable(table: object): void {
  for (const entry of Object.values(table)) if (isObject(entry)) Object.freeze(entry);
  Object.freeze(table);
}

/** What a contract's own `bind` does; the registry checks the binding. */
export function bind(contract: object, binding: unknown): AgentComponentDefinition {
  if (!isObject(binding)) throw invalidDefinition(`component ${nameOf(contract)}: a binding is an object`);
  const definition: Record<string, unknown> = {};
  for (const key of Object.keys(contract)) if (key !== "bind") definition[key] = Reflect.get(contract, key);
  for (const key of Object.keys(binding)) {
    if (key !== "observations" && key !== "actions") definition[key] = Reflect.get(binding, key);
  }
  const policies = policiesOfBoth(contract, binding);
  if (policies !== undefined) definition["policies"] = policies;
  for (const table of ["observations", "actions"]) {
    const expanded = expand(Reflect.get(contract, table), Reflect.get(binding, table));
    if (expanded !== undefined) definition[table] = expanded;
  }
  bound.set(definition, { contract, binding });
  Object.freeze(definition);
  if (!isDefinition(definition)) throw invalidDefinition(`component ${nameOf(contract)}: the contract has no type`);
  return definition;
}

/** The expanded form has one list; what is no list is left for the registry to refuse. */
function policiesOfBoth(contract: object, binding: object): readonly unknown[] | undefined {
  const [stated, own]: readonly unknown[] = [Reflect.get(contract, "policies"), Reflect.get(binding, "policies")];
  return Array.isArray(stated) && Array.isArray(own) ? Object.freeze([...stated, ...own]) : undefined;
}

/** Contract and behaviour of each capability side by side; where both speak, the registry refuses the binding. */
function expand(contracts: unknown, bindings: unknown): object | undefined {
  if (!isObject(contracts) && !isObject(bindings)) return undefined;
  const expanded: Record<string, unknown> = { __proto__: null };
  if (isObject(contracts)) for (const name of Object.keys(contracts)) expanded[name] = Reflect.get(contracts, name);
  if (!isObject(bindings)) return Object.freeze(expanded);
  for (const name of Object.keys(bindings)) {
    expanded[name] = Object.freeze(Object.assign({}, expanded[name], Reflect.get(bindings, name)));
  }
  return Object.freeze(expanded);
}

function isDefinition(value: object): value is AgentComponentDefinition {
  return "type" in value;
}

/** The expanded form of one observation, typed. */
export function observation<O>(
  definition: Omit<ObservationDefinition, "read" | "output"> & {
    readonly output: AgentSchema<O>;
    readonly read: (ctx: HandlerContext) => O | Promise<O>;
  },
): ObservationDefinition {
  return definition;
}

/** The expanded form of one action, typed. */
export function action<I, O = unknown>(
  definition: Omit<ActionDefinition, "execute" | "precondition" | "input" | "output"> & {
    readonly input: AgentSchema<I>;
    readonly output?: AgentSchema<O>;
    readonly execute: (input: I, ctx: HandlerContext) => O | Promise<O>;
    readonly precondition?: (input: I, ctx: HandlerContext) => PreconditionFailure | null | undefined | void;
  },
): ActionDefinition {
  return definition;
}

/** The expanded form of a component: contract and behaviour in one object. */
export function defineAgentComponent(definition: AgentComponentDefinition): AgentComponentDefinition {
  return definition;
}

function nameOf(contract: object): string {
  const type: unknown = Reflect.get(contract, "type");
  return typeof type === "string" ? `"${type}"` : "without a type";
}
