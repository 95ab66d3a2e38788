// Does a value fit a schema? Only the schema's own `validate` decides; JSON Schema is for the wire (spec: domain.md §11).
//
//     const answer = validate(schema, value);                    // no promise where the schema needs none
//     const result = isThenable(answer) ? await answer : answer;
//     result.ok ? use(result.value) : report(result.issues);
//
// A validator that throws, rejects, or answers what is no result makes `validate` throw or reject: the caller's stage
// reports that as an unexpected failure. One that never answers is for the caller to bound.

import { isObject, isThenable, member } from "../../contract/values.js";
import { isAgentSchema, standardOf, type AgentSchema } from "../../schema/schema.js";
import { domainIssues, type DomainIssue } from "./issues.js";
import type { DomainSchema } from "./schema.js";

export type Validation =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly DomainIssue[] };

/** Validates against literal JSON Schema; the value of a result is a copy that JSON can hold. */
export type LiteralValidator = (schema: AgentSchema<unknown>, value: unknown) => Validation;

let literalValidator: LiteralValidator | undefined;

/** Literal JSON Schema is validated by the domain module; whoever loads it plugs it in here. */
export function setLiteralValidator(validator: LiteralValidator | undefined): void {
  literalValidator = validator;
}

export function validate(schema: DomainSchema, value: unknown): Validation | Promise<Validation> {
  const standard = standardPart(schema);
  if (standard !== undefined) return standardValidation(standard, value);
  if (!isAgentSchema(schema)) throw new TypeError(`${NO_SCHEMA}; found ${kindOf(schema)}`);
  if (literalValidator === undefined) {
    throw new Error("validating against literal JSON Schema needs the WebAssembly module: load it first");
  }
  return literalValidator(schema, value);
}

export const NO_SCHEMA = 'a schema is a Standard Schema (an object with "~standard") or one of fromJsonSchema';

/** The `~standard` of a Standard Schema, or of the one behind a schema of fromStandardSchema. */
export function standardPart(schema: unknown): object | undefined {
  const own = standardMember(schema);
  if (own !== undefined || !isAgentSchema(schema)) return own;
  return standardMember(standardOf(schema));
}

function standardMember(schema: unknown): object | undefined {
  const owner = (typeof schema === "object" || typeof schema === "function") && schema !== null ? schema : undefined;
  // Some libraries' schemas are functions.
  const standard: unknown = owner === undefined ? undefined : Reflect.get(owner, "~standard");
  return isObject(standard) ? standard : undefined;
}

function standardValidation(standard: object, value: unknown): Validation | Promise<Validation> {
  const run: unknown = Reflect.get(standard, "validate");
  if (typeof run !== "function") throw new TypeError(`${vendorOf(standard)}: "~standard".validate is no function`);
  const answer: unknown = Reflect.apply(run, standard, [value]);
  if (!isThenable(answer)) return readResult(standard, answer, value);
  return Promise.resolve(answer).then((result) => readResult(standard, result, value));
}

function readResult(standard: object, result: unknown, value: unknown): Validation {
  const issues = member(result, "issues");
  if (Array.isArray(issues)) return { ok: false, issues: domainIssues(issues, value) };
  // A value that is undefined is a value; without issues and without the key it is no result at all.
  if (issues !== undefined || !isObject(result) || !("value" in result)) {
    throw new TypeError(`${vendorOf(standard)}: validate answered neither a value nor issues`);
  }
  return { ok: true, value: result.value };
}

function vendorOf(standard: object): string {
  const vendor: unknown = Reflect.get(standard, "vendor");
  return `a schema of ${typeof vendor === "string" ? JSON.stringify(vendor) : "an unnamed vendor"}`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}
