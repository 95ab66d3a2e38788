// One execution from the caller's side: does what the module asks for, one thing at a time, and tells how it went (spec:
// domain.md §6; the machine is domain/runtime.h). It never rejects: whatever happens ends in one envelope.

import { isRecord } from "../contract/values.js";
import type { Step } from "../runtime/domain_module.js";
import { Ask, Told, type ToldCode } from "../runtime/domain_table.js";
import { CapabilityError, isCapabilityError } from "./capability_error.js";
import type { Engine } from "./engine.js";
import { errorFrom, internalError } from "./error_text.js";
import type { Call } from "./call.js";
import { Performer, type Reply } from "./performer.js";
import type { Spans } from "./spans.js";
import type { ExecutionResult } from "./types.js";

export class Execution {
  readonly #engine: Engine;
  readonly #call: Call;
  readonly #spans: Spans;
  readonly #performer: Performer;

  constructor(engine: Engine, call: Call, spans: Spans) {
    this.#engine = engine;
    this.#call = call;
    this.#spans = spans;
    this.#performer = new Performer(engine, call, spans);
  }

  /** `first` crosses into the module. `cause` belongs to whatever it answers at once. */
  async run(first: () => Step, cause?: unknown): Promise<ExecutionResult> {
    this.#performer.cause = cause;
    let result: ExecutionResult;
    try {
      let step = this.#took(first());
      while (step.ask !== Ask.finished) {
        if (step.ask === Ask.ignored) throw new Error("the module knows nothing of this execution");
        const answer = this.#answer(step);
        const { told, text } = answer instanceof Promise ? await answer : answer;
        step = this.#took(this.#tell(step, told, text));
      }
      result = this.#envelope(step.text);
    } catch (error) {
      // The module is dead, or a sink's delivery broke in a way of its own.
      result = { status: "failed", executionId: this.#call.executionId, error: internalError(error) };
    }
    this.#spans.finish(result.status, "error" in result ? result.error : undefined);
    return result;
  }

  #tell(step: Step, told: ToldCode, text: string): Step {
    const aborted = this.#call.signal?.aborted === true;
    return this.#engine.module.tell(this.#engine.handle, step.execution, told, aborted, this.#engine.now(), text);
  }

  #took(step: Step): Step {
    if (step.events) this.#performer.started = this.#engine.deliver() ?? this.#performer.started;
    return step;
  }

  /** Guarded as a whole (decision 2): what nobody expected is told as such, and stays as the private cause. */
  #answer(step: Step): Reply | Promise<Reply> {
    try {
      const answer = this.#performer.perform(step);
      return answer instanceof Promise ? answer.catch((error: unknown) => this.#broke(error)) : answer;
    } catch (error) {
      return this.#broke(error);
    }
  }

  #broke(error: unknown): Reply {
    this.#performer.cause = error;
    this.#spans.close("error");
    return { told: Told.broke, text: "" };
  }

  #envelope(text: string): ExecutionResult {
    const { executionId } = this.#call;
    if (text === "") return { status: "completed", executionId, output: this.#performer.output };
    const ended: unknown = JSON.parse(text);
    const status: unknown = isRecord(ended) ? ended["status"] : undefined;
    if (status === "approval-required" && this.#performer.stored !== undefined) {
      return { status, executionId, approval: this.#performer.stored };
    }
    const said: unknown = isRecord(ended) ? ended["error"] : undefined;
    const error =
      isRecord(said) && said["own"] === true && isCapabilityError(this.#performer.cause)
        ? this.#performer.cause
        : errorFrom(said, this.#performer.cause);
    return { status: status === "cancelled" ? "cancelled" : "failed", executionId, error };
  }
}

/** The value of a completed execution; throws the error of every other (spec §6.1). */
export function unwrap<Output>(result: ExecutionResult<Output>): Output {
  if (result.status === "completed") return result.output;
  if (result.status === "approval-required") {
    throw new CapabilityError({ code: "APPROVAL_REQUIRED", details: { approval: result.approval } });
  }
  throw result.error;
}
