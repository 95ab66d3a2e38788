// One execution from the caller's side: does what the module asks for, one thing at a time, and tells how it went (spec:
// domain.md §6; the machine is domain/runtime.h). It never rejects: whatever happens ends in one envelope.

import { isRecord, isThenable, swallow } from "../contract/values.js";
import type { Step } from "../runtime/domain_module.js";
import { Ask, Told, type ToldCode } from "../runtime/domain_table.js";
import { attempt, waited } from "./attempt.js";
import { CapabilityError, isCapabilityError } from "./capability_error.js";
import { detach } from "./detach.js";
import { PHASES, type Engine, type PhaseNumber } from "./engine.js";
import { errorFrom, internalError } from "./error_text.js";
import { hashText } from "./hash_text.js";
import { policyRequest } from "./policy_request.js";
import { isVetoed, runBatch } from "./policy_runner.js";
import { runProcedure } from "./procedures/run.js";
import { thrownFacts } from "./procedures/thrown.js";
import { validate, type Validation } from "./schema/validate.js";
import { Spans } from "./spans.js";
import type {
  Actor,
  AgentCapability,
  AgentInvocationInfo,
  ApprovalRecord,
  ApprovalRequest,
  Context,
  ExecutionResult,
  ExposureSurface,
} from "./types.js";
import { valueFacts } from "./value_facts.js";

interface Reply {
  readonly told: ToldCode;
  readonly text: string;
}
const reply = (told: ToldCode, text = ""): Reply => ({ told, text });
const VALID = reply(Told.valid);
const DONE = reply(Told.done);
const REFUSED = reply(Told.refused);
const OUTPUT = reply(Told.output);
const STOPPED = reply(Told.stopped);

/** What one call is made of; a resume takes it from the record. */
export interface Call {
  readonly executionId: string;
  readonly actor: Actor;
  readonly surface: ExposureSurface;
  readonly context: Context;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  readonly correlationId: string | undefined;
  readonly idempotencyKey: string;
  /** Of a resume. */
  readonly record?: ApprovalRecord;
}

export class Execution {
  readonly #engine: Engine;
  readonly #call: Call;
  readonly #spans: Spans;
  #input: unknown;
  #output: unknown;
  #cause: unknown;
  #approval: AgentInvocationInfo["approval"];
  #requested: ApprovalRequest | undefined;
  #stored: ApprovalRecord | undefined;
  #startedDelivery: Promise<boolean> | undefined;
  #attempts = 0;

  constructor(engine: Engine, call: Call, spans: Spans) {
    this.#engine = engine;
    this.#call = call;
    this.#spans = spans;
    this.#input = call.input;
    const decision = call.record?.decision;
    if (call.record !== undefined && decision !== undefined) {
      this.#approval = { id: call.record.id, approver: decision.approver };
    }
  }

  /** `first` crosses into the module. `cause` belongs to whatever it answers at once. */
  async run(first: () => Step, cause?: unknown): Promise<ExecutionResult> {
    this.#cause = cause;
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
    if (step.events) this.#startedDelivery = this.#engine.deliver() ?? this.#startedDelivery;
    return step;
  }

  /** Guarded as a whole (decision 2): what nobody expected is told as such, and stays as the private cause. */
  #answer(step: Step): Reply | Promise<Reply> {
    try {
      const answer = this.#perform(step);
      return answer instanceof Promise ? answer.catch((error: unknown) => this.#broke(error)) : answer;
    } catch (error) {
      return this.#broke(error);
    }
  }

  #broke(error: unknown): Reply {
    this.#cause = error;
    this.#spans.close("error");
    return reply(Told.broke);
  }

  #perform(step: Step): Reply | Promise<Reply> {
    switch (step.ask) {
      case Ask.validateInput:
        return this.#validateInput(this.#capability(step));
      case Ask.hashInput:
        return this.#hash();
      case Ask.runPolicies:
        return this.#runPolicies(step);
      case Ask.decideInline:
        return this.#decideInline(step);
      case Ask.storeApproval:
        return this.#storeApproval(step);
      case Ask.auditStarted:
        return this.#auditStarted();
      case Ask.execute:
        return this.#execute(step);
      case Ask.backOff:
        return this.#backOff(step.number);
      case Ask.validateOutput:
        return this.#validateOutput(this.#capability(step));
      case Ask.redact:
        return this.#redact(this.#capability(step));
      case Ask.consumeApproval:
        return this.#consume();
      case Ask.mayRetry:
        return this.#mayRetry(step);
      default:
        throw new Error(`the module asked for ${String(step.ask)}, which nobody knows`);
    }
  }

  #capability({ capability }: Step): AgentCapability {
    const found = this.#engine.capability(capability);
    if (found === undefined) throw new Error("the module named a capability that is not there");
    return found;
  }

  #validateInput({ inputSchema }: AgentCapability): Reply | Promise<Reply> {
    if (inputSchema === undefined) return VALID;
    const take = (answer: Validation): Reply => {
      if (!answer.ok) return reply(Told.invalid, valueFacts(answer.issues));
      this.#input = detach(answer.value);
      return VALID;
    };
    const answer = validate(inputSchema, this.#input);
    return answer instanceof Promise ? answer.then(take) : take(answer);
  }

  #hash(): Reply {
    const text = hashText(this.#input);
    return text === undefined ? reply(Told.unhashable) : reply(Told.hashed, text);
  }

  #runPolicies(step: Step): Reply | Promise<Reply> {
    const { actor, surface, context, record } = this.#call;
    const phase = phaseOf(step.number);
    const policies = this.#engine.batch(step.capability, phase);
    const input = phase === PHASES.discovery ? undefined : { value: this.#input };
    const request = policyRequest(phase, this.#capability(step), { surface, actor, context }, input, record);
    this.#spans.open("policy_evaluation", this.#words());
    const report = runBatch(policies, request, this.#engine.policyTimeoutMs, this.#engine.clock);
    return report instanceof Promise ? report.then((text) => this.#batchRan(text)) : this.#batchRan(report);
  }

  #batchRan(text: string): Reply {
    this.#spans.close("ok");
    return reply(Told.batch, text);
  }

  #request(step: Step): ApprovalRequest {
    if (this.#requested !== undefined) return this.#requested;
    const capability = this.#capability(step);
    const facts: Pick<ApprovalRequest, "id" | "inputHash" | "reasons" | "types" | "requestedAt" | "expiresAt"> =
      JSON.parse(step.text);
    const { surface, actor, correlationId } = this.#call;
    const { risk, sideEffect } = capability.meta;
    const request: ApprovalRequest = {
      ...facts,
      capabilityId: capability.id,
      surface,
      actor,
      ...(correlationId === undefined ? {} : { correlationId }),
      input: this.#input,
      risk,
      sideEffect,
    };
    this.#requested = request;
    return request;
  }

  async #decideInline(step: Step): Promise<Reply> {
    const request = this.#request(step);
    this.#spans.open("approval_request", { ...this.#words(), approval_id: request.id });
    const decision: unknown = await this.#engine.handler?.(Object.freeze({ ...request, input: detach(this.#input) }));
    this.#spans.close("ok");
    if (decision === undefined || decision === null) return reply(Told.undecided);
    const approver: unknown = isRecord(decision) ? decision["approver"] : undefined;
    if (isActorLike(approver)) this.#approval = { id: request.id, approver: Object.freeze({ ...approver }) };
    return reply(Told.decided, valueFacts(decision));
  }

  async #storeApproval(step: Step): Promise<Reply> {
    const request = this.#request(step);
    this.#approval = undefined;
    this.#spans.open("approval_request", { ...this.#words(), approval_id: request.id });
    try {
      this.#stored = await this.#engine.coordinator.create(request);
    } catch (error) {
      this.#cause = error;
      this.#spans.close("error");
      return REFUSED;
    }
    this.#spans.close("ok");
    return DONE;
  }

  async #auditStarted(): Promise<Reply> {
    return (await this.#startedDelivery) === true ? DONE : REFUSED;
  }

  #execute(step: Step): Promise<Reply> {
    const capability = this.#capability(step);
    this.#attempts++;
    this.#spans.open("procedure_execution", { ...this.#words(), attempt: this.#attempts });
    // A handler may change what it is handed; the next attempt runs what was validated all the same.
    const input = capability.meta.retry === undefined ? this.#input : detach(this.#input);
    const context = { ...this.#call.context, agent: this.#info(capability) };
    const run = (signal: AbortSignal): Promise<unknown> =>
      runProcedure(capability.procedure, { input, context, path: capability.path, signal });
    return attempt(run, step.number, this.#call.signal).then((outcome) => {
      this.#spans.close(outcome.kind === "output" ? "ok" : "error");
      if (outcome.kind === "output") {
        this.#output = outcome.output;
        return OUTPUT;
      }
      if (outcome.kind === "threw") {
        this.#cause = outcome.error;
        return reply(Told.threw, thrownFacts(outcome.error));
      }
      return outcome.kind === "stopped" ? STOPPED : reply(Told.timedOut);
    });
  }

  #info(capability: AgentCapability): AgentInvocationInfo {
    const { executionId, surface, actor, correlationId, idempotencyKey } = this.#call;
    return Object.freeze({
      executionId,
      capabilityId: capability.id,
      surface,
      actor,
      ...(this.#approval === undefined ? {} : { approval: Object.freeze(this.#approval) }),
      ...(correlationId === undefined ? {} : { correlationId }),
      idempotencyKey,
    });
  }

  #backOff(ms: number): Promise<Reply> {
    return waited(ms, this.#call.signal).then((whole) => (whole ? DONE : STOPPED));
  }

  #validateOutput({ outputSchema }: AgentCapability): Reply | Promise<Reply> {
    if (outputSchema === undefined) return VALID;
    const take = (answer: Validation): Reply => {
      if (!answer.ok) return reply(Told.invalid, "[]");
      this.#output = answer.value;
      return VALID;
    };
    const answer = validate(outputSchema, this.#output);
    return answer instanceof Promise ? answer.then(take) : take(answer);
  }

  /** Decision 13: synchronous and total. */
  #redact({ meta }: AgentCapability): Reply {
    const redact: unknown = meta.redact?.output;
    try {
      if (typeof redact !== "function") throw new TypeError("the redactor is gone");
      const redacted: unknown = Reflect.apply(redact, meta.redact, [this.#output]);
      if (isThenable(redacted)) {
        swallow(redacted);
        throw new TypeError("a redactor must answer at once; it gave a promise");
      }
      this.#output = redacted;
      return DONE;
    } catch (error) {
      this.#cause = error;
      return REFUSED;
    }
  }

  async #consume(): Promise<Reply> {
    const { record, executionId } = this.#call;
    try {
      if (record === undefined) throw new Error("there is no approval to consume");
      await this.#engine.coordinator.markConsumed(record.id, executionId);
      return DONE;
    } catch (error) {
      this.#cause = error;
      return REFUSED;
    }
  }

  #mayRetry(step: Step): Reply {
    const { retry } = this.#capability(step).meta;
    const error = errorFrom(JSON.parse(step.text), this.#cause);
    return reply(isVetoed(() => retry?.retryOn?.(error)) ? Told.no : Told.yes);
  }

  #words(): Record<string, string> {
    return { execution_id: this.#call.executionId };
  }

  #envelope(text: string): ExecutionResult {
    const { executionId } = this.#call;
    if (text === "") return { status: "completed", executionId, output: this.#output };
    const ended: unknown = JSON.parse(text);
    const status: unknown = isRecord(ended) ? ended["status"] : undefined;
    if (status === "approval-required" && this.#stored !== undefined) {
      return { status, executionId, approval: this.#stored };
    }
    const said: unknown = isRecord(ended) ? ended["error"] : undefined;
    const error =
      isRecord(said) && said["own"] === true && isCapabilityError(this.#cause)
        ? this.#cause
        : errorFrom(said, this.#cause);
    return { status: status === "cancelled" ? "cancelled" : "failed", executionId, error };
  }
}

function phaseOf(number: number): PhaseNumber {
  if (number === PHASES.discovery) return PHASES.discovery;
  return number === PHASES.invocation ? PHASES.invocation : PHASES.execution;
}

function isActorLike(value: unknown): value is Actor {
  return isRecord(value);
}

/** The value of a completed execution; throws the error of every other (spec §6.1). */
export function unwrap<Output>(result: ExecutionResult<Output>): Output {
  if (result.status === "completed") return result.output;
  if (result.status === "approval-required") {
    throw new CapabilityError({ code: "APPROVAL_REQUIRED", details: { approval: result.approval } });
  }
  throw result.error;
}
