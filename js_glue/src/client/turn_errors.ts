// The errors that a turn ends with where the page, not the host, is at its end.

import { AgentSurfaceDefinitionError } from "../errors.js";
import type { TurnError } from "./types.js";

export function runLimit(message: string): TurnError {
  return { code: "RUN_LIMIT_EXCEEDED", message };
}

/** A request that may not be sent says why; everything else is the end of the runtime or of the registry. */
export function failureOf(error: unknown): TurnError {
  if (error instanceof AgentSurfaceDefinitionError) return { code: error.code, message: error.message };
  return { code: "HOST_ERROR", message: "The page's own surface is gone; the turn was stopped." };
}
