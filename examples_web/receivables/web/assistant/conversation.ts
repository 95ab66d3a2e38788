// The conversation of this tab: its history is the whole state, saved as it grows, so that a reload in the middle of a
// turn loses nothing. What a running turn has added so far is put together from its events.
import type { AgentSurfaceRegistry } from "viewcap";
import { runTurn, type TurnError, type TurnEvents } from "viewcap/client";
import { repairHistory, type Frame, type InspectorFrame, type WireModelMessage } from "viewcap/protocol";
import { isLoaded, recordsChanged } from "../data.js";
import { decide } from "../operations.js";
import { isCommitted, pageOf } from "../route.js";
import { consumer } from "../surface.js";
import { LiveTurn } from "./live_turn.js";

const STORE = "receivables-conversation";

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export interface ConversationState {
  readonly messages: readonly WireModelMessage[];
  readonly running: boolean;
  readonly error: TurnError | undefined;
  readonly tokens: Tokens | undefined;
  /** Drops, collisions, the server's audit: newest last. */
  readonly log: readonly InspectorFrame[];
}

interface Saved {
  readonly id: string;
  readonly turns: number;
  readonly messages: readonly WireModelMessage[];
}

const scopeFor = (pathname: string): readonly string[] => {
  const page = pageOf(new URL(pathname, location.origin));
  return page === "approvals" ? [] : ["app", page];
};

export class Conversation {
  readonly #registry: AgentSurfaceRegistry;
  readonly #onFrame: (frame: Frame) => void;
  readonly #listeners = new Set<() => void>();
  #id: string;
  #turns: number;
  #history: readonly WireModelMessage[];
  #live: LiveTurn | undefined;
  #stop: AbortController | undefined;
  #state: ConversationState;

  constructor(registry: AgentSurfaceRegistry, onFrame: (frame: Frame) => void) {
    this.#registry = registry;
    this.#onFrame = onFrame;
    const saved = read();
    this.#id = saved?.id ?? crypto.randomUUID();
    this.#turns = saved?.turns ?? 0;
    // What a reload cut off in its middle: its open calls may have run.
    this.#history = repairHistory(saved?.messages ?? []);
    this.#state = { messages: this.#history, running: false, error: undefined, tokens: undefined, log: [] };
  }

  get state(): ConversationState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One turn; a second one waits for nobody, it is not started. */
  async send(text: string): Promise<void> {
    if (this.#stop !== undefined || text.trim() === "") return;
    this.#history = [...this.#history, { role: "user", content: text }];
    await this.#run();
  }

  /** The last turn again, with what it has come to so far. */
  async again(): Promise<void> {
    if (this.#stop === undefined && this.#history.length > 0) await this.#run();
  }

  cancel(): void {
    this.#stop?.abort();
  }

  clear(): void {
    if (this.#stop !== undefined) return;
    this.#id = crypto.randomUUID();
    this.#turns = 0;
    this.#history = [];
    this.#update({ error: undefined, tokens: undefined, log: [] });
  }

  /** The decision resumes the call on the server; what it came to is told to the model in the next turn. */
  async decide(approvalId: string, decision: "approved" | "rejected"): Promise<void> {
    const envelope = await decide(approvalId, decision);
    recordsChanged();
    await this.send(`Approval ${approvalId} was ${decision}. The result: ${JSON.stringify(envelope)}`);
  }

  async #run(): Promise<void> {
    const stop = new AbortController();
    const live = new LiveTurn();
    this.#stop = stop;
    this.#live = live;
    this.#turns++;
    this.#update({ running: true, error: undefined });
    try {
      const outcome = await runTurn({
        conversationId: this.#id,
        turnId: `t${String(this.#turns)}`,
        messages: this.#history,
        registry: this.#registry,
        consumer,
        scopeFor,
        pathname: () => location.pathname,
        endpoint: "/agent/step",
        signal: stop.signal,
        settle: { until: () => isCommitted() && isLoaded() },
        events: this.#events(live),
      });
      this.#history = outcome.messages;
      this.#live = undefined;
      this.#stop = undefined;
      this.#update({ running: false, error: outcome.error });
    } catch (error) {
      this.#stop = undefined;
      this.#live = undefined;
      this.#update({ running: false, error: { code: "HOST_ERROR", message: String(error) } });
    }
  }

  #events(live: LiveTurn): TurnEvents {
    const grown = (change: () => void): void => {
      change();
      this.#update({});
    };
    return {
      onTextDelta: (text) => grown(() => live.text("text", text)),
      onReasoningDelta: (text) => grown(() => live.text("reasoning", text)),
      onToolCall: (call) => grown(() => live.call(call)),
      onToolResult: (result) => grown(() => live.result(result)),
      onAssistantMessageBoundary: () => live.boundary(),
      onFrame: this.#onFrame,
      onDomainMutation: recordsChanged,
      onInspector: (frame) => {
        if (frame.lane === "runtime") this.#onFrame(frame);
        this.#update({ log: [...this.#state.log, frame].slice(-200) });
      },
      onUsage: ({ inputTokens, outputTokens }) => {
        const { input, output } = this.#state.tokens ?? { input: 0, output: 0 };
        this.#update({ tokens: { input: input + inputTokens, output: output + outputTokens } });
      },
    };
  }

  #update(change: Partial<ConversationState>): void {
    const messages = this.#live === undefined ? this.#history : [...this.#history, ...this.#live.messages()];
    this.#state = { ...this.#state, ...change, messages };
    save({ id: this.#id, turns: this.#turns, messages });
    this.#listeners.forEach((tell) => tell());
  }
}

function read(): Saved | undefined {
  try {
    const saved: Saved | null = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
    return saved !== null && Array.isArray(saved.messages) ? saved : undefined;
  } catch {
    return undefined;
  }
}

function save(saved: Saved): void {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(saved));
  } catch {
    // A full store: the conversation goes on without it.
  }
}
