// One tool that the browser has. Its function stays the same for as long as the browser's registration does; what it
// stands for is looked up at each call. A remount puts another registration in its place without a word to the browser,
// and calls that were on their way to the old one arrive by name: for a moment they still get the old one, and the
// registry answers STALE_CAPABILITY instead of running them on a component that nobody meant.

import { isRecord } from "../contract/values.js";
import type { WebMcpResult } from "./types.js";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export type Run = (input: unknown, signal: AbortSignal | undefined) => Promise<WebMcpResult>;

/** What a tool stands for at the moment. */
export interface Standing {
  readonly canonicalId: string;
  /** What the browser was told; another text is another registration. */
  readonly text: string;
  /** Absent for the three tools of the meta mode. */
  readonly registrationId?: string;
  readonly run: Run;
}

/** A call takes a few milliseconds from an agent's process to the page; what an agent decides afterwards, far longer. */
const ON_THEIR_WAY_MS = 100;

export class PublishedTool {
  readonly #registration = new AbortController();
  readonly #idle: () => void;
  #standing: Standing;
  #before: { readonly standing: Standing; readonly until: number } | undefined;
  #running = 0;
  #retiring = false;

  constructor(standing: Standing, idle: () => void) {
    this.#standing = standing;
    this.#idle = idle;
  }

  get text(): string {
    return this.#standing.text;
  }

  get canonicalId(): string {
    return this.#standing.canonicalId;
  }

  get signal(): AbortSignal {
    return this.#registration.signal;
  }

  /** It leaves as soon as nothing of it runs any more. */
  get retiring(): boolean {
    return this.#retiring;
  }

  get gone(): boolean {
    return this.#registration.signal.aborted;
  }

  /** The same tool for another generation; one that was leaving stays. */
  renew(standing: Standing): void {
    const before = this.#standing;
    if (before.registrationId !== standing.registrationId && !this.#retiring) {
      this.#before = { standing: before, until: performance.now() + ON_THEIR_WAY_MS };
    }
    this.#standing = standing;
    this.#retiring = false;
  }

  /**
   * Calls from now on are refused; those that run may end. Of a registration that is gone the registry knows best what to
   * say; one that is `live`, and is not to be called all the same, is not asked. Without `live` nobody is.
   */
  retire(live?: ReadonlySet<string>): void {
    const { registrationId } = this.#standing;
    const ask = registrationId !== undefined && live !== undefined && !live.has(registrationId);
    if (!ask) this.#standing = { ...this.#standing, run: notOffered };
    this.#retiring = true;
    if (this.#running === 0) this.#leave();
  }

  /** What the browser calls. Never rejects: a throw would reach the caller without a word. */
  readonly execute = async (input: unknown, options?: CallOptions): Promise<WebMcpResult> => {
    this.#running++;
    try {
      return await this.#meant().run(inputOf(input), options?.signal);
    } catch {
      return failed("EXECUTION_FAILED", "The capability failed; what it did is unknown.", "no");
    } finally {
      this.#running--;
      if (this.#retiring && this.#running === 0) this.#leave();
    }
  };

  #meant(): Standing {
    const before = this.#before;
    if (before === undefined) return this.#standing;
    if (performance.now() < before.until) return before.standing;
    this.#before = undefined;
    return this.#standing;
  }

  #leave(): void {
    if (this.gone) return;
    this.#registration.abort();
    this.#idle();
  }
}

/** Some hosts hand the arguments over as a text of JSON. */
function inputOf(input: unknown): unknown {
  if (input === undefined) return {};
  if (typeof input !== "string") return input;
  try {
    const parsed: unknown = JSON.parse(input);
    return isRecord(parsed) ? parsed : input;
  } catch {
    return input;
  }
}

export function failed(code: string, message: string, retry: string, details?: unknown): WebMcpResult {
  return { status: "error", error: { code, message, retry, ...(details === undefined ? {} : { details }) } };
}

const notOffered: Run = () =>
  Promise.resolve(
    failed("CAPABILITY_NOT_AVAILABLE", "The page does not offer this tool now. List its tools again.", "after-refresh"),
  );
