// An object of the module that lives for a conversation, a response or a turn. It ends with dispose(), or when nobody
// holds it any more; after the module's death every use throws RuntimeDeadError.

import { invalidDefinition } from "../errors.js";
import { jsonText, LOOSE_BOUNDS } from "../json/value.js";
import { liveRuntime } from "../runtime/load.js";
import type { Runtime } from "../runtime/runtime.js";
import { ProtocolKind, type Exchange } from "../runtime/table.js";
import type { ProtocolLimits } from "./types.js";

type Step = (typeof Exchange)[keyof typeof Exchange];

interface Held {
  readonly runtime: Runtime;
  readonly handle: number;
}

const forgotten = /* @__PURE__ */ new FinalizationRegistry<Held>(close);

function close({ runtime, handle }: Held): void {
  if (!runtime.dead) runtime.call("", (table) => table.closeProtocol(handle));
}

export class ProtocolObject {
  readonly runtime: Runtime;
  readonly #what: string;
  readonly #held: Held;
  #open = true;

  constructor(kind: keyof typeof ProtocolKind, what: string, limits: Partial<ProtocolLimits> | undefined) {
    this.runtime = liveRuntime(what);
    this.#what = what;
    const options = limits === undefined ? "{}" : `{"limits":${textOf(limits, what)}}`;
    const handle = this.runtime.answer(options, (table) => table.openProtocol(ProtocolKind[kind]));
    if (typeof handle !== "number") throw new Error("the module gave no handle");
    this.#held = { runtime: this.runtime, handle };
    forgotten.register(this, this.#held, this);
  }

  /** What the module answers; throws AgentSurfaceDefinitionError for what it refuses. */
  step(step: Step, text: string | Uint8Array): number {
    if (!this.#open) throw invalidDefinition(`${this.#what}: it was disposed of`);
    const { handle } = this.#held;
    return this.runtime.checked(text, (table) => table.exchange(handle, step));
  }

  /** The same where the answer is a text. */
  text(step: Step, text: string | Uint8Array): string {
    this.step(step, text);
    return this.runtime.left();
  }

  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    forgotten.unregister(this);
    close(this.#held);
  }
}

/** JSON text of what a caller hands over; INVALID_DEFINITION says where it is none. */
export function textOf(value: unknown, what: string): string {
  const json = jsonText(value, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`${what}: ${json.problem.message}`);
  return json.text;
}
