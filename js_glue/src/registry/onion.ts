// Policies around a call: each may wait, refuse, or go on with next(), registry outermost (spec: invocation.md §1,
// phases 4 and 6).
//
// What a policy returns is ignored, and so is what it throws once it has gone on: from next() on the call is decided by
// what comes after. A policy that never goes on has refused; one that keeps the call waiting has a time limit.

import type { InvokePolicyContext, Policy, PolicyContext } from "../contract/policy.js";
import { isThenable } from "../contract/values.js";
import { AgentSurfaceDefectError } from "../errors.js";
import type { InvocationResult } from "../runtime/answers.js";
import { Step } from "../runtime/table.js";
import type { Call } from "./call.js";
import type { RegistryCore } from "./core.js";
import type { Deadline } from "./deadlines.js";
import { refuse, throughGates, watch } from "./flow.js";
import { surfaceErrorText } from "./thrown.js";

type Next = () => Promise<InvocationResult>;
type Hook = (policy: Policy, next: Next) => unknown;

export function authorize(core: RegistryCore, call: Call, context: PolicyContext, inner: () => void): void {
  layer(core, call, call.chain.authorize, 0, (policy, next) => policy.onAuthorize?.(context, next), inner);
}

export function aroundInvoke(core: RegistryCore, call: Call, context: InvokePolicyContext, inner: () => void): void {
  layer(core, call, call.chain.invoke, 0, (policy, next) => policy.onInvoke?.(context, next), inner);
}

function layer(
  core: RegistryCore,
  call: Call,
  policies: readonly Policy[],
  at: number,
  hook: Hook,
  inner: () => void,
): void {
  if (call.settled) return;
  const policy = policies[at];
  if (policy === undefined) return inner();
  const turn = new Turn(core, call, () => layer(core, call, policies, at + 1, hook, inner));
  let answer: unknown;
  try {
    answer = hook(policy, turn.next);
    if (isThenable(answer)) return turn.follow(answer);
  } catch (error) {
    return turn.threw(error);
  }
  turn.ended();
}

/** One policy's turn with one call. */
class Turn {
  readonly #core: RegistryCore;
  readonly #call: Call;
  readonly #inner: () => void;
  #wentOn = false;
  #deadline: Deadline | undefined;

  constructor(core: RegistryCore, call: Call, inner: () => void) {
    this.#core = core;
    this.#call = call;
    this.#inner = inner;
  }

  readonly next: Next = () => {
    if (this.#wentOn) return rejected(new AgentSurfaceDefectError("a policy calls next() once"));
    this.#wentOn = true;
    const deadline = this.#deadline;
    if (deadline === undefined) this.#core.guarded(this.#call, this.#inner);
    else if (this.#core.deadlines.close(deadline))
      this.#core.guarded(this.#call, () => throughGates(this.#core, this.#call, this.#inner));
    else this.#refuse();
    return this.#call.promise;
  };

  /** It kept the call waiting for too long. */
  #refuse(): void {
    this.#core.guarded(this.#call, () => refuse(this.#core, this.#call, Step.policyThrew, ""));
  }

  /** The policy answers later; where it has not gone on by now the call waits for it. */
  follow(answer: PromiseLike<unknown>): void {
    const call = this.#call;
    if (!this.#wentOn && !call.settled) {
      call.waited = true;
      this.#core.hold(call);
      this.#core.leaveGates(call);
      this.#deadline = this.#core.deadlines.add(() => {
        this.#wentOn = true;
        this.#refuse();
      });
      watch(this.#core, call);
    }
    Promise.resolve(answer).then(
      () => this.#core.guarded(this.#call, () => this.ended()),
      (error: unknown) => this.#core.guarded(this.#call, () => this.threw(error)),
    );
  }

  ended(): void {
    if (this.#done()) return;
    refuse(this.#core, this.#call, Step.policyDenied, "");
  }

  threw(error: unknown): void {
    if (this.#done()) return;
    refuse(this.#core, this.#call, Step.policyThrew, surfaceErrorText(error));
  }

  #done(): boolean {
    if (this.#wentOn) return true;
    this.#wentOn = true;
    if (this.#deadline !== undefined) this.#deadline.open = false;
    return this.#call.settled;
  }
}

/** Nobody has to handle it: a policy may well ignore what its second next() gives. */
function rejected(error: Error): Promise<never> {
  const promise = Promise.reject<never>(error);
  promise.catch(() => undefined);
  return promise;
}
