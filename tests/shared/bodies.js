// Test bodies that Node and a page run alike. A body gets the package and returns plain data; whoever runs it compares
// that with `expected`. So a body needs nothing of its host but the package and JSON.

import { consumer, defineCounter, mountCounter, runMainJob } from "./main_job.js";

const ADD = "view:test.counter.add";
const codeOf = (result) => (result.status === "ok" ? "ok" : result.error.code);

/** Runs `act` on a registry with the counter mounted once, and disposes the registry. */
async function withCounter(viewcap, act, value = 0) {
  const registry = viewcap.createAgentSurfaceRegistry({ environment: "test" });
  try {
    const contract = defineCounter(viewcap);
    const counter = { value };
    const handle = mountCounter(registry, contract, counter);
    const add = (input, more = {}) => registry.invoke({ capabilityId: ADD, input, ...more }, { consumer });
    return await act({ registry, contract, counter, handle, add });
  } finally {
    registry.dispose();
  }
}

export const bodies = [
  {
    title: "Mounted it runs, remounted it is stale, unmounted it is gone",
    run: runMainJob,
    expected: {
      names: ["view_test__counter__readValue", "view_test__counter__add"],
      live: "ok",
      refused: "INVALID_INPUT",
      remounted: "STALE_CAPABILITY",
      unmounted: "COMPONENT_UNMOUNTED",
      value: 42,
      bytes: true,
    },
  },
  {
    title: "The projected bytes are the UTF-8 JSON of the projected descriptors",
    run: (viewcap, { projectStep }) =>
      withCounter(viewcap, ({ registry }) => {
        const { bytes, descriptors } = projectStep(registry, { consumer });
        return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes))) === JSON.stringify(descriptors);
      }),
    expected: true,
  },
  {
    title: "One invocation id before, during and after the run executes once and answers alike",
    run: (viewcap) =>
      withCounter(viewcap, async ({ counter, add }) => {
        const same = { invocationId: "inv-shared-1" };
        const first = [add({ by: 1 }, same), add({ by: 1 }, same)];
        const during = await Promise.all(first);
        const after = await add({ by: 1 }, same);
        const other = await add({ by: 2 }, same);
        return { value: counter.value, codes: [...during, after, other].map(codeOf) };
      }),
    expected: { value: 1, codes: ["ok", "ok", "ok", "INVOCATION_CONFLICT"] },
  },
  {
    title: "Mount, unmount and mount again a hundred times in one tick leaves one live component",
    run: (viewcap, { projectStep }) =>
      withCounter(viewcap, async ({ registry, contract, counter, handle, add }) => {
        let live = handle;
        for (let round = 0; round < 100; round++) {
          live.unregister();
          live = mountCounter(registry, contract, counter);
        }
        const { descriptors } = projectStep(registry, { consumer });
        return { listed: descriptors.length, code: codeOf(await add({ by: 7 })), value: counter.value };
      }),
    expected: { listed: 2, code: "ok", value: 7 },
  },
  {
    title: "In a batch each call gets exactly one result of its own",
    run: (viewcap) =>
      withCounter(viewcap, async ({ registry, counter, add }) => {
        const unknown = registry.invoke({ capabilityId: "view:test.counter.nothing" }, { consumer });
        const results = await Promise.all([add({ by: 1 }), unknown, add({ by: "1" }), add({ by: 2 })]);
        return { codes: results.map(codeOf), value: counter.value };
      }),
    expected: { codes: ["ok", "CAPABILITY_NOT_FOUND", "INVALID_INPUT", "ok"], value: 3 },
  },
  {
    title: "Keys of Object.prototype, a lone surrogate, a cycle and a bigint are refused as input and harm nothing",
    run: (viewcap) =>
      withCounter(viewcap, async ({ add }) => {
        const cycle = { by: 1 };
        cycle.self = cycle;
        const codes = [];
        for (const by of ["\ud800", cycle, 1n, Number.NaN]) codes.push(codeOf(await add({ by })));
        for (const key of ["constructor", "__proto__"])
          codes.push(codeOf(await add(JSON.parse(`{"by":1,"${key}":2}`))));
        codes.push(codeOf(await add({ by: 1 })));
        return { codes, polluted: "by" in {} };
      }),
    expected: { codes: [...Array.from({ length: 6 }, () => "INVALID_INPUT"), "ok"], polluted: false },
  },
  {
    title: "Two registries know nothing of each other",
    run: (viewcap, { projectStep }) =>
      withCounter(viewcap, (one) =>
        withCounter(viewcap, async (two) => {
          one.handle.unregister();
          const listed = [one, two].map(({ registry }) => projectStep(registry, { consumer }).descriptors.length);
          return { listed, codes: [codeOf(await one.add({ by: 1 })), codeOf(await two.add({ by: 1 }))] };
        }),
      ),
    expected: { listed: [0, 2], codes: ["COMPONENT_UNMOUNTED", "ok"] },
  },
];
