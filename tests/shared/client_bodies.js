// Bodies of the turn loop's client that Node and a page run alike; as in bodies.js.

import { consumer, defineCounter, mountCounter } from "./main_job.js";

/** Runs `act` on a registry with the counter mounted once. */
async function withCounter(viewcap, act) {
  const registry = viewcap.createAgentSurfaceRegistry({ environment: "test" });
  const counter = { value: 0 };
  try {
    return await act({ registry, counter, handle: mountCounter(registry, defineCounter(viewcap), counter) });
  } finally {
    registry.dispose();
  }
}

/** Runs `act` and calls `begin(n)` when the wait begins its nth task; gives what came of it and how many there were. */
async function countingTasks(begin, act) {
  const Original = globalThis.MessageChannel;
  let tasks = 0;
  globalThis.MessageChannel = class extends Original {
    constructor() {
      super();
      begin(++tasks);
    }
  };
  try {
    const before = performance.now();
    const settled = await act();
    return { settled, tasks, ms: performance.now() - before };
  } finally {
    globalThis.MessageChannel = Original;
  }
}

const nothing = () => undefined;
const between = (low, value, high) => value >= low && value <= high;

export const clientBodies = [
  {
    title: "Settle waits for at least two tasks, and for no more where nothing moves",
    run: (viewcap, { settleSurface }) =>
      withCounter(viewcap, async ({ registry }) => {
        const { settled, tasks } = await countingTasks(nothing, () => settleSurface(registry));
        return { settled, tasks };
      }),
    expected: { settled: true, tasks: 2 },
  },
  {
    title: "Settle waits until the surface was quiet for a whole task",
    run: (viewcap, { settleSurface }) =>
      withCounter(viewcap, async ({ registry, handle }) => {
        const seen = [];
        for (const last of [1, 2, 5]) {
          const move = (task) => task <= last && handle.invalidate();
          seen.push((await countingTasks(move, () => settleSurface(registry))).tasks);
        }
        return seen;
      }),
    expected: [2, 3, 6],
  },
  {
    title: "Settle sees what a task of the page's own does to the surface: a component that mounts itself later",
    run: (viewcap, { settleSurface }, { projectStep }) =>
      withCounter(viewcap, async ({ registry, counter, handle }) => {
        handle.unregister();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          mountCounter(registry, defineCounter(viewcap), counter);
        };
        port2.postMessage(null);
        await settleSurface(registry);
        return projectStep(registry, { consumer }).descriptors.length;
      }),
    expected: 2,
  },
  {
    title: "Settle waits at most 250 ms for a surface that never comes to rest",
    run: (viewcap, { settleSurface }) =>
      withCounter(viewcap, async ({ registry, handle }) => {
        const { settled, ms } = await countingTasks(
          () => handle.invalidate(),
          () => settleSurface(registry),
        );
        return { settled, inTime: between(240, ms, 1_000) };
      }),
    expected: { settled: false, inTime: true },
  },
  {
    title: "With a predicate settle waits at most 1,500 ms; one that throws says no",
    run: (viewcap, { settleSurface }) =>
      withCounter(viewcap, async ({ registry }) => {
        const seen = [];
        const never = () => false;
        const throwing = () => {
          throw new Error("not yet");
        };
        for (const until of [never, throwing]) {
          const before = performance.now();
          const settled = await settleSurface(registry, { until });
          seen.push([settled, between(1_490, performance.now() - before, 3_000)]);
        }
        return seen;
      }),
    expected: [
      [false, true],
      [false, true],
    ],
  },
  {
    title: "With a predicate settle ends when it holds, after 250 ms too, and after two tasks at the earliest",
    run: (viewcap, { settleSurface }) =>
      withCounter(viewcap, async ({ registry }) => {
        const early = await countingTasks(nothing, () => settleSurface(registry, { until: () => true }));
        let committed = false;
        setTimeout(() => (committed = true), 350);
        const before = performance.now();
        const late = await settleSurface(registry, { until: () => committed });
        return { early: early.tasks, late, inTime: between(340, performance.now() - before, 1_450) };
      }),
    expected: { early: 2, late: true, inTime: true },
  },
  {
    title: "Settle asks no timer, which a hidden tab slows down",
    run: (viewcap, { settleSurface }) =>
      withCounter(viewcap, async ({ registry, handle }) => {
        const original = globalThis.setTimeout;
        let timers = 0;
        globalThis.setTimeout = (...args) => {
          timers++;
          return original(...args);
        };
        try {
          const move = (task) => task <= 50 && handle.invalidate();
          const { settled, tasks } = await countingTasks(move, () => settleSurface(registry, { budgetMs: 5_000 }));
          return { settled, tasks, timers };
        } finally {
          globalThis.setTimeout = original;
        }
      }),
    expected: { settled: true, tasks: 51, timers: 0 },
  },
  {
    title: "A turn projects, posts, reads, carries out and posts again",
    run: (viewcap, { runTurn }) =>
      withCounter(viewcap, async ({ registry, counter }) => {
        const input = { by: 5 };
        const pending = {
          toolCallId: "a",
          wireName: "view_test__counter__add",
          canonicalId: "view:test.counter.add",
          input,
        };
        const callPart = { type: "tool-call", toolCallId: "a", toolName: "view_test__counter__add", input };
        const finish = (content, pendingToolCalls) => ({
          ...{ type: "step-finish", stepId: "s", finishReason: "stop", pendingToolCalls },
          responseMessages: [{ role: "assistant", content }],
        });
        const steps = [[finish([callPart], [pending])], [{ type: "text-delta", text: "Grüße" }, finish("Grüße", [])]];
        const posted = [];
        const fetch = async (_, { body }) => {
          posted.push(JSON.parse(new TextDecoder().decode(body)));
          const bytes = new TextEncoder().encode(
            steps[posted.length - 1].map((one) => `${JSON.stringify(one)}\n`).join(""),
          );
          let at = 0;
          const pull = (controller) => {
            if (at >= bytes.length) return controller.close();
            controller.enqueue(bytes.slice(at, (at += 7)));
          };
          return new Response(new ReadableStream({ pull }));
        };
        let said = "";
        const { status, messages } = await runTurn({
          ...{ conversationId: "c", turnId: "t", messages: [{ role: "user", content: "Add 5." }], registry, consumer },
          ...{ endpoint: "/agent/chat", fetch, pathname: () => "/", scopeFor: () => [] },
          events: { onTextDelta: (text) => (said += text) },
        });
        const sent = posted.map(({ stepIndex, messages: { length } }) => [stepIndex, length]);
        return { status, said, value: counter.value, sent, roles: messages.map(({ role }) => role) };
      }),
    expected: {
      ...{ status: "completed", said: "Grüße", value: 5 },
      sent: [
        [0, 1],
        [1, 3],
      ],
      roles: ["user", "assistant", "tool", "assistant"],
    },
  },
];
