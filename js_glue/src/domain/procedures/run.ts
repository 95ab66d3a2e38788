// Runs a procedure: its middleware, then its handler, with a value that is validated already (spec: domain.md §6.2 stage
// 11, decision 1). Nothing is validated here, neither the input a second time nor the output: stage 12 does that once.
//
// A procedure of oRPC runs through oRPC's own client, on a twin of it without schemas. A runner of ours would be about
// 1 µs faster (5 instead of 4 with two middlewares), and would have to imitate typed errors, their validation, spans and
// whatever the next version adds. Two things differ from a call by oRPC's client: middleware before `.input()` sees the
// validated input, too, and middleware before `.output()` sees what the handler gave.

import { isObject } from "../../contract/values.js";
import type { Context } from "../types.js";
import { isDomainProcedure, type DomainProcedure } from "./define.js";
import type { MiddlewareResult, RpcErrors } from "./middleware.js";
import { runOrpcProcedure } from "./orpc.js";
import { orpcDefinition } from "./read.js";
import { RpcError } from "./rpc_error.js";

export interface ProcedureCall {
  readonly input: unknown;
  readonly context: Context;
  readonly path: readonly string[];
  /** Absent: nobody can stop the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Rejects with what middleware or handler threw. */
export async function runProcedure(procedure: object, call: ProcedureCall): Promise<unknown> {
  const definition = orpcDefinition(procedure);
  if (definition !== undefined) return runOrpcProcedure(definition, call);
  if (isDomainProcedure(procedure)) return runLayer(procedure, fullCall(procedure, call), 0, call.context);
  throw new TypeError("runProcedure: neither a procedure of defineProcedure nor one of oRPC");
}

function fullCall(procedure: DomainProcedure, call: ProcedureCall) {
  const { input, path, signal = new AbortController().signal } = call;
  return { input, path, signal, procedure };
}

const errors: RpcErrors = new Proxy<RpcErrors>(Object.freeze({}), {
  get: (_, code) => (typeof code === "string" ? (options = {}) => new RpcError(code, options) : undefined),
});

async function runLayer(
  procedure: DomainProcedure,
  call: ReturnType<typeof fullCall>,
  index: number,
  context: Context,
): Promise<unknown> {
  const middleware = procedure.middlewares[index];
  if (middleware === undefined) return procedure.handler({ input: call.input, context, signal: call.signal });
  const { path, signal } = call;
  const result: unknown = await middleware(
    {
      context,
      path,
      signal,
      procedure,
      lastEventId: undefined,
      errors,
      next: async <Added extends Context>(options?: { readonly context?: Added }) => {
        const added = options?.context;
        const output = await runLayer(procedure, call, index + 1, { ...context, ...added });
        return resultWith(output, added);
      },
    },
    call.input,
    (output) => ({ output, context: {} }),
  );
  if (isObject(result) && "output" in result) return result.output;
  const name = middleware.name === "" ? `${index}` : `${index} (${middleware.name})`;
  throw new TypeError(`middleware ${name} of ${path.join(".")} answered nothing: return next(…) or output(…)`);
}

/** `next({})` adds nothing, and then `Added` is the empty object. */
function resultWith<Added>(output: unknown, added: Added | undefined): MiddlewareResult<Added> {
  const result = { output, context: added ?? {} };
  if (!isResult<Added>(result)) throw new TypeError("a result of middleware has a context");
  return result;
}

function isResult<Added>(result: {
  output: unknown;
  context: unknown;
}): result is MiddlewareResult<Added> & typeof result {
  return result.context !== undefined;
}
