// A call that waits for the person it needs: asked once, then made again with the answer, under the same invocation id
// (spec: invocation.md §1, "Confirmation").

import type { InvocationRequest, InvokeOptions } from "../registry/envelope.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { ErrorResult, InvocationResult } from "../runtime/answers.js";

/** Ends early, with what it has, when `closed` aborts; as CANCELLED when the caller's own signal does. */
export async function invokeAndWait(
  registry: AgentSurfaceRegistry,
  request: InvocationRequest,
  options: InvokeOptions,
  closed: AbortSignal,
): Promise<InvocationResult> {
  const asked = await registry.invoke(request, options);
  const confirmationId = confirmationOf(asked);
  if (confirmationId === undefined) return asked;
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  const signals = options.signal === undefined ? [closed] : [closed, options.signal];
  for (const signal of signals) signal.addEventListener("abort", stop);
  if (signals.some((signal) => signal.aborted)) stop();
  try {
    await registry.confirmations.waitFor(confirmationId, { signal: waiting.signal });
  } catch (error) {
    if (!waiting.signal.aborted) throw error;
    return options.signal?.aborted === true ? cancelled(asked) : asked;
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", stop);
  }
  if (closed.aborted || isGone(registry)) return asked;
  return registry.invoke({ ...request, invocationId: asked.invocationId, confirmationId }, options);
}

/** Its end may have ended the wait. */
function isGone(registry: AgentSurfaceRegistry): boolean {
  try {
    registry.getVersion();
    return false;
  } catch {
    return true;
  }
}

/** The id to wait for; a server's demand is for the server's own dialog. */
function confirmationOf(result: InvocationResult): string | undefined {
  if (result.status === "ok" || result.error.code !== "CONFIRMATION_REQUIRED") return undefined;
  const { origin, confirmationId } = result.error.details ?? {};
  return origin === "client" && typeof confirmationId === "string" ? confirmationId : undefined;
}

function cancelled({ invocationId, capabilityId, surfaceVersion }: InvocationResult): ErrorResult {
  const error = {
    code: "CANCELLED",
    message: "The call was cancelled while a person was asked. Retry with a new invocation id.",
    retry: "yes",
  } as const;
  return { status: "error", invocationId, capabilityId, error, surfaceVersion };
}
