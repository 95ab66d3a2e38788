// The frames of one response. A reader that went away stops nothing: what is written then is dropped, and the step goes on
// (spec: host-protocol.md, "Frames"). News of the audit are dropped before a reader that is too slow for them, counted and
// told; the frames that make the history never are.

import { encodeFrame } from "../protocol/index.js";
import type { Frame, InspectorFrame } from "../protocol/types.js";
import type { DomainNews } from "./audit_feed.js";

/** Frames that wait for a slow reader before news of the audit are left out. */
const WAITING = 512;

export interface WriterEvents {
  /** Before its end. */
  readerLeft(): void;
  missed(count: number): void;
  failed(error: unknown): void;
}

export class FrameWriter {
  readonly body: ReadableStream<Uint8Array>;
  readonly #events: WriterEvents;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #missed = 0;

  constructor(events: WriterEvents) {
    this.#events = events;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        cancel: () => {
          this.#controller = undefined;
          events.readerLeft();
        },
      },
      { highWaterMark: WAITING },
    );
  }

  /** False when the frame was none that may be sent: nothing was. */
  write(frame: Frame): boolean {
    let line: string;
    try {
      line = encodeFrame(frame);
    } catch (error) {
      this.#events.failed(error);
      return false;
    }
    this.#controller?.enqueue(this.#encoder.encode(line));
    return true;
  }

  news({ eventType, summary, data }: DomainNews): void {
    if (this.#controller === undefined) return;
    if ((this.#controller.desiredSize ?? 0) <= 0) this.#missed++;
    else this.write(inspector("domain", eventType, summary, data));
  }

  /** No silent reduction: in the stream and in the audit. */
  tellMissed(): void {
    const count = this.#missed;
    if (count === 0) return;
    this.#missed = 0;
    this.#events.missed(count);
    const summary = `${String(count)} audit entries were left out: the reader is too slow.`;
    this.write(inspector("host", "audit.missed", summary, { count }));
  }

  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }
}

export function inspector(
  lane: InspectorFrame["lane"],
  eventType: string,
  summary: string,
  data: Readonly<Record<string, unknown>>,
): InspectorFrame {
  return { type: "inspector", lane, eventType, summary, data };
}
