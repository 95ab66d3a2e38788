// What is known of a reference to a procedure before it is mounted: checked, and refused with the place of the fault.

import { attach, attachedPolicies, type AttachedPolicies } from "../contract/attach.js";
import {
  derivedContract,
  isBoundProcedure,
  literalProcedure,
  manifestEntryOf,
  type ProcedureConfig,
  type ProcedureRef,
} from "../contract/procedure.js";
import { isObject } from "../contract/values.js";
import { invalidDefinition } from "../errors.js";
import { jsonText, LOOSE_BOUNDS } from "../json/value.js";
import type { RegistryCore } from "./core.js";

export type Config = ProcedureConfig;

/** What is known of a reference before it is mounted. */
export interface Prepared {
  readonly path: string;
  readonly config: Config;
  readonly literal: string;
  readonly manifest: string;
  readonly policies: AttachedPolicies;
}

/** Checks a reference; undefined for one that nobody made: it is inert in production. Throws INVALID_DEFINITION. */
export function prepareReference(
  core: RegistryCore,
  contract: object | undefined,
  ref: ProcedureRef,
  config: Config,
): Prepared | undefined {
  const path: unknown = isObject(ref) ? Reflect.get(ref, "path") : undefined;
  if (typeof path !== "string" || !isObject(config)) {
    throw invalidDefinition("a reference to a procedure takes a ref of createProcedureBridge and a configuration");
  }
  const entry = manifestEntryOf(ref);
  if (entry === undefined && core.settings.production) return undefined;
  const who = `procedure "${path}"`;
  checkConfig(who, config);
  if (contract === undefined && entry === undefined) {
    throw invalidDefinition(`${who}: without a manifest's entry it needs a contract`);
  }
  const literal =
    contract === undefined ? (entry === undefined ? {} : derivedContract(ref, entry)) : contractOf(who, contract);
  if (Reflect.get(literal, "id") !== `domain:${path}`) {
    throw invalidDefinition(
      `${who}: the contract's id is ${JSON.stringify(Reflect.get(literal, "id"))}, allowed is "domain:${path}"`,
    );
  }
  return {
    path,
    config,
    literal: JSON.stringify(literal),
    manifest: entry === undefined ? "" : `,"manifest":${textOf(who, entry)}`,
    policies: attachedPolicies(attach(config.policies, who), undefined),
  };
}

function contractOf(who: string, contract: unknown): object {
  if (isObject(contract)) return literalProcedure(contract);
  throw invalidDefinition(`${who}: the contract is none; make one with defineAgentProcedureContract`);
}

const FUNCTIONS = ["when", "bind", "describe"] as const;
const KNOWN = new Set([
  ...FUNCTIONS,
  "unavailableReason",
  "boundFields",
  "overridableFields",
  "owner",
  "confirmation",
  "policies",
  "meta",
  "concurrency",
  "contract",
]);

function checkConfig(who: string, config: object): void {
  for (const key of Object.keys(config)) {
    if (!KNOWN.has(key)) throw invalidDefinition(`${who}: "${key}" has no place in a reference's configuration`);
  }
  for (const key of FUNCTIONS) {
    const value: unknown = Reflect.get(config, key);
    if (value !== undefined && typeof value !== "function")
      throw invalidDefinition(`${who}: ${key} must be a function`);
  }
  for (const key of ["boundFields", "overridableFields"]) {
    const value: unknown = Reflect.get(config, key);
    if (value === undefined) continue;
    if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) {
      throw invalidDefinition(`${who}: ${key} is a list of keys of the input`);
    }
    if (Reflect.get(config, "bind") === undefined) throw invalidDefinition(`${who}: ${key} needs bind`);
  }
  const bound: unknown = Reflect.get(config, "boundFields");
  const overridable: unknown = Reflect.get(config, "overridableFields");
  if (!Array.isArray(bound) || !Array.isArray(overridable)) return;
  const stray: unknown = overridable.find((key) => !bound.includes(key));
  if (stray !== undefined) throw invalidDefinition(`${who}: overridable field "${String(stray)}" is not bound`);
}

export function textOf(who: string, value: unknown): string {
  const json = jsonText(value, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`${who}: ${json.problem.message}`);
  return json.text;
}

/** The references of a component's definition. */
export function preparedOf(core: RegistryCore, type: string, list: unknown): readonly Prepared[] {
  if (list === undefined) return [];
  if (!Array.isArray(list) || !list.every(isBoundProcedure)) {
    throw invalidDefinition(`component "${type}": procedures is a list of what bindAgentProcedure gives`);
  }
  const prepared = list.map(({ ref, config }) => prepareReference(core, config.contract, ref, config));
  return prepared.filter((one) => one !== undefined);
}
