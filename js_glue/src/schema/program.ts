// Schemas compiled in a module, once for each schema object, and freed with it.

import { AgentSurfaceDefinitionError, type SchemaIssue } from "../errors.js";
import { isWellFormed } from "../json/value.js";
import type { Crossing } from "../runtime/crossing.js";
import type { CrossingTable } from "../runtime/table.js";
import type { AgentSchema } from "./schema.js";

type AnyModule = Pick<Crossing<CrossingTable>, "answer" | "call" | "checked" | "dead" | "left">;

interface Program {
  readonly module: AnyModule;
  readonly id: number;
}
const programs = new WeakMap<object, Program>();
let collected: FinalizationRegistry<Program> | undefined;

/** The schema's program in this module; AgentSurfaceDefinitionError when the module does not take the schema. */
export function programIn(module: AnyModule, schema: AgentSchema<unknown>, full: boolean): number {
  const known = programs.get(schema);
  if (known?.module === module) return known.id;
  const fresh = { module, id: compile(module, JSON.stringify(schema.jsonSchema), full) };
  programs.set(schema, fresh);
  collected ??= new FinalizationRegistry((gone) => {
    if (!gone.module.dead) gone.module.call("", (table) => table.freeSchema(gone.id));
  });
  collected.register(schema, fresh);
  return fresh.id;
}

/** The portable program where it can; a full module answers for what only it knows. */
function compile(module: AnyModule, schema: string, full: boolean): number {
  const inProfile = (profile: string): number =>
    Number(module.answer(`{"schema":${schema},"profile":"${profile}"}`, (table) => table.compileSchema()));
  try {
    return inProfile("portable");
  } catch (error) {
    const unsupported = error instanceof AgentSurfaceDefinitionError && error.code === "UNSUPPORTED_SCHEMA";
    if (!unsupported || !full) throw error;
    return inProfile("full");
  }
}

/** What is wrong with a JSON text; nothing: it fits. */
export function issuesIn(module: AnyModule, program: number, text: string): SchemaIssue[] {
  const count = module.checked(text, (table) => table.validate(program));
  return count > 0 ? issuesOf(JSON.parse(module.left())) : [];
}

function issuesOf(answer: unknown): SchemaIssue[] {
  const list: readonly unknown[] = Array.isArray(answer) ? answer : [];
  return list.map((issue) => {
    const field = (name: string): string => {
      const text: unknown = typeof issue === "object" && issue !== null ? Reflect.get(issue, name) : undefined;
      return typeof text === "string" && isWellFormed(text) ? text : "";
    };
    return { path: field("path"), message: field("message") };
  });
}
