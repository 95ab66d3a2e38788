// A model that plays a script: for tests, and for a demo without a key. It looks at the conversation only, so that a turn
// goes on in the next request, and after a restart.
//
//     scriptedModel({
//       turns: [
//         { when: /overdue/i, steps: [
//           { reasoning: "The totals first.", calls: [{ tool: "domain_receivables-summary", input: {} }] },
//           ({ lastResult }) => ({ text: `Overdue: ${JSON.stringify(lastResult("domain_receivables-summary"))}` }),
//         ] },
//       ],
//       otherwise: { text: "I know nothing of that." },
//     })
//
// The last message of the user picks the turn, the answers that the model has given since pick the step. Behind the last
// step it ends with nothing. It reports no usage of its own: nothing was measured.

import { isRecord } from "../../contract/values.js";
import type { WireModelMessage } from "../../protocol/types.js";
import type { HostModel, ModelPart, ModelRequest, ModelUsage } from "./types.js";

export interface ScriptedStep {
  readonly reasoning?: string;
  readonly text?: string;
  /** Tools by wire name. Ids are made up; one that is given is used as it is. */
  readonly calls?: readonly { readonly tool: string; readonly input?: unknown; readonly id?: string }[];
  readonly usage?: ModelUsage;
}

/** What a script sees of the conversation. */
export interface ScriptedView {
  /** The text of the user's last message. */
  readonly user: string;
  /** Answers that the model has given since then. */
  readonly step: number;
  /** Wire names of the tools that are offered. */
  readonly tools: readonly string[];
  /** Results since then, in order. */
  readonly results: readonly { readonly tool: string; readonly id: string; readonly value: unknown }[];
  /** The latest result of a tool; undefined when there is none. */
  lastResult(tool: string): unknown;
  readonly messages: readonly WireModelMessage[];
}

export type ScriptedAnswer = ScriptedStep | ((view: ScriptedView) => ScriptedStep | PromiseLike<ScriptedStep>);

export interface ScriptedTurn {
  /** Of the user's last message; the first turn that matches is played. */
  readonly when: RegExp | string | ((view: ScriptedView) => boolean);
  readonly steps: readonly ScriptedAnswer[];
}

export interface ModelScript {
  readonly turns: readonly ScriptedTurn[];
  /** Where no turn matches. */
  readonly otherwise?: ScriptedAnswer;
  /** Milliseconds between two words, as if somebody was typing; default 0. */
  readonly paceMs?: number;
}

export function scriptedModel(script: ModelScript): HostModel {
  if (!isRecord(script) || !Array.isArray(script.turns)) {
    throw new TypeError("scriptedModel takes { turns: [{ when, steps }], otherwise?, paceMs? }");
  }
  return { stream: (request) => play(script, request) };
}

async function* play(script: ModelScript, request: ModelRequest): AsyncGenerator<ModelPart> {
  const view = viewOf(request);
  const answer = answerOf(script, view);
  const step: ScriptedStep = (typeof answer === "function" ? await answer(view) : answer) ?? {};
  const pace = { ms: script.paceMs ?? 0, signal: request.signal };
  yield* words("reasoning", step.reasoning, pace);
  yield* words("text", step.text, pace);
  const calls = step.calls ?? [];
  for (const [index, call] of calls.entries()) {
    const toolCallId = call.id ?? `call_${String(view.step + 1)}_${String(index + 1)}`;
    yield { type: "tool-call", toolCallId, toolName: call.tool, input: call.input ?? {} };
  }
  const reason = calls.length > 0 ? "tool-calls" : "stop";
  yield { type: "finish", reason, ...(step.usage === undefined ? {} : { usage: step.usage }) };
}

function answerOf(script: ModelScript, view: ScriptedView): ScriptedAnswer | undefined {
  const turn = script.turns.find(({ when }) => {
    if (typeof when === "function") return when(view);
    return typeof when === "string" ? view.user.includes(when) : new RegExp(when, when.flags).test(view.user);
  });
  if (turn !== undefined) return turn.steps[view.step];
  return view.step === 0 ? script.otherwise : undefined;
}

interface Pace {
  readonly ms: number;
  readonly signal: AbortSignal;
}

async function* words(type: "text" | "reasoning", text: string | undefined, pace: Pace): AsyncGenerator<ModelPart> {
  for (const word of (text ?? "").match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
    if (pace.ms > 0) await pause(pace);
    yield { type, text: word };
  }
}

function pause({ ms, signal }: Pace): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Error("aborted"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const STATE_HEAD = "Capability state (this step):";

function viewOf({ messages, tools }: ModelRequest): ScriptedView {
  // The message about the state is the host's own, not the person's.
  const said = messages.filter(({ role, content }) => role !== "user" || !textOf(content).startsWith(STATE_HEAD));
  const start = said.findLastIndex(({ role }) => role === "user");
  const since = said.slice(start + 1);
  const results = since.flatMap(({ role, content }) => (role === "tool" ? resultsIn(content) : []));
  return {
    user: textOf(said[start]?.content),
    step: since.filter(({ role }) => role === "assistant").length,
    tools: tools.map(({ name }) => name),
    results,
    lastResult: (tool) => results.findLast((one) => one.tool === tool)?.value,
    messages,
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isRecord(part) && part["type"] === "text" ? String(part["text"]) : ""))
    .join("");
}

function resultsIn(content: unknown): ScriptedView["results"] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (!isRecord(part) || part["type"] !== "tool-result") return [];
    const output: unknown = part["output"];
    const value = isRecord(output) ? output["value"] : undefined;
    return [{ tool: String(part["toolName"]), id: String(part["toolCallId"]), value }];
  });
}
