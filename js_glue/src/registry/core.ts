// The state of one registry on this side of the boundary, shared by the files beside this one.
//
// It never refers to the public registry object, so that a registry nobody holds can be collected and cleaned up. The
// module decides; what is here are the closures, the promises and the timer that its decisions are carried out with.

import { ContractTable, type Entry } from "../contract/intern.js";
import { AgentSurfaceDefectError, RuntimeDeadError } from "../errors.js";
import type { InvocationResult } from "../runtime/answers.js";
import type { Dependent, Runtime } from "../runtime/runtime.js";
import { Listen, Step } from "../runtime/table.js";
import type { Call } from "./call.js";
import { DeadlineTimer } from "./clock.js";
import { Confirmations } from "./confirmations.js";
import { Deadlines } from "./deadlines.js";
import { Gates } from "./gates.js";
import type { Settings } from "./options.js";
import { Outbox, type SurfaceListener } from "./outbox.js";
import type { ProcedureExecutor } from "./procedures.js";
import type { Registration } from "./registration.js";

export class RegistryCore implements Dependent {
  readonly runtime: Runtime;
  readonly h: number;
  readonly settings: Settings;
  readonly contracts: ContractTable;
  readonly outbox: Outbox;
  readonly gates: Gates;
  readonly timer: DeadlineTimer;
  readonly deadlines: Deadlines;
  readonly confirmations: Confirmations;
  executor: ProcedureExecutor | undefined;
  /** References that describe themselves, with the note that the module was last told. */
  readonly described = new Map<Registration, string | undefined>();
  /** References whose owner has not come yet, by its type and instance. */
  readonly awaited = new Map<Registration, string>();
  readonly registrations = new Map<number, Registration>();
  /** The live registration of a type and instance; kept only where a newcomer may replace it. */
  readonly byInstance = new Map<string, Registration>();
  readonly calls = new Map<number, Call>();
  readonly listeners = new Set<SurfaceListener>();
  /** Invocations whose handlers are on the stack right now. */
  readonly running: number[] = [];
  /** Capabilities whose `when` or `precondition` is on the stack right now: calls to them from there would never end. */
  readonly asking: Entry[] = [];
  /** Calls whose gates are on the stack right now. */
  readonly gating: Call[] = [];
  /** Moves whenever somebody calls into the registry: tells whether author code did. */
  epoch = 0;
  disposed = false;
  #pending = 0;

  constructor(runtime: Runtime, h: number, settings: Settings, carryOut: (core: RegistryCore, call: Call) => void) {
    this.runtime = runtime;
    this.h = h;
    this.settings = settings;
    this.contracts = new ContractTable(runtime, h);
    this.outbox = new Outbox(this, (call) => carryOut(this, call));
    this.gates = new Gates(this);
    this.timer = new DeadlineTimer(settings.clock, () => this.#deadline());
    this.deadlines = new Deadlines(this);
    this.confirmations = new Confirmations(this);
    if (this.outbox.audience.listens) this.listen();
  }

  now(): number {
    return this.settings.clock.read();
  }

  /**
   * Before every call that changes something. The module counts a plan as running; where author code in a gate calls
   * in, it has to hear first that those calls have not come to their handlers yet.
   */
  enter(): void {
    this.epoch++;
    for (const call of this.gating) this.holdBack(call);
  }

  leaveGates(call: Call): void {
    const at = this.gating.lastIndexOf(call);
    if (at >= 0 && at === this.gating.length - 1) this.gating.pop();
    else if (at >= 0) this.gating.splice(at, 1);
  }

  holdBack(call: Call): void {
    if (call.settled || call.heldBack || call.admitLater) return;
    call.heldBack = true;
    this.runtime.advance(this.h, call.inv, this.now(), Step.hold, "");
  }

  /** Tells the module which items anybody wants. */
  listen(): void {
    const mask = (this.listeners.size > 0 ? Listen.events : 0) | (this.outbox.audience.listens ? Listen.audit : 0);
    this.runtime.call("", (table) => table.listen(this.h, mask));
  }

  /** Disposed of, or lost with its module. */
  get gone(): boolean {
    return this.disposed || this.runtime.dead;
  }

  /** Throws the one clear error of a registry that is no more. */
  assertLive(): void {
    if (this.disposed) throw disposedError();
    if (this.runtime.dead) throw new RuntimeDeadError();
  }

  /** Somebody waits for this call from now on. */
  hold(call: Call): void {
    if (call.pending || call.settled) return;
    call.pending = true;
    if (this.#pending++ > 0) return;
    this.runtime.busy.add(this);
    this.timer.hold(true);
  }

  finish(call: Call, result: InvocationResult | undefined, defect?: Error): void {
    if (call.settled) return;
    this.calls.delete(call.inv);
    call.finish(result, defect);
    if (!call.pending || --this.#pending > 0) return;
    this.runtime.busy.delete(this);
    this.timer.hold(false);
  }

  release(registration: Registration): void {
    if (registration.status !== "registered") return;
    registration.release();
    this.registrations.delete(registration.reg);
    this.gates.remove(registration);
    this.described.delete(registration);
    this.awaited.delete(registration);
    const { key } = registration;
    if (key !== undefined && this.byInstance.get(key) === registration) this.byInstance.delete(key);
  }

  /** For what runs out of a timer, a microtask or an abort: those in flight have heard of the module's death already. */
  quietly(run: () => void, died?: () => void): void {
    if (this.gone) return;
    try {
      run();
    } catch (error) {
      if (!(error instanceof RuntimeDeadError)) throw error;
      died?.();
    }
  }

  /**
   * For what goes on with a call out of a timer, a promise or a policy: the call may be over, and the module's failure
   * must not reach whoever is above. A settlement that comes after the end is the module's to record.
   */
  guarded(call: Call, run: () => void): void {
    this.quietly(run, () => this.finish(call, internalFailure(call.invocationId, call.envelope.capabilityId)));
  }

  runtimeDied(): void {
    for (const call of [...this.calls.values()]) {
      this.finish(call, internalFailure(call.invocationId, call.envelope.capabilityId));
      call.abort();
    }
    this.#drop();
  }

  dispose(): void {
    if (this.disposed) return;
    if (!this.runtime.dead) this.enter();
    this.disposed = true;
    if (!this.runtime.dead) {
      this.outbox.deliver(this.runtime.text("", (table) => table.dispose(this.h, this.now())));
    }
    this.#drop();
  }

  #drop(): void {
    for (const registration of [...this.registrations.values()]) this.release(registration);
    this.timer.clear();
    this.listeners.clear();
    this.confirmations.close();
  }

  #deadline(): void {
    this.quietly(() => {
      for (const delay of [this.deadlines.expire(), this.outbox.settleOverdue()]) {
        if (delay >= 0) this.timer.arm(delay);
      }
      this.timer.hold(this.#pending > 0);
    });
  }
}

export function disposedError(): AgentSurfaceDefectError {
  return new AgentSurfaceDefectError("the registry was disposed; create another one");
}

/** The result of a call whose module is gone: nobody is left to make one. */
export function internalFailure(invocationId: string, capabilityId: string): InvocationResult {
  return {
    status: "error",
    invocationId,
    capabilityId,
    error: {
      code: "EXECUTION_FAILED",
      message: "The call failed inside the runtime; what it did is unknown.",
      retry: "no",
      details: { reason: "internal" },
    },
    surfaceVersion: "0",
  };
}
