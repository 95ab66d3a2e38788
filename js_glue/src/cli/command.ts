// viewcap contracts compile | check | inspect
//
// What it gives is on stdout, everything else on stderr. Exit: 0 fine, 1 drift, 2 usage or load error.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createCapabilityAuthority, type CapabilityManifest } from "../authority.js";
import { isObject } from "../contract/values.js";
import { loadRuntime } from "../runtime/load.js";
import { CliError, collect } from "./collect.js";
import { differences } from "./difference.js";
import { manifestOf, projectionOf, type Profile } from "./surface.js";

const USAGE = `viewcap contracts <command> <modules…>

  compile <modules…> --out <file>      write the manifest of every contract that the modules export
  check   <modules…> --against <file>  say what a model would see differently; exit 1 when it would
  inspect <modules…> [--json]          print the list that a model receives when each is mounted once

  --schema-profile portable|full       the JSON Schema profile of the application (default portable)
  --help                               this text

Modules are ES modules: files, or packages of the current folder that resolve for require too. Every export that is a contract counts, also one
level deep in lists and objects.
`;

interface Arguments {
  readonly command: string;
  readonly modules: readonly string[];
  readonly out: string | undefined;
  readonly against: string | undefined;
  readonly json: boolean;
  readonly profile: Profile;
}

export async function main(args: readonly string[]): Promise<number> {
  try {
    const wanted = read(args);
    if (wanted === undefined) {
      process.stdout.write(USAGE);
      return 0;
    }
    await loadRuntime({ variant: "full" });
    return await run(wanted);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function run({ command, modules, out, against, json, profile }: Arguments): Promise<number> {
  const found = await collect(modules);
  if (command === "inspect") {
    const { bytes, descriptors } = projectionOf(found, profile);
    if (json) process.stdout.write(bytes);
    else {
      for (const { wireName, description, inputSchema } of descriptors) {
        process.stdout.write(`${wireName}\n  ${description}\n  ${JSON.stringify(inputSchema)}\n\n`);
      }
    }
    return 0;
  }
  const manifest = manifestOf(found, profile);
  if (command === "compile") {
    writeFileSync(out ?? "", `${stable(manifest, "")}\n`);
    process.stderr.write(`${String(found.length)} contracts written to ${String(out)}\n`);
    return 0;
  }
  const lines = differences(parsed(against ?? ""), manifest);
  for (const line of lines) process.stdout.write(`${line}\n`);
  if (lines.length === 0)
    process.stderr.write(`${String(found.length)} contracts are as ${String(against)} has them\n`);
  return lines.length === 0 ? 0 : 1;
}

function read(args: readonly string[]): Arguments | undefined {
  const { values, positionals } = parsedArguments(args);
  if (values.help === true || args.length === 0) return undefined;
  const [group, command = "", ...modules] = positionals;
  const usage = (problem: string): CliError => new CliError(`${problem}\n\n${USAGE}`);
  if (group !== "contracts") throw usage(`unknown command "${group ?? ""}"`);
  if (!["compile", "check", "inspect"].includes(command)) throw usage(`unknown command "contracts ${command}"`);
  if (modules.length === 0) throw usage(`contracts ${command} needs at least one module`);
  const { out, against = out, json = false, "schema-profile": profile = "portable" } = values;
  if (command === "compile" && out === undefined) throw usage("contracts compile needs --out <file>");
  if (command === "check" && against === undefined) throw usage("contracts check needs --against <file>");
  if (profile !== "portable" && profile !== "full")
    throw usage(`--schema-profile is "${profile}"; portable and full are allowed`);
  return { command, modules, out, against, json, profile };
}

function parsedArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: "string" },
        against: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean" },
        "schema-profile": { type: "string" },
      },
    });
  } catch (error) {
    throw new CliError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function parsed(file: string): unknown {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isManifest(manifest)) throw new CliError("it is no manifest: compile writes one");
    createCapabilityAuthority(manifest);
    return manifest;
  } catch (error) {
    throw new CliError(`${file} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isManifest(value: unknown): value is CapabilityManifest {
  return isObject(value) && isObject(Reflect.get(value, "contracts"));
}

/** Sorted keys and two spaces, whatever the keys are: the same contracts give the same bytes. */
function stable(value: unknown, indent: string): string {
  if (!isObject(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((one) => stable(one, inner))
    : Object.keys(value)
        .sort()
        .map((key) => `${JSON.stringify(key)}: ${stable(Reflect.get(value, key), inner)}`);
  const [open, close] = list ? ["[", "]"] : ["{", "}"];
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
