// Middleware of procedures, in oRPC's shape, so that one function serves both kinds of procedure:
//
//     const withTenant = async ({ context, next }) => next({ context: { tenant: await tenantOf(context) } });
//     defineProcedure({ use: [withTenant], handler: ({ context }) => context.tenant });
//     os.use(withTenant).handler(…);

import type { AgentInvocationInfo, Context } from "../types.js";

/** What a middleware answers: what `next` or `output` gave it. `context` is what it added. */
export interface MiddlewareResult<out Added = unknown> {
  readonly output: unknown;
  readonly context: Added;
}

export interface MiddlewareOptions {
  readonly context: ProcedureContext;
  /** Segments of the capability's id. */
  readonly path: readonly string[];
  /** oRPC's own client may leave it out. */
  readonly signal?: AbortSignal | undefined;
  readonly procedure: object;
  readonly lastEventId: string | undefined;
  /** `throw errors.NOT_FOUND({ message })`: an error that counts as an RPC error and shows its message. */
  readonly errors: RpcErrors;
  next<Added extends Context = Readonly<Record<never, never>>>(options?: {
    readonly context?: Added;
  }): Promise<MiddlewareResult<Added>>;
}

export interface RpcErrors {
  readonly [code: string]: (options?: RpcErrorOptions) => Error;
}
export interface RpcErrorOptions {
  readonly message?: string;
  readonly data?: unknown;
  readonly cause?: unknown;
}

export type ProcedureContext = Context & { readonly agent?: AgentInvocationInfo };

export type ProcedureMiddleware = (
  options: MiddlewareOptions,
  input: unknown,
  output: (output: unknown) => MiddlewareResult<Readonly<Record<never, never>>>,
) => MiddlewareResult | PromiseLike<MiddlewareResult>;

/** What `os.middleware(…)` of oRPC makes: a middleware, too, whatever context it asks for. */
export interface OrpcMiddleware {
  readonly mapInput: unknown;
  readonly concat: unknown;
}
export type AnyMiddleware = ProcedureMiddleware | OrpcMiddleware;

type Added<Middleware> = Middleware extends (...args: never) => infer Result
  ? Awaited<Result> extends { readonly context: infer Context }
    ? Context
    : unknown
  : unknown;

/** What a list of middleware adds to the context. */
export type AddedBy<Use> = Use extends readonly [infer First, ...infer Rest] ? Added<First> & AddedBy<Rest> : unknown;
