// Does what the module asks of an execution: runs author code, asks stores and sinks, and answers how it went. It decides
// nothing: what follows from an answer is the module's business (domain/runtime.h).

import { isRecord, isThenable, swallow } from "../contract/values.js";
import type { Step } from "../runtime/domain_module.js";
import { Ask, Told, type ToldCode } from "../runtime/domain_table.js";
import { attempt, waited } from "./attempt.js";
import type { Call } from "./call.js";
import { detach, frozenCopy } from "./detach.js";
import { isActor, PHASES, type Engine, type PhaseNumber } from "./engine.js";
import { errorFrom } from "./error_text.js";
import { hashText } from "./hash_text.js";
import { policyRequest } from "./policy_request.js";
import { isVetoed, runBatch } from "./policy_runner.js";
import { runProcedure } from "./procedures/run.js";
import { thrownFacts } from "./procedures/thrown.js";
import { validate, type Validation } from "./schema/validate.js";
import type { Spans } from "./spans.js";
import type { AgentCapability, AgentInvocationInfo, ApprovalRecord, ApprovalRequest } from "./types.js";
import { valueFacts } from "./value_facts.js";

export interface Reply {
  readonly told: ToldCode;
  readonly text: string;
}
const reply = (told: ToldCode, text = ""): Reply => ({ told, text });
const VALID = reply(Told.valid);
const DONE = reply(Told.done);
const REFUSED = reply(Told.refused);
const OUTPUT = reply(Told.output);
const STOPPED = reply(Told.stopped);

export class Performer {
  /** The private cause of whatever goes wrong next. */
  cause: unknown;
  /** Of the procedure; after redaction what leaves. */
  output: unknown;
  /** The record of a call that was suspended. */
  stored: ApprovalRecord | undefined;
  /** Under strict audit: whether `capability.started` reached every sink. */
  started: Promise<boolean> | undefined;
  readonly #engine: Engine;
  readonly #call: Call;
  readonly #spans: Spans;
  #input: unknown;
  #approval: AgentInvocationInfo["approval"];
  #requested: ApprovalRequest | undefined;
  #attempts = 0;

  constructor(engine: Engine, call: Call, spans: Spans) {
    this.#engine = engine;
    this.#call = call;
    this.#spans = spans;
    this.#input = call.input;
    const approver: unknown = call.record?.decision?.approver;
    // Without an approver the module refuses the record.
    if (call.record !== undefined && isActor(approver)) this.#approval = { id: call.record.id, approver };
  }

  /** May throw or reject: the caller answers for what nobody expected. */
  perform(step: Step): Reply | Promise<Reply> {
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
    const input = phase === PHASES.discovery ? undefined : { value: this.#input };
    const request = policyRequest(phase, this.#capability(step), { surface, actor, context }, input, record);
    this.#spans.open("policy_evaluation", this.#words());
    const { policyTimeoutMs: timeoutMs, clock } = this.#engine;
    let isFirst = true;
    const failed = (why: unknown): void => {
      // What discovery's policies failed with is not the reason of this call's answer.
      if (isFirst && phase !== PHASES.discovery) this.cause = why;
      isFirst = false;
    };
    const policies = this.#engine.batch(step.capability, phase);
    const report = runBatch({ policies, request, timeoutMs, clock, failed });
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
    const decision: unknown = await this.#engine.handler?.(copyOfRequest(request));
    this.#spans.close("ok");
    if (decision === undefined || decision === null) return reply(Told.undecided);
    const approver: unknown = isRecord(decision) ? decision["approver"] : undefined;
    if (isActor(approver)) this.#approval = { id: request.id, approver: Object.freeze({ ...approver }) };
    return reply(Told.decided, valueFacts(decision));
  }

  async #storeApproval(step: Step): Promise<Reply> {
    const request = this.#request(step);
    this.#approval = undefined;
    this.#spans.open("approval_request", { ...this.#words(), approval_id: request.id });
    try {
      const stored: unknown = await this.#engine.coordinator.create(request);
      if (!isRecordOf(request, stored)) throw new TypeError("approvals.coordinator: create() must answer the record");
      this.stored = stored;
    } catch (error) {
      this.cause = error;
      this.#spans.close("error");
      return REFUSED;
    }
    this.#spans.close("ok");
    return DONE;
  }

  async #auditStarted(): Promise<Reply> {
    return (await this.started) === true ? DONE : REFUSED;
  }

  #execute(step: Step): Promise<Reply> {
    const capability = this.#capability(step);
    this.#attempts++;
    // What the attempt before this one failed with is told already.
    this.cause = undefined;
    this.#spans.open("procedure_execution", { ...this.#words(), attempt: this.#attempts });
    // A handler may change what it is handed; the next attempt runs what was validated all the same.
    const input = capability.meta.retry === undefined ? this.#input : detach(this.#input);
    const context = { ...this.#call.context, agent: this.#info(capability) };
    const run = (signal: AbortSignal): Promise<unknown> =>
      runProcedure(capability.procedure, { input, context, path: capability.path, signal });
    return attempt(run, step.number, this.#call.signal).then((outcome) => {
      this.#spans.close(outcome.kind === "output" ? "ok" : "error");
      if (outcome.kind === "output") {
        this.output = outcome.output;
        return OUTPUT;
      }
      if (outcome.kind === "threw") {
        this.cause = outcome.error;
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
      this.output = answer.value;
      return VALID;
    };
    const answer = validate(outputSchema, this.output);
    return answer instanceof Promise ? answer.then(take) : take(answer);
  }

  /** Decision 13: synchronous and total. */
  #redact({ meta }: AgentCapability): Reply {
    const redact: unknown = meta.redact?.output;
    try {
      if (typeof redact !== "function") throw new TypeError("the redactor is gone");
      const redacted: unknown = Reflect.apply(redact, meta.redact, [this.output]);
      if (isThenable(redacted)) {
        swallow(redacted);
        throw new TypeError("a redactor must answer at once; it gave a promise");
      }
      this.output = redacted;
      return DONE;
    } catch (error) {
      this.cause = error;
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
      this.cause = error;
      return REFUSED;
    }
  }

  #mayRetry(step: Step): Reply {
    const { retry } = this.#capability(step).meta;
    const error = errorFrom(JSON.parse(step.text), this.cause);
    return reply(isVetoed(() => retry?.retryOn?.(error)) ? Told.no : Told.yes);
  }

  #words(): Record<string, string> {
    return { execution_id: this.#call.executionId };
  }
}

/** Whoever decides gets a copy: what is stored after it is what was asked. */
function copyOfRequest(request: ApprovalRequest): ApprovalRequest {
  const copy = frozenCopy(request);
  return isRecordOf(request, copy) ? copy : request;
}

function isRecordOf(request: ApprovalRequest, record: unknown): record is ApprovalRecord {
  return isRecord(record) && record["id"] === request.id;
}

function phaseOf(number: number): PhaseNumber {
  if (number === PHASES.discovery) return PHASES.discovery;
  return number === PHASES.invocation ? PHASES.invocation : PHASES.execution;
}
