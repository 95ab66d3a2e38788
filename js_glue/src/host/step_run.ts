// The run of one step: ask the model, run its server calls, ask again; until it has finished, or waits for the browser
// (spec: host-protocol.md). Nothing is kept: what this request adds leaves in its step-finish.

import type { Context } from "../domain/types.js";
import type { DecodedStep, Frame, WireModelMessage } from "../protocol/types.js";
import { answerOf, notExecuted, type Answer } from "./answers.js";
import { CallIds, idempotencyKey } from "./call_ids.js";
import type { StepCatalog } from "./catalog.js";
import { inspector, type FrameWriter } from "./frame_writer.js";
import { report, type Tell } from "./host_audit.js";
import type { FinishReason, HostModel } from "./model/types.js";
import { ModelStep, type AssistantPart, type ModelOutcome } from "./model_step.js";
import type { Settings } from "./options.js";
import { namesOf, StepCalls, type StepCall } from "./step_calls.js";
import type { HostSession } from "./types.js";
import { UsageSum } from "./usage.js";

export interface StepParts<S extends HostSession> {
  readonly settings: Settings<S>;
  readonly session: S;
  readonly context: Context;
  readonly step: DecodedStep;
  readonly stepId: string;
  readonly catalog: StepCatalog;
  readonly model: HostModel;
  readonly system: string | undefined;
  readonly writer: FrameWriter;
  readonly tell: Tell;
}

type Failure = NonNullable<ModelOutcome["failure"]>;
const DOMAIN = "domain:";
const HOST_FAILED: Failure = { code: "HOST_ERROR", message: "The host failed." };

export class StepRun<S extends HostSession> {
  readonly #parts: StepParts<S>;
  readonly #ids: CallIds;
  readonly #usage = new UsageSum();
  readonly #added: WireModelMessage[] = [];

  constructor(parts: StepParts<S>) {
    this.#parts = parts;
    this.#ids = new CallIds(parts.step.messages);
  }

  /** Never rejects; ends the response. */
  async run(): Promise<void> {
    const { settings, writer, stepId } = this.#parts;
    const unsubscribe = settings.auditFeed?.subscribe(stepId, (news) => writer.news(news));
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), settings.limits.stepMs);
    try {
      this.#start();
      await this.#steps(over.signal);
    } catch (error) {
      report(settings.onError, error, "step");
      this.#fail(HOST_FAILED);
    } finally {
      clearTimeout(timer);
      unsubscribe?.();
      writer.end();
    }
  }

  #start(): void {
    const { writer, tell, step, stepId, catalog } = this.#parts;
    const { conversationId, turnId, catalogMode } = step;
    tell("step.started", { tools: catalog.tools.size, catalogMode, protocolVersion: step.protocolVersion });
    const { domainTools, scope } = catalog;
    writer.write({ type: "step-start", stepId, turnId, conversationId, domainTools, catalogMode, scope });
    for (const { eventType, wireName, canonicalId, message } of catalog.reports) {
      tell("catalog.report", { eventType, wireName, canonicalId, message });
      writer.write(inspector("host", eventType, message, { wireName, canonicalId }));
    }
  }

  async #steps(over: AbortSignal): Promise<void> {
    const { limits } = this.#parts.settings;
    for (let count = 1; ; count++) {
      const calls = new StepCalls(this.#parts.catalog.tools, this.#ids, this.#parts.writer);
      const outcome = await this.#ask(calls, over);
      this.#usage.add(outcome.usage);
      if (outcome.parts.length > 0) this.#added.push({ role: "assistant", content: outcome.parts });
      if (outcome.failure !== undefined) return this.#stop(calls, outcome.failure);
      if (calls.all.length === 0) return this.#finish(outcome.reason);
      const pending = calls.forBrowser;
      // Nobody would read the results: the model is not asked again.
      if (count >= limits.modelSteps && pending.length === 0) return this.#stop(calls, tooManySteps(limits.modelSteps));
      await calls.run((call) => this.#invoke(call));
      this.#addResults(calls);
      if (pending.length > 0) return this.#finish("tool-calls", pending);
    }
  }

  #ask(calls: StepCalls, over: AbortSignal): Promise<ModelOutcome> {
    const { model, system, step, catalog, writer, settings } = this.#parts;
    const listener = {
      text: (type: "text" | "reasoning", text: string): void => void writer.write({ type: `${type}-delta`, text }),
      call: (call: Parameters<StepCalls["take"]>[0]): AssistantPart => calls.take(call),
    };
    const state: WireModelMessage[] =
      catalog.stateBlock === undefined ? [] : [{ role: "user", content: catalog.stateBlock }];
    const request = {
      ...(system === undefined ? {} : { system }),
      messages: [...step.messages, ...this.#added, ...state],
      tools: catalog.forModel,
    };
    return new ModelStep(listener).run(model, request, settings.limits.silenceMs, over);
  }

  async #invoke(call: StepCall): Promise<Answer> {
    const { settings, session, context, step, stepId } = this.#parts;
    const key = await idempotencyKey({
      session: session.id,
      conversation: step.conversationId,
      turn: step.turnId,
      toolCallId: call.toolCallId,
    });
    const result = await settings.runtime.invoke(call.canonicalId.slice(DOMAIN.length), call.input, {
      actor: session.actor,
      context,
      surface: "aiSdk",
      correlationId: stepId,
      idempotencyKey: key,
    });
    return answerOf(result);
  }

  #addResults({ all }: StepCalls): void {
    const content = all.flatMap(({ toolCallId, wireName: toolName, answer }) =>
      answer === undefined
        ? []
        : [{ type: "tool-result", toolCallId, toolName, output: { type: "json", value: answer.result } }],
    );
    if (content.length > 0) this.#added.push({ role: "tool", content });
  }

  /** What certainly never ran says so: the history is whole whatever happened. */
  #stop(calls: StepCalls, failure: Failure): void {
    calls.settleRest(notExecuted);
    this.#addResults(calls);
    this.#fail(failure);
  }

  #fail({ code, message, cause }: Failure): void {
    const { writer, tell, settings } = this.#parts;
    if (cause !== undefined) report(settings.onError, cause, "model");
    tell("step.error", { code });
    writer.write({ type: "error", error: { code, message } });
    this.#finish("error");
  }

  #finish(finishReason: FinishReason, pending: readonly StepCall[] = []): void {
    const { writer, tell, stepId } = this.#parts;
    const pendingToolCalls = pending.map((call) => ({ ...namesOf(call), input: call.input }));
    const usage = this.#usage.total === undefined ? {} : { usage: this.#usage.total };
    writer.tellMissed();
    const responseMessages = this.#added;
    const end: Frame = { type: "step-finish", stepId, finishReason, responseMessages, pendingToolCalls, ...usage };
    if (!writer.write(end)) writer.write({ type: "error", error: HOST_FAILED });
    tell("step.finished", { finishReason, pending: pending.map(({ canonicalId }) => canonicalId), ...usage });
  }
}

const tooManySteps = (most: number): Failure => ({
  code: "RUN_LIMIT_EXCEEDED",
  message: `The model was asked ${String(most)} times in one request; it may not be asked again.`,
});
