// What a running turn has added to the history so far, from its events: rounds of what the model said and asked, each
// followed by the results that have come. A call without a result is open, and so it is shown.
import type { TurnCall, TurnResult } from "viewcap/client";
import type { MessagePart, WireModelMessage } from "viewcap/protocol";

interface Round {
  readonly parts: MessagePart[];
  readonly results: MessagePart[];
}

export class LiveTurn {
  readonly #rounds: Round[] = [];
  #closed = true;

  text(type: "text" | "reasoning", text: string): void {
    const { parts } = this.#round();
    const last = parts.at(-1);
    if (last?.type === type && "text" in last) parts[parts.length - 1] = { type, text: String(last.text) + text };
    else parts.push({ type, text });
  }

  call({ toolCallId, wireName, input }: TurnCall): void {
    this.#round().parts.push({ type: "tool-call", toolCallId, toolName: wireName, input });
  }

  result({ toolCallId, wireName, result }: TurnResult): void {
    const asked = this.#rounds.findLast(({ parts }) =>
      parts.some((part) => "toolCallId" in part && part.toolCallId === toolCallId),
    );
    const output = { type: "json", value: result ?? null } as const;
    asked?.results.push({ type: "tool-result", toolCallId, toolName: wireName, output });
  }

  boundary(): void {
    this.#closed = true;
  }

  messages(): readonly WireModelMessage[] {
    return this.#rounds.flatMap(({ parts, results }): WireModelMessage[] => {
      const said: WireModelMessage = { role: "assistant", content: [...parts] };
      return results.length === 0 ? [said] : [said, { role: "tool", content: [...results] }];
    });
  }

  /** What the model says behind a result is another message. */
  #round(): Round {
    const last = this.#rounds.at(-1);
    if (last !== undefined && !this.#closed && last.results.length === 0) return last;
    const round: Round = { parts: [], results: [] };
    this.#rounds.push(round);
    this.#closed = false;
    return round;
  }
}
