// oRPC's own client on a twin without schemas. `@orpc/server` is an optional peer: whoever has a procedure of it has it.

import type { ProcedureCall } from "./run.js";

type CreateClient = (procedure: object, options: object) => unknown;

let createClient: CreateClient | undefined;
const twins = new WeakMap<object, object>();

/** `definition`: the `~orpc` of a procedure. */
export async function runOrpcProcedure(definition: object, call: ProcedureCall): Promise<unknown> {
  // Only the first call waits for the package.
  createClient ??= await loadClient();
  const { input, context, path, signal } = call;
  const client = createClient(twinOf(definition), { context, path });
  if (typeof client !== "function") throw new Error("createProcedureClient of @orpc/server gave no function");
  const output: unknown = await Reflect.apply(client, undefined, [input, { signal }]);
  return output;
}

function twinOf(definition: object): object {
  const known = twins.get(definition);
  if (known !== undefined) return known;
  const twin = { "~orpc": { ...definition, inputSchema: undefined, outputSchema: undefined } };
  twins.set(definition, twin);
  return twin;
}

async function loadClient(): Promise<CreateClient> {
  let found: object;
  try {
    found = await import("@orpc/server");
  } catch (cause) {
    throw new Error("procedures of oRPC run through @orpc/server, which cannot be imported: install it", { cause });
  }
  const create: unknown = Reflect.get(found, "createProcedureClient");
  if (!isCreateClient(create)) {
    throw new Error(
      "procedures of oRPC run through createProcedureClient of @orpc/server 1.x; found a version without",
    );
  }
  return create;
}

function isCreateClient(value: unknown): value is CreateClient {
  return typeof value === "function";
}
