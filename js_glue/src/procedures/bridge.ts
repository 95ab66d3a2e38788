// From the application's client and the server's manifest to references and an executor (spec: contextual.md,
// "Executor").
//
//     const { refs, executor } = createProcedureBridge({ client, manifest });
//     registry.setProcedureExecutor(executor);
//     registry.registerProcedure(approveContract, refs.invoices.approve, { bind: … });
//
// The manifest is the ceiling: a path that it does not list has no reference, and the executor runs no other. The
// browser is no boundary: the server authenticates, authorizes and validates again.

import { rememberRef, type ProcedureManifestEntry, type ProcedureRef } from "../contract/procedure.js";
import { isObject, isRecord, member } from "../contract/values.js";
import { invalidDefinition } from "../errors.js";
import { deepFreeze, jsonCopy, jsonText, LOOSE_BOUNDS } from "../json/value.js";
import type { ProcedureCall, ProcedureExecutor } from "../registry/procedures.js";
import { callAt, segmentsOf } from "./client.js";
import { mappedError } from "./server_errors.js";

export interface ProcedureManifest {
  /** By path, such as "invoices.approve". */
  readonly tools: Readonly<Record<string, ProcedureManifestEntry>>;
}

/** Nested like the router: references at the paths of the manifest, objects above them. */
export interface ProcedureRefs {
  readonly [segment: string]: ProcedureRefs & ProcedureRef;
}

export interface ProcedureBridgeOptions {
  /** Nested functions `(input, { signal, context }) => Promise`. */
  readonly client: unknown;
  readonly manifest: ProcedureManifest;
  /** What the client gets as `context` with every call. */
  readonly callContext?: (call: ProcedureCall) => unknown;
  /** An AgentSurfaceError for an error of the server; anything else leaves it to the usual mapping. */
  readonly mapServerError?: (error: unknown) => unknown;
}

export interface ProcedureBridge {
  readonly refs: ProcedureRefs;
  readonly executor: ProcedureExecutor;
}

/** INVALID_DEFINITION for a manifest that is none, or with a path that no client may be asked for. */
export function createProcedureBridge(options: ProcedureBridgeOptions): ProcedureBridge {
  if (typeof options !== "object" || options === null) throw invalidDefinition("createProcedureBridge takes an object");
  const { client, callContext, mapServerError } = options;
  for (const [name, value] of Object.entries({ callContext, mapServerError })) {
    if (value !== undefined && typeof value !== "function") {
      throw invalidDefinition(`createProcedureBridge: ${name} must be a function`);
    }
  }
  const tools = toolsOf(options.manifest);
  const paths = new Map(Object.keys(tools).map((path) => [path, segmentsOf(path)]));
  const execute = async (call: ProcedureCall): Promise<unknown> => {
    const segments = paths.get(call.path);
    const run = segments === undefined ? undefined : callAt(client, segments);
    if (run === undefined) throw mappedError(undefined, undefined);
    try {
      const context = callContext?.(call);
      return await run(call.input, { signal: call.info.signal, context });
    } catch (error) {
      throw mappedError(error, mapServerError);
    }
  };
  return Object.freeze({
    refs: refsOf(tools, paths),
    executor: Object.freeze({ paths: Object.freeze([...paths.keys()]), execute }),
  });
}

function toolsOf(manifest: unknown): Readonly<Record<string, ProcedureManifestEntry>> {
  const tools = member(manifest, "tools");
  if (!isRecord(tools)) {
    throw invalidDefinition(
      "createProcedureBridge: the manifest is { tools: { path: { description, inputSchema, effect, … } } }",
    );
  }
  const json = jsonText(tools, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`createProcedureBridge: the manifest: ${json.problem.message}`);
  const copy: unknown = deepFreeze(jsonCopy(json));
  if (!isTools(copy)) throw invalidDefinition("createProcedureBridge: an entry of the manifest is no object");
  return copy;
}

function isTools(value: unknown): value is Readonly<Record<string, ProcedureManifestEntry>> {
  return isObject(value) && Object.values(value).every(isObject);
}

type Node = Record<string, unknown>;

function refsOf(
  tools: Readonly<Record<string, ProcedureManifestEntry>>,
  paths: ReadonlyMap<string, readonly string[]>,
): ProcedureRefs {
  const root: Node = Object.create(null);
  for (const [path, segments] of paths) {
    let node = root;
    for (const segment of segments) {
      const below: unknown = node[segment];
      if (typeof below === "string") throw ambiguous(path);
      if (isNode(below)) node = below;
      else {
        const fresh: Node = Object.create(null);
        node[segment] = fresh;
        node = fresh;
      }
    }
    const entry = tools[path];
    // A procedure may stand above others; only one named "path" directly below it could be mistaken for its own.
    if ("path" in node) throw ambiguous(path);
    Object.defineProperty(node, "path", { value: path, enumerable: true });
    if (entry !== undefined && isRef(node)) rememberRef(node, entry);
  }
  deepFreeze(root);
  if (!isRefs(root)) throw invalidDefinition("createProcedureBridge: the manifest has no paths");
  return root;
}

function ambiguous(path: string): Error {
  return invalidDefinition(`createProcedureBridge: "${path}": below a procedure no other can be named "path"`);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function isRef(node: object): node is ProcedureRef {
  return typeof Reflect.get(node, "path") === "string";
}

function isRefs(node: object): node is ProcedureRefs {
  return Object.getPrototypeOf(node) === null;
}
