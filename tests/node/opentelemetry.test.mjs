// The tracing adapter with OpenTelemetry's own SDK, spans exported in memory (spec: domain.md §10, tracing).
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import * as api from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { openTelemetryTracing } from "viewcap/opentelemetry";
import { ann, bob, context, domain, governed, named, SECRET } from "./fixtures/governed.mjs";

const storage = new AsyncLocalStorage();
api.context.setGlobalContextManager({
  active: () => storage.getStore() ?? api.ROOT_CONTEXT,
  with: (active, run, self, ...given) => storage.run(active, () => run.apply(self, given)),
  bind: (_, target) => target,
  enable() {
    return this;
  },
  disable() {
    return this;
  },
});

function traced(options = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("test");
  const made = governed({ ...options, tracing: openTelemetryTracing({ tracer }) });
  const spans = () => exporter.getFinishedSpans();
  const span = (name) => spans().find((one) => one.name === name);
  return { ...made, tracer, spans, span, invoke: invoking(made.runtime) };
}
const invoking = (runtime) => (id, input, options) =>
  runtime.invoke(id, input, { actor: ann, context, surface: "mcp", ...options });

const { OK, ERROR } = api.SpanStatusCode;
const ROOT = "agent.capability_call";
const shapes = (spans) => spans.map(({ name, status }) => [name, status.code]);

test("a completed call is a root with a span for its execution, with ids and words and no more", async () => {
  const { invoke, spans } = traced();
  const { executionId } = await invoke("ledger.show", { ledger: SECRET, page: 3 });
  assert.deepEqual(shapes(spans()), [["agent.procedure_execution", OK], [ROOT, OK]]); // prettier-ignore
  const [execution, root] = spans();
  assert.deepEqual(root.attributes, {
    "viewcap.capability_id": "ledger.show",
    "viewcap.surface": "mcp",
    "viewcap.actor_kind": "user",
    "viewcap.actor_id": "ann",
    "viewcap.side_effect": "read",
    "viewcap.risk": "low",
    "viewcap.execution_id": executionId,
    "viewcap.outcome": "completed",
  });
  assert.equal(execution.attributes["viewcap.attempt"], 1);
  assert.equal(execution.parentSpanContext.spanId, root.spanContext().spanId);
  assert.equal(root.parentSpanContext, undefined);
});

test("the root is a child of the span that is active where the call is made, and every other span of the root", async () => {
  const allow = domain.definePolicy("allow", () => domain.allow());
  const { invoke, tracer, spans, span } = traced({ policies: [allow] });
  const request = tracer.startSpan("request");
  await api.context.with(api.trace.setSpan(api.context.active(), request), () => invoke("ledger.close", {}));
  request.end();
  const parents = Object.fromEntries(spans().map((one) => [one.name, one.parentSpanContext?.spanId]));
  const root = span(ROOT).spanContext();
  assert.deepEqual(parents, {
    "agent.policy_evaluation": root.spanId,
    "agent.approval_request": root.spanId,
    [ROOT]: request.spanContext().spanId,
    request: undefined,
  });
  assert.equal(root.traceId, request.spanContext().traceId);
});

test("calls that run at once have roots of their own", async () => {
  const { invoke, spans } = traced();
  await Promise.all([invoke("ledger.show", { ledger: "a" }), invoke("ledger.show", { ledger: "b" })]);
  const roots = spans().filter(({ name }) => name === ROOT);
  const executions = spans().filter(({ name }) => name === "agent.procedure_execution");
  assert.equal(new Set(roots.map((root) => root.spanContext().traceId)).size, 2);
  for (const execution of executions) {
    const root = roots.find((one) => one.spanContext().spanId === execution.parentSpanContext.spanId);
    assert.equal(root.spanContext().traceId, execution.spanContext().traceId);
  }
  assert.equal(executions.length, 2);
});

test("a suspension ends well; the resume is a root of its own that names approval, capability and actor", async () => {
  const { runtime, invoke, spans } = traced();
  const { approval } = await invoke("ledger.close", {});
  assert.deepEqual(shapes(spans()), [["agent.approval_request", OK], [ROOT, OK]]); // prettier-ignore
  assert.equal(spans()[1].attributes["viewcap.outcome"], "approval-required");
  await runtime.approvals.decide(approval.id, { status: "approved", approver: bob });
  await runtime.resume(approval.id, { context });
  const [execution, root] = spans().slice(2);
  assert.deepEqual(shapes([execution, root]), [["agent.procedure_execution", OK], [ROOT, OK]]); // prettier-ignore
  assert.equal(root.attributes["viewcap.approval_id"], approval.id);
  assert.equal(root.attributes["viewcap.capability_id"], "ledger.close");
  assert.equal(root.attributes["viewcap.actor_id"], "ann");
  assert.equal(root.parentSpanContext, undefined);
});

test("a failure marks root and execution with its code: no message, no stack, no cause", async () => {
  const { invoke, spans } = traced();
  await invoke("ledger.broken", {});
  assert.deepEqual(shapes(spans()), [["agent.procedure_execution", ERROR], [ROOT, ERROR]]); // prettier-ignore
  const root = spans()[1];
  assert.deepEqual(root.status, { code: ERROR });
  assert.equal(root.attributes["viewcap.error_code"], "EXECUTION_FAILED");
  assert.equal(root.attributes["viewcap.outcome"], "failed");
  assert.deepEqual(
    root.events.map(({ name, attributes }) => [name, attributes]),
    [["exception", { "exception.type": "EXECUTION_FAILED" }]],
  );
});

test("every attempt has a span with its number; a call that is refused has the root alone", async () => {
  let runs = 0;
  const retry = { maxAttempts: 2, backoffMs: 1 };
  const flaky = domain.defineProcedure({
    meta: { agent: { description: "x", expose: { mcp: true }, sideEffect: "read", risk: "low", retry } },
    handler: () => {
      if (++runs < 3) throw new domain.CapabilityError({ code: "EXECUTION_FAILED", retryable: true });
      return runs;
    },
  });
  const { invoke, spans } = traced({ capabilities: { flaky } });
  await invoke("flaky", {});
  const attempts = spans().slice(0, -1);
  assert.deepEqual(attempts.map(({ attributes }) => attributes["viewcap.attempt"]), [1, 2, 3]); // prettier-ignore
  assert.deepEqual(attempts.map(({ status }) => status.code), [ERROR, ERROR, OK]); // prettier-ignore
  await invoke("nothing", {});
  assert.deepEqual(shapes(spans().slice(4)), [[ROOT, ERROR]]);
  assert.equal(spans()[4].attributes["viewcap.error_code"], "CAPABILITY_NOT_FOUND");
});

test("a cancelled call ends its spans in error, and none stays open", async () => {
  const { invoke, spans, waiting } = traced();
  const controller = new AbortController();
  const running = invoke("ledger.slow", {}, { signal: controller.signal });
  await waiting;
  controller.abort();
  await running;
  assert.deepEqual(shapes(spans()), [["agent.procedure_execution", ERROR], [ROOT, ERROR]]); // prettier-ignore
  assert.equal(spans()[1].attributes["viewcap.error_code"], "CANCELLED");
});

test("no span holds a payload: not an input, an output, a context, an actor's attributes, a message or a reason", async () => {
  const deny = domain.definePolicy("deny", ({ capability }) =>
    capability.id === "denied" ? domain.deny("NO", SECRET) : domain.requireApproval({ reason: SECRET }),
  );
  const { runtime, invoke, spans } = traced({ policies: [deny], capabilities: { denied: named() } });
  await invoke("denied", { note: SECRET });
  await invoke("ledger.show", { ledger: SECRET, page: SECRET });
  const { approval } = await invoke("ledger.unspeakable", {});
  await runtime.approvals.decide(approval.id, { status: "approved", approver: { ...bob, displayName: SECRET }, comment: SECRET }); // prettier-ignore
  assert.equal((await runtime.resume(approval.id, { context })).output.note, SECRET);
  const failing = traced();
  await failing.invoke("ledger.broken", {});
  const told = [...spans(), ...failing.spans()];
  assert.ok(told.length >= 10);
  for (const { name, attributes, events, status, links } of told) {
    assert.equal(JSON.stringify([name, attributes, events, status, links]).includes(SECRET), false, name);
    for (const key of Object.keys(attributes)) assert.match(key, /^viewcap\./);
  }
});

test("without a tracer the global provider's is used, also one that is registered later", async () => {
  const tracing = openTelemetryTracing();
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  api.trace.setGlobalTracerProvider(provider);
  const { runtime } = governed({ tracing });
  await invoking(runtime)("ledger.show", { ledger: "a" });
  assert.deepEqual(exporter.getFinishedSpans().map(({ instrumentationScope }) => instrumentationScope.name), ["viewcap", "viewcap"]); // prettier-ignore
});

test("a parent of another tracing is none: the span hangs on what is active", () => {
  const { tracer } = traced();
  const tracing = openTelemetryTracing({ tracer });
  const foreign = { setAttributes() {}, recordError() {}, end() {} };
  assert.doesNotThrow(() => tracing.startSpan("x", {}, foreign).end("ok"));
});
