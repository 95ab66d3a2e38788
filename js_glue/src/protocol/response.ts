// The page's side of a response (spec: host-protocol.md, "Frames"): bytes become frames, frames become what the history
// gets; and the guard that stops a turn which goes in circles.

import { invalidDefinition } from "../errors.js";
import { TextPieces } from "../json/text_pieces.js";
import { trusted } from "../runtime/answers.js";
import { Exchange } from "../runtime/table.js";
import { ProtocolObject, textOf } from "./exchange.js";
import type { Frame, LoopVerdict, ProtocolLimits, ResponseOutcome, SettledCall } from "./types.js";

export class FrameDecoder {
  readonly #object: ProtocolObject;
  readonly #onFrame: (frame: Frame) => void;
  readonly #pieces = new TextPieces();

  constructor(onFrame: (frame: Frame) => void, limits: Partial<ProtocolLimits> | undefined) {
    if (typeof onFrame !== "function") throw invalidDefinition("createFrameDecoder takes a function (frame) => void");
    this.#object = new ProtocolObject("frames", "createFrameDecoder", limits);
    this.#onFrame = onFrame;
  }

  /** Any split gives the same frames, also inside a UTF-8 sequence or a surrogate pair. What onFrame throws comes out. */
  push(chunk: Uint8Array | string): void {
    this.#tell(Exchange.push, typeof chunk === "string" ? this.#pieces.push(chunk) : chunk);
  }

  /** A last line without a newline. Afterwards the decoder is as new. */
  finish(): void {
    this.#tell(Exchange.push, this.#pieces.rest());
    this.#tell(Exchange.finish, "");
  }

  dispose(): void {
    this.#object.dispose();
  }

  #tell(step: typeof Exchange.push | typeof Exchange.finish, chunk: string | Uint8Array): void {
    const frames = trusted<readonly Frame[]>(this.#object.text(step, chunk));
    for (const frame of frames) this.#onFrame(frame);
  }
}

/** A malformed line becomes an error frame PROTOCOL_DECODE_ERROR, and decoding goes on; unknown types are passed over. */
export function createFrameDecoder(
  onFrame: (frame: Frame) => void,
  options: { readonly limits?: Partial<ProtocolLimits> | undefined } = {},
): FrameDecoder {
  return new FrameDecoder(onFrame, options.limits);
}

export class ResponseAccumulator {
  readonly #object = new ProtocolObject("accumulator", "createResponseAccumulator", undefined);

  /** PROTOCOL_DECODE_ERROR for what is no frame. */
  push(frame: Frame): void {
    this.#object.step(Exchange.push, textOf(frame, "createResponseAccumulator"));
  }

  /**
   * Every call of the messages has its result but those that are pending. Without a step-finish the response broke:
   * TRANSPORT_FAILED is among the errors, and an open server call is answered TOOL_OUTCOME_UNKNOWN.
   */
  finish(): ResponseOutcome {
    return trusted<ResponseOutcome>(this.#object.text(Exchange.finish, ""));
  }

  dispose(): void {
    this.#object.dispose();
  }
}

/** One for each response. */
export function createResponseAccumulator(): ResponseAccumulator {
  return new ResponseAccumulator();
}

export class LoopGuard {
  readonly #object = new ProtocolObject("guard", "createLoopGuard", undefined);

  /** Null while the turn may go on. In the order of settlement, of both planes. */
  record({ canonicalId, input, ok, result }: SettledCall): LoopVerdict | null {
    const call = textOf({ canonicalId, input: input ?? null, ok, result }, "createLoopGuard");
    return trusted<LoopVerdict | null>(this.#object.text(Exchange.push, call));
  }

  dispose(): void {
    this.#object.dispose();
  }
}

/** One for each turn. */
export function createLoopGuard(): LoopGuard {
  return new LoopGuard();
}
