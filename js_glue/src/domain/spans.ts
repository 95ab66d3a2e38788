// Spans of one execution (spec: domain.md §10, tracing). A tracer that throws changes nothing. Attributes are ids, words
// and numbers; no span holds a payload, a message or a cause.

import { isThenable, swallow } from "../contract/values.js";
import type { CapabilityError } from "./capability_error.js";
import type { AgentCapability, Span, SpanAttributes, Tracing } from "./types.js";

type Words = Readonly<Record<string, string | number | undefined>>;

export class Spans {
  readonly #tracing: Tracing | undefined;
  #root: Span | undefined;
  #open: Span | undefined;

  constructor(tracing: Tracing | undefined) {
    this.#tracing = tracing;
  }

  begin(words: Words, capability: AgentCapability | undefined): void {
    if (this.#tracing === undefined) return;
    const meta = capability?.meta;
    const attributes = attributesOf({ ...words, side_effect: meta?.sideEffect, risk: meta?.risk });
    this.#root = this.#start("agent.capability_call", attributes, undefined);
  }

  /** Capability and actor of a resume are known once its record is there. */
  describe(words: Words): void {
    if (this.#tracing !== undefined) quietly(() => this.#root?.setAttributes(attributesOf(words)));
  }

  open(name: "policy_evaluation" | "approval_request" | "procedure_execution", words: Words): void {
    if (this.#tracing === undefined) return;
    this.#open = this.#start(`agent.${name}`, attributesOf(words), this.#root);
  }

  close(status: "ok" | "error"): void {
    const span = this.#open;
    this.#open = undefined;
    if (span !== undefined) quietly(() => span.end(status));
  }

  finish(outcome: string, error: CapabilityError | undefined): void {
    const span = this.#root;
    if (span === undefined) return;
    if (this.#open !== undefined) this.close(error === undefined ? "ok" : "error");
    quietly(() => span.setAttributes(attributesOf({ outcome, error_code: error?.code })));
    if (error !== undefined) quietly(() => span.recordError({ code: error.code }));
    quietly(() => span.end(error === undefined ? "ok" : "error"));
    this.#root = undefined;
  }

  #start(name: string, attributes: SpanAttributes, parent: Span | undefined): Span | undefined {
    let span: Span | undefined;
    quietly(() => {
      const tracing = this.#tracing;
      span = parent === undefined ? tracing?.startSpan(name, attributes) : tracing?.startSpan(name, attributes, parent);
      return span;
    });
    return span;
  }
}

function attributesOf(words: Words): SpanAttributes {
  const attributes: Record<string, string | number> = {};
  for (const [word, value] of Object.entries(words)) if (value !== undefined) attributes[`viewcap.${word}`] = value;
  return attributes;
}

function quietly(run: () => unknown): void {
  try {
    const answer = run();
    if (isThenable(answer)) swallow(answer);
  } catch {
    // Tracing must not change what it looks at.
  }
}
