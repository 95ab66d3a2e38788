// The domain plane's module, live, with what the parts of the plane ask of it plugged in where they look for it.

import { AgentSurfaceDefinitionError } from "../errors.js";
import { jsonCopy, jsonText, LOOSE_BOUNDS } from "../json/value.js";
import type { DomainModule } from "../runtime/domain_module.js";
import { domainModule } from "../runtime/domain_node.js";
import { issuesIn, programIn } from "../schema/program.js";
import type { AgentSchema } from "../schema/schema.js";
import { setLiteralValidator, type Validation } from "./schema/validate.js";

setLiteralValidator(validateLiteral);

export function liveModule(): DomainModule {
  return domainModule();
}

/** An author's mistake that the module found is a TypeError here (spec: domain.md §§4.1, 5, 7). */
export function asTypeError(error: unknown): unknown {
  return error instanceof AgentSurfaceDefinitionError ? new TypeError(error.message) : error;
}

/** Throws what is wrong with a literal schema; anything else is validated by its own library. */
export function checkLiteral(schema: AgentSchema<unknown>): void {
  programIn(domainModule(), schema, true);
}

function validateLiteral(schema: AgentSchema<unknown>, value: unknown): Validation {
  const module = domainModule();
  const program = programIn(module, schema, true);
  const json = jsonText(value, LOOSE_BOUNDS);
  if ("problem" in json) {
    return { ok: false, issues: [{ path: steps(json.problem.path), message: json.problem.message }] };
  }
  const issues = issuesIn(module, program, json.text);
  if (issues.length === 0) return { ok: true, value: jsonCopy(json) };
  return { ok: false, issues: issues.map(({ path, message }) => ({ path: steps(path), message })) };
}

const steps = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
