// A structured error of a procedure that is none of oRPC's, in the shape of oRPC's, so that both are read alike.

import type { RpcErrorOptions } from "./middleware.js";

const STATUS: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
};

export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: string;
  readonly status: number;
  readonly data: unknown;
  readonly defined = false;

  constructor(code: string, { message, data, cause }: RpcErrorOptions) {
    super(message ?? "", cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = (Object.hasOwn(STATUS, code) ? STATUS[code] : undefined) ?? 500;
    this.data = data;
  }
}
