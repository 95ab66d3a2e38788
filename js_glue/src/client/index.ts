// viewcap/client: the turn loop in the browser.
//
//     const turn = await runTurn({
//       conversationId, turnId, messages, registry, consumer: { id: "assistant", kind: "embedded" },
//       endpoint: "/agent/chat", pathname: () => location.pathname, scopeFor: () => [],
//       events: { onTextDelta: (text) => … },
//     });
//     keep(turn.messages);                                    // legal, however the turn ended
//
// Needs the module: await loadRuntime() first.

import { readTurnOptions } from "./options.js";
import { Turn } from "./turn.js";
import type { RunTurnOptions, TurnOutcome } from "./types.js";

export { dispatchToolCall, type DispatchedCall, type DispatchOptions, type ToolCall } from "./dispatch.js";
export { settleSurface, type SettleOptions } from "./settle.js";
export type { Fetch } from "./transport.js";
export type { RunTurnOptions, TurnCall, TurnError, TurnEvents, TurnOutcome, TurnResult } from "./types.js";

/** Rejects only for options that cannot be; whatever the host does is an outcome. */
export async function runTurn(options: RunTurnOptions): Promise<TurnOutcome> {
  const settings = readTurnOptions(options);
  const route = settings.pathname();
  return new Turn(settings, route, settings.scopeFor(route)).run();
}
