// The authority of a production registry: the manifest of contracts that the compiler wrote.

import { AgentSurfaceDefinitionError, invalidDefinition } from "./errors.js";
import { jsonText, LOOSE_BOUNDS } from "./json/value.js";
import { liveRuntime } from "./runtime/load.js";
import { Conversion } from "./runtime/table.js";

export interface CapabilityManifest {
  /** 1. A number to the compiler: that is what an import of the file has. */
  readonly format: number;
  /** By component type or domain id; hashes over the canonical JSON of the contract. */
  readonly contracts: Readonly<Record<string, { readonly sha256: string; readonly contract: unknown }>>;
  readonly sha256: string;
}

/** A manifest whose hashes were verified. */
export interface CapabilityAuthority {
  readonly sha256: string;
}

const texts = new WeakMap<object, string>();

/** Verifies every hash of the manifest; a mismatch is INVALID_DEFINITION. Needs the module. */
export function createCapabilityAuthority(manifest: CapabilityManifest): CapabilityAuthority {
  const runtime = liveRuntime("createCapabilityAuthority");
  const json = jsonText(manifest, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`the manifest is no JSON value: ${json.problem.message}`);
  runtime.answer(json.text, (table) => table.convert(Conversion.checkManifest));
  const authority: CapabilityAuthority = Object.freeze({ sha256: String(manifest.sha256) });
  texts.set(authority, json.text);
  return authority;
}

export function authorityText(authority: CapabilityAuthority): string {
  const text = typeof authority === "object" && authority !== null ? texts.get(authority) : undefined;
  if (text !== undefined) return text;
  throw new AgentSurfaceDefinitionError(
    "INVALID_DEFINITION",
    'option "authority" is no authority; createCapabilityAuthority(manifest) makes one',
  );
}
