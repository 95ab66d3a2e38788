// From a definition to what crosses: the contract's JSON text, and the binding's entries by capability index.
//
// A contract object is checked and interned once per registry, however many instances bind it. The expanded form has no
// contract object of its own; it is split here, and its text is what it is known by.

import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import type { Runtime } from "../runtime/runtime.js";
import type { StandardSchema } from "../schema/schema.js";
import { attach, attachedPolicies, type AttachedPolicies, type AttachedPolicy } from "./attach.js";
import { boundOf } from "./define.js";
import { bindEntries, checkBindingFields, type Entry } from "./entries.js";
import type { ConfirmationLevel } from "../generated/vocabulary.js";
import { factsOf, procedureFacts } from "./facts.js";
import { literalContract, type Literal } from "./literal.js";
import type { CapabilityFacts } from "./policy.js";
import { isObject } from "./values.js";

export type { Entry } from "./entries.js";

export interface InternedContract {
  readonly id: number;
  readonly type: string;
  /** What the registration guard may see. */
  readonly description: string;
  readonly origin: string;
  readonly tags?: unknown;
  readonly meta?: unknown;
  readonly observationCount: number;
  /** Observations, then actions; a capability's index is its place here. */
  readonly names: readonly string[];
  readonly capabilityIds: readonly string[];
  /** By index: who validates the input in JavaScript. */
  readonly standards: readonly (StandardSchema<unknown> | undefined)[];
  /** By index: what policies are told of it. Made when somebody asks. */
  readonly facts: () => readonly CapabilityFacts[];
}

export interface Split {
  readonly contract: InternedContract;
  readonly entries: readonly Entry[];
  /** instanceId, parent, enabled, internal. */
  readonly fields: object;
  readonly policies: AttachedPolicies;
}

/** One capability of a contract. */
export interface Known {
  readonly contract: InternedContract;
  readonly index: number;
}

/** Of a registration that was never mounted. */
export const NO_CONTRACT: InternedContract = Object.freeze({
  id: 0,
  type: "",
  description: "",
  origin: "",
  observationCount: 0,
  names: [],
  capabilityIds: [],
  standards: [],
  facts: () => [],
});

export class ContractTable {
  readonly #runtime: Runtime;
  readonly #h: number;
  readonly #byObject = new WeakMap<object, InternedContract>();
  readonly #byText = new Map<string, InternedContract>();
  readonly #byCapability = new Map<string, Known>();
  readonly #policies = new WeakMap<object, readonly AttachedPolicy[]>();

  constructor(runtime: Runtime, h: number) {
    this.#runtime = runtime;
    this.#h = h;
  }

  /** Checks a definition and takes it apart; throws AgentSurfaceDefinitionError. */
  split(definition: unknown): Split {
    if (!isObject(definition)) throw invalidDefinition("a definition is an object");
    const bound = boundOf(definition);
    const contractSource = bound?.contract ?? definition;
    const binding = bound?.binding ?? definition;
    const contract = this.#contract(contractSource, bound === undefined);
    if (bound !== undefined) checkBindingFields(contract.type, binding);
    const { entries, policies: own } = bindEntries(contract, binding, bound === undefined);
    const component = this.#componentPolicies(contract.type, bound?.contract, binding);
    return { contract, entries, fields: binding, policies: attachedPolicies(component, own) };
  }

  /** The latest contract with that capability, whether it is mounted or not. */
  known(capabilityId: string): Known | undefined {
    return this.#byCapability.get(capabilityId);
  }

  /** The contract of a reference to a procedure; `text` is the whole request, `raised` what the reference asks for. */
  reference(text: string, raised: ConfirmationLevel | undefined, path: string): InternedContract {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const answer = this.#runtime.answer(text, (table) => table.internContract(this.#h));
    if (!isInternAnswer(answer)) throw new TypeError("unexpected answer of internContract");
    const id = `domain:${path}`;
    const contract: InternedContract = {
      ...NO_CONTRACT,
      id: answer.contract,
      type: id,
      names: answer.capabilities,
      capabilityIds: [id],
      standards: [undefined],
      facts: procedureFacts(text, raised),
    };
    this.#byText.set(text, contract);
    this.#byCapability.set(id, { contract, index: 0 });
    return contract;
  }

  #componentPolicies(type: string, contract: object | undefined, binding: object): readonly AttachedPolicy[] {
    const own = attach(Reflect.get(binding, "policies"), `component "${type}"`);
    if (contract === undefined) return own;
    let stated = this.#policies.get(contract);
    if (stated === undefined) {
      stated = attach(Reflect.get(contract, "policies"), `component "${type}", contract`);
      this.#policies.set(contract, stated);
    }
    return stated.length === 0 ? own : own.length === 0 ? stated : [...stated, ...own];
  }

  #contract(source: object, expanded: boolean): InternedContract {
    const known = expanded ? undefined : this.#byObject.get(source);
    if (known !== undefined) return known;
    const literal = literalContract(source, expanded);
    const interned = this.#byText.get(literal.key) ?? this.#intern(source, literal);
    if (!expanded) this.#byObject.set(source, interned);
    return interned;
  }

  #intern(source: object, literal: Literal): InternedContract {
    let answer: unknown;
    try {
      answer = this.#runtime.answer(literal.text, (table) => table.internContract(this.#h));
    } catch (error) {
      throw naming(literal.type, error);
    }
    if (!isInternAnswer(answer)) throw new TypeError("unexpected answer of internContract");
    const field = (name: string): unknown => Reflect.get(source, name);
    const observations: unknown = field("observations");
    const contract: InternedContract = {
      id: answer.contract,
      type: literal.type,
      description: String(field("description")),
      origin: String(field("origin") ?? "first-party"),
      tags: field("tags"),
      meta: field("meta"),
      names: answer.capabilities,
      capabilityIds: answer.capabilities.map((name) => `view:${literal.type}.${name}`),
      observationCount: isObject(observations) ? Object.keys(observations).length : 0,
      standards: answer.capabilities.map((name) => literal.standards.get(name)),
      facts: factsOf(literal.key),
    };
    for (const [index, id] of contract.capabilityIds.entries()) this.#byCapability.set(id, { contract, index });
    // Standard Schemas are behaviour: equal texts may validate differently, so only contracts without them are shared.
    if (literal.standards.size === 0) this.#byText.set(literal.key, contract);
    return contract;
  }
}

/** Makes sure that an author's mistake names the component. */
export function naming(type: string, error: unknown): unknown {
  if (!(error instanceof AgentSurfaceDefinitionError) || error.message.includes(type)) return error;
  return new AgentSurfaceDefinitionError(error.code, `component "${type}": ${error.message}`);
}

function isInternAnswer(
  answer: unknown,
): answer is { readonly contract: number; readonly capabilities: readonly string[] } {
  return isObject(answer) && "contract" in answer && "capabilities" in answer;
}
