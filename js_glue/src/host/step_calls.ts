// The tool calls of one model step: which plane each belongs to, and its one result (spec: host-protocol.md, "Frames").
//
// Server calls run when the model has finished: reads together, a write alone and in its place. Browser calls are only
// announced; the host has no way to run them. A name of neither plane is answered at once, and announced to nobody.

import { member } from "../contract/values.js";
import { isMetaTool } from "../protocol/meta_tools.js";
import { noSuchTool, type Answer } from "./answers.js";
import type { CallIds } from "./call_ids.js";
import type { OfferedTool } from "./catalog.js";
import { inspector, type FrameWriter } from "./frame_writer.js";
import type { AssistantPart, ModelCall } from "./model_step.js";
import { wireValue } from "./wire_value.js";

export interface StepCall {
  readonly toolCallId: string;
  readonly wireName: string;
  /** Who the call is about: in meta mode the capability that it names. */
  readonly canonicalId: string;
  readonly tool: OfferedTool | undefined;
  readonly input: unknown;
  answer: Answer | undefined;
}

export type RunServerCall = (call: StepCall) => Promise<Answer>;

export class StepCalls {
  readonly all: StepCall[] = [];
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  readonly #ids: CallIds;
  readonly #writer: FrameWriter;

  constructor(tools: ReadonlyMap<string, OfferedTool>, ids: CallIds, writer: FrameWriter) {
    this.#tools = tools;
    this.#ids = ids;
    this.#writer = writer;
  }

  /** Announces a call of the model, and gives its part for the history. */
  take({ toolCallId, toolName, input }: ModelCall): AssistantPart {
    const tool = typeof toolName === "string" ? this.#tools.get(toolName) : undefined;
    const value = input === undefined ? {} : (wireValue(input)?.value ?? null);
    const wireName = tool?.wireName ?? speakable(toolName);
    const canonicalId = tool === undefined ? "" : identityOf(tool, value);
    const call = { toolCallId: this.#ids.take(toolCallId), wireName, canonicalId, tool, input: value };
    this.all.push({ ...call, answer: tool === undefined ? noSuchTool() : undefined });
    if (tool === undefined) this.#reportUnknown(call.toolCallId, wireName);
    else this.#writer.write({ type: "tool-call", ...namesOf(call), executor: tool.executor, input: value });
    return { type: "tool-call", toolCallId: call.toolCallId, toolName: wireName, input: value };
  }

  get forBrowser(): StepCall[] {
    return this.all.filter(({ tool }) => tool?.executor === "browser");
  }

  async run(runCall: RunServerCall): Promise<void> {
    let reads: Promise<void>[] = [];
    for (const call of this.#forServer()) {
      const settling = async (): Promise<void> => this.settle(call, await runCall(call));
      if (call.tool?.reads === true) {
        reads.push(settling());
        continue;
      }
      await Promise.all(reads);
      reads = [];
      await settling();
    }
    await Promise.all(reads);
  }

  /** One result a call: a second one would be dropped. */
  settle(call: StepCall, answer: Answer): void {
    if (call.answer !== undefined) return;
    call.answer = answer;
    if (call.tool?.executor !== "server") return;
    this.#writer.write({ type: "tool-result", ...namesOf(call), ...answer });
  }

  settleRest(answer: () => Answer): void {
    for (const call of this.all) this.settle(call, answer());
  }

  #forServer(): StepCall[] {
    return this.all.filter(({ tool }) => tool?.executor === "server");
  }

  #reportUnknown(toolCallId: string, wireName: string): void {
    const summary = "The model called a tool that neither plane has.";
    this.#writer.write(inspector("host", "NO_SUCH_TOOL", summary, { toolCallId, wireName }));
  }
}

export function namesOf({ toolCallId, wireName, canonicalId }: Omit<StepCall, "tool" | "input" | "answer">) {
  return { toolCallId, wireName, canonicalId };
}

function identityOf({ wireName, canonicalId }: OfferedTool, input: unknown): string {
  if (!isMetaTool(wireName)) return canonicalId;
  const named = member(input, "capabilityId");
  return typeof named === "string" ? named : canonicalId;
}

/** A made-up name comes back to the provider with the history: in the alphabet of names, and no longer than one. */
function speakable(name: unknown): string {
  const text = typeof name === "string" ? name.replace(/[^\w-]/g, "_").slice(0, 64) : "";
  return text === "" ? "unnamed" : text;
}
