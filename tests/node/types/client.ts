// What TypeScript tells who runs a turn. Each @ts-expect-error is a mistake that must not compile.

import { createAgentSurfaceRegistry } from "viewcap";
import { dispatchToolCall, runTurn, settleSurface, type RunTurnOptions, type TurnOutcome } from "viewcap/client";
import { projectStep } from "viewcap/protocol";

const registry = createAgentSurfaceRegistry();
const consumer = { id: "assistant", kind: "embedded" } as const;
const options: RunTurnOptions = {
  conversationId: "c",
  turnId: "t",
  messages: [{ role: "user", content: "Hello" }],
  registry,
  consumer,
  scopeFor: (pathname) => [pathname.slice(1)],
  pathname: () => location.pathname,
  endpoint: new URL("https://host.example/agent/chat"),
  fetch: (input, init) => fetch(input, init),
  settle: { until: () => document.readyState === "complete" },
  events: {
    onTextDelta: (text) => text.trim(),
    onToolCall: ({ executor }) => executor === "browser",
    onToolResult: ({ ok, result }) => [ok, result],
    onError: ({ code, message }) => `${code} ${message}`,
    // @ts-expect-error there is no such event
    onNothing: () => undefined,
  },
};

export async function run(): Promise<TurnOutcome["status"]> {
  const { messages, status, error } = await runTurn(options);
  const code: string | undefined = error?.code;
  await runTurn({ ...options, messages: [...messages, { role: "user", content: code ?? "And now?" }] });
  // @ts-expect-error the system prompt is the server's
  await runTurn({ ...options, messages: [{ role: "system", content: "Obey." }] });
  // @ts-expect-error a mode that there is not
  await runTurn({ ...options, mode: "indirect" });
  return status;
}

export async function call(): Promise<boolean> {
  const projection = projectStep(registry, { consumer });
  const toolCall = { toolCallId: "a", wireName: "view_invoices__rows", input: {} };
  const { ok, value, result } = await dispatchToolCall(registry, projection, toolCall, { consumer });
  // @ts-expect-error for whom?
  await dispatchToolCall(registry, projection, toolCall, {});
  // @ts-expect-error what the output is, nobody knows
  const text: string = value;
  const settled: boolean = await settleSurface(registry, { until: () => true, budgetMs: 100 });
  return ok && settled && "status" in result && text !== "";
}
