// Phases 9 and 10: the handler is called, and what it gives is settled.

import type { Entry } from "../contract/intern.js";
import { isThenable } from "../contract/values.js";
import { AgentSurfaceDefectError } from "../errors.js";
import { jsonCopy, jsonText, type JsonValue } from "../json/value.js";
import type { OkResult } from "../runtime/answers.js";
import { Answer, Outcome } from "../runtime/table.js";
import type { Call, CallContext } from "./call.js";
import type { RegistryCore } from "./core.js";
import { isTransient, surfaceErrorText } from "./thrown.js";

/** Calls the handler; true when it has not settled yet. */
export function execute(core: RegistryCore, call: Call, entry: Entry, context: CallContext): boolean {
  core.running.push(call.inv);
  let output: unknown;
  let waits = false;
  let thrown: { readonly error: unknown } | undefined;
  try {
    output = call.isAction ? entry.execute?.(call.takeInput(), context) : entry.read?.(context);
    waits = isThenable(output);
  } catch (error) {
    thrown = { error };
  } finally {
    core.running.pop();
  }
  if (thrown !== undefined) settleThrown(core, call, thrown.error);
  else if (!waits) settleOutput(core, call, output);
  else follow(core, call, output);
  return waits && !call.settled;
}

function follow(core: RegistryCore, call: Call, output: unknown): void {
  core.hold(call);
  core.timer.arm(call.timeoutMs);
  // Promise.resolve: a thenable of the author's may call back twice, at once, or both ways.
  Promise.resolve(output).then(
    (value) => core.guarded(call, () => settleOutput(core, call, value)),
    (error: unknown) => core.guarded(call, () => settleThrown(core, call, error)),
  );
}

function settleOutput(core: RegistryCore, call: Call, output: unknown): void {
  if (output === undefined) return settle(core, call, Outcome.empty, "");
  // The module judges the size; the walk only has to end, however large the value is.
  const { maxOutputBytes } = core.settings;
  const json = jsonText(output, { maxDepth: maxOutputBytes, maxBytes: 4 * maxOutputBytes + 65536 });
  if ("text" in json) return settle(core, call, Outcome.output, json.text, json);
  if (json.problem.kind !== "value") {
    // Far over the limit: any text of that size gets the same answer.
    return settle(core, call, Outcome.output, JSON.stringify("x".repeat(maxOutputBytes)));
  }
  settle(
    core,
    call,
    Outcome.notJson,
    "",
    undefined,
    core.settings.production ? undefined : defect(call, json.problem.message),
  );
}

function defect(call: Call, problem: string): AgentSurfaceDefectError {
  const { contract } = call.registration;
  const name = contract.capabilityIds[call.index] ?? "";
  return new AgentSurfaceDefectError(`the output of ${name} is no JSON value: ${problem}`);
}

function settleThrown(core: RegistryCore, call: Call, error: unknown): void {
  const text = surfaceErrorText(error);
  if (text !== "") settle(core, call, Outcome.surfaceError, text);
  else settle(core, call, Outcome.threw, isTransient(error) ? '{"transient":true}' : "");
}

/** Tells the module how it ended, and ends the promise with its answer; a late settlement changes nothing. */
export function settle(
  core: RegistryCore,
  call: Call,
  outcome: number,
  text: string,
  output?: JsonValue,
  defective?: Error,
): void {
  if (core.disposed) return;
  const reply = core.runtime.settle(core.h, call.inv, core.now(), outcome, text);
  if (reply[0] === Answer.done) {
    core.finish(call, okResult(call, output, String(reply[2]), reply[3]));
  } else if (reply[0] === Answer.result) {
    core.finish(call, reply[2], defective);
  }
  if (reply[1] !== 0) core.outbox.take();
  core.gates.schedule();
}

/** Literals and no spreading: this runs in every call. */
function okResult(call: Call, output: JsonValue | undefined, surfaceVersion: string, changed: number): OkResult {
  const { invocationId } = call;
  const { capabilityId } = call.envelope;
  const result: OkResult =
    output === undefined
      ? { status: "ok", invocationId, capabilityId, surfaceVersion }
      : { status: "ok", invocationId, capabilityId, output: jsonCopy(output), surfaceVersion };
  return changed !== 0 ? { ...result, surfaceChanged: true } : result;
}
