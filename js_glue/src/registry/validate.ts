// Phase 5 for inputs that a Standard Schema validates: in JavaScript, at once or after a wait that has an end.

import { isThenable } from "../contract/values.js";
import { jsonText } from "../json/value.js";
import { Step } from "../runtime/table.js";
import { standardIssues, type StandardSchema } from "../schema/schema.js";
import type { Call } from "./call.js";
import type { RegistryCore } from "./core.js";
import { refuse, watch } from "./flow.js";

/** Validates the call's input; `proceed` goes on with the parsed value in its place, unless the call was answered. */
export function validateStandard(
  core: RegistryCore,
  call: Call,
  standard: StandardSchema<unknown>,
  proceed: (waited: boolean) => void,
): void {
  let outcome: unknown;
  let waits = false;
  try {
    outcome = standard["~standard"].validate(call.input);
    waits = isThenable(outcome);
  } catch {
    return refuse(core, call, Step.threw, "");
  }
  if (call.settled) return;
  if (!waits) return take(core, call, outcome, () => proceed(false));
  core.hold(call);
  core.holdBack(call);
  if (watch(core, call)) return;
  const threw = (): void => core.guarded(call, () => refuse(core, call, Step.threw, ""));
  const deadline = core.deadlines.add(threw);
  Promise.resolve(outcome).then(
    (result) => {
      if (core.deadlines.close(deadline)) core.guarded(call, () => take(core, call, result, () => proceed(true)));
      else threw();
    },
    () => {
      core.deadlines.close(deadline);
      threw();
    },
  );
}

function take(core: RegistryCore, call: Call, outcome: unknown, proceed: () => void): void {
  try {
    const issues: unknown = typeof outcome === "object" && outcome !== null ? Reflect.get(outcome, "issues") : [];
    if (issues !== undefined) {
      const list = Array.isArray(issues) && issues.length > 0 ? issues : [{ message: "the input was refused" }];
      return refuse(core, call, Step.inputRefused, JSON.stringify(standardIssues(list)));
    }
  } catch {
    return refuse(core, call, Step.threw, "");
  }
  const value: unknown = typeof outcome === "object" && outcome !== null ? Reflect.get(outcome, "value") : undefined;
  const json = jsonText(value, core.settings.bounds);
  if ("problem" in json) {
    const { path, message } = json.problem;
    return refuse(core, call, Step.inputRefused, JSON.stringify([{ path, message }]));
  }
  call.replaceInput(json);
  proceed();
}
