// viewcap/opentelemetry: a governed runtime's spans by the OpenTelemetry API (spec: domain.md §10, tracing).
//
//     const runtime = createAgentRuntime({ governance, tracing: openTelemetryTracing() });
//
// An execution's first span is a child of whatever span is active where `invoke` is called. Names and attributes come
// from the runtime as they are: ids, words and numbers, never a payload, a message or a cause.

import { context, SpanStatusCode, trace, type Attributes, type Span as ApiSpan, type Tracer } from "@opentelemetry/api";
import type { Span, SpanAttributes, Tracing } from "../domain/types.js";

export interface OpenTelemetryOptions {
  /** Default: the global provider's tracer "viewcap". */
  readonly tracer?: Tracer;
}

export function openTelemetryTracing({ tracer = trace.getTracer("viewcap") }: OpenTelemetryOptions = {}): Tracing {
  return {
    startSpan: (name, attributes, parent) => OpenTelemetrySpan.start(tracer, name, attributes, parent),
  };
}

class OpenTelemetrySpan implements Span {
  readonly #span: ApiSpan;

  private constructor(span: ApiSpan) {
    this.#span = span;
  }

  /** A parent of another tracing is none of this one's: the active span is the parent then. */
  static start(tracer: Tracer, name: string, attributes: Attributes, parent: Span | undefined): Span {
    const active = context.active();
    const around = parent instanceof OpenTelemetrySpan ? trace.setSpan(active, parent.#span) : active;
    return new OpenTelemetrySpan(tracer.startSpan(name, { attributes }, around));
  }

  setAttributes(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  /** The code is all there is: an exception event without message and stack. */
  recordError({ code }: { readonly code: string }): void {
    this.#span.recordException({ code });
  }

  end(status: "ok" | "error"): void {
    this.#span.setStatus({ code: status === "ok" ? SpanStatusCode.OK : SpanStatusCode.ERROR });
    this.#span.end();
  }
}
