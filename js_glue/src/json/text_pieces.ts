// Text as it streams. A piece may end within a surrogate pair; the half waits for the rest, and one that never gets it is
// replaced: alone it has no UTF-8.

import { toWellFormed } from "./value.js";

export class TextPieces {
  #half = "";

  /** What may be sent now; often nothing. */
  push(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const open = last >= 0xd800 && last <= 0xdbff;
    this.#half = open ? text.slice(-1) : "";
    return toWellFormed(open ? text.slice(0, -1) : text);
  }

  rest(): string {
    const rest = toWellFormed(this.#half);
    this.#half = "";
    return rest;
  }
}
