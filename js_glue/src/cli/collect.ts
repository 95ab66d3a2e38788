// Which contracts a list of modules exports.

import { pathToFileURL } from "node:url";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { isObject } from "../contract/values.js";

/** Usage, or a module that cannot be loaded or holds what is no contract: exit 2. */
export class CliError extends Error {
  override readonly name = "CliError";
}

export interface Found {
  /** The contract's component type, or its domain id. */
  readonly name: string;
  readonly kind: "component" | "procedure";
  readonly contract: object;
  /** `file: export`, for messages. */
  readonly place: string;
}

/** Sorted by name; the same object exported twice counts once. Throws CliError. */
export async function collect(modules: readonly string[]): Promise<readonly Found[]> {
  const found = new Map<string, Found>();
  const problems: string[] = [];
  for (const module of modules) {
    for (const one of contractsIn(await load(module), module)) {
      const known = found.get(one.name);
      if (known === undefined) found.set(one.name, one);
      else if (known.contract !== one.contract) {
        problems.push(`${one.place}: another contract is named "${one.name}": ${known.place}`);
      }
    }
  }
  if (problems.length > 0) throw new CliError(problems.join("\n"));
  if (found.size === 0) throw new CliError(`no contract is exported by ${modules.join(", ")}`);
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What the module says while it loads is no result: it goes to stderr. */
async function load(module: string): Promise<object> {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr);
  try {
    const loaded: unknown = await import(urlOf(module));
    return isObject(loaded) ? loaded : {};
  } catch (error) {
    throw new CliError(`${module} could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    stdout.write = write;
  }
}

/** A path from the current folder, else what a package of it is called. */
function urlOf(module: string): string {
  const path = resolve(module);
  if (existsSync(path)) return pathToFileURL(path).href;
  const { resolve: find } = createRequire(pathToFileURL(join(process.cwd(), "package.json")));
  return pathToFileURL(find(module)).href;
}

function* contractsIn(loaded: object, module: string): Generator<Found> {
  for (const name of Object.keys(loaded)) {
    const exported: unknown = Reflect.get(loaded, name);
    const own = foundOf(exported, `${module}: ${name}`);
    if (own !== undefined) {
      yield own;
      continue;
    }
    if (!isObject(exported)) continue;
    for (const key of Object.keys(exported)) {
      const inner = foundOf(Reflect.get(exported, key), `${module}: ${name}.${key}`);
      if (inner !== undefined) yield inner;
    }
  }
}

/** By what it is made of: the module may have another copy of the package. */
function foundOf(value: unknown, place: string): Found | undefined {
  try {
    return isObject(value) ? contractOf(value, place) : undefined;
  } catch (error) {
    throw new CliError(`${place} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contractOf(value: object, place: string): Found | undefined {
  const text = (key: string): string | undefined => {
    const member: unknown = Reflect.get(value, key);
    return typeof member === "string" ? member : undefined;
  };
  const [type, id] = [text("type"), text("id")];
  if (text("description") === undefined) return undefined;
  if (type !== undefined && typeof Reflect.get(value, "bind") === "function") {
    return { name: type, kind: "component", contract: value, place };
  }
  if (id?.startsWith("domain:") === true && text("effect") !== undefined) {
    return { name: id, kind: "procedure", contract: value, place };
  }
  return undefined;
}
