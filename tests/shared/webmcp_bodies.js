// What the WebMCP adapter promises, on whatever host: a strict stand-in in Node, Chromium's own API, the polyfill.
//
// A kit is {viewcap, webmcp, context, names(), call(name, input)}: `context` is what tools are registered at, names()
// gives the tools that the host has, call() the text that an agent gets.

const consumer = { id: "agent", kind: "webmcp" };
const task = () => new Promise((resolve) => setTimeout(resolve, 0));
const tasks = async (count = 4) => {
  for (let turn = 0; turn < count; turn++) await task();
};

/** Until no call that was made before a remount can still be on its way. */
const arrived = () => new Promise((resolve) => setTimeout(resolve, 130));

function component({ viewcap }, type, { actions = {}, confirmation, priority = 0, count = 1 } = {}) {
  const input = viewcap.fromJsonSchema({
    type: "object",
    properties: { n: { type: "integer" } },
    additionalProperties: false,
  });
  const declared = {};
  const bound = {};
  for (let at = 0; at < count; at++) {
    const name = count === 1 ? "set" : `set${String(at)}`;
    const more = confirmation === undefined ? {} : { confirmation };
    declared[name] = viewcap.actionContract({ description: "Sets.", input, effect: "local-state", ...more });
    bound[name] = { execute: ({ n }) => n, ...actions };
  }
  const contract = viewcap.defineAgentComponentContract({ type, description: "One.", priority, actions: declared });
  return contract.bind({ actions: bound });
}

/** A registry with an adapter on it that counts what it asks of the host. */
function started(kit, options = {}) {
  const registry = kit.viewcap.createAgentSurfaceRegistry({ environment: "test" });
  let nativeCalls = 0;
  const reports = [];
  const target = {
    registerTool(tool, given) {
      nativeCalls++;
      given.signal.addEventListener("abort", () => nativeCalls++);
      return kit.context.registerTool(tool, given);
    },
  };
  const adapter = kit.webmcp.createWebMcpAdapter({
    consumer,
    target,
    onReport: (report) => reports.push(report),
    ...options,
  });
  adapter.start(registry);
  const taken = () => {
    const count = nativeCalls;
    nativeCalls = 0;
    return count;
  };
  const end = async () => {
    adapter.stop();
    registry.dispose();
    await tasks();
  };
  return { registry, adapter, reports, taken, end, target };
}

const parsed = async (kit, name, input) => JSON.parse(await kit.call(name, input));
const codeOf = (result) => result.error?.code ?? result.status;

export const webmcpBodies = [
  {
    title: "what is mounted is published, runs through the registry, and answers an object",
    async run(kit) {
      const { registry, end } = started(kit);
      registry.register(component(kit, "t"));
      await tasks();
      const names = await kit.names();
      const ok = await parsed(kit, "view_t__set", { n: 7 });
      const empty = await parsed(kit, "view_t__set", {});
      const wrong = await parsed(kit, "view_t__set", { n: "seven" });
      await end();
      return { names, ok, empty, wrong: [wrong.status, wrong.error.code, wrong.error.retry], after: await kit.names() };
    },
    expected: {
      names: ["view_t__set"],
      ok: { status: "ok", output: 7 },
      empty: { status: "ok" },
      wrong: ["error", "INVALID_INPUT", "with-changes"],
      after: [],
    },
  },
  {
    title: "a remount within one task costs no call of the host's, and the newcomer runs",
    async run(kit) {
      const { registry, taken, end } = started(kit);
      const first = registry.register(component(kit, "t", { actions: { execute: () => "first" } }));
      await tasks();
      const before = taken();
      first.unregister();
      registry.register(component(kit, "t", { actions: { execute: () => "second" } }));
      await tasks();
      await arrived();
      const remount = taken();
      const { output } = await parsed(kit, "view_t__set", {});
      await end();
      return { before, remount, output };
    },
    expected: { before: 1, remount: 0, output: "second" },
  },
  {
    title: "a call that was meant for the registration before is refused, not run",
    async run(kit) {
      const { registry, end } = started(kit);
      let ran = 0;
      const first = registry.register(component(kit, "t"));
      await tasks();
      const tools = await kit.names();
      first.unregister();
      registry.register(component(kit, "t", { actions: { execute: () => void ran++ } }));
      const result = await kit.callNow("view_t__set", {});
      await end();
      return { tools: tools.length, code: codeOf(JSON.parse(result)), ran };
    },
    expected: { tools: 1, code: "STALE_CAPABILITY", ran: 0 },
  },
  {
    title: "100 capabilities of a route come and go with one call of the host's each, and updates cost none",
    async run(kit) {
      const { registry, taken, end } = started(kit, { budget: { maxTools: 200 } });
      const mount = (prefix) =>
        Array.from({ length: 25 }, (_, at) =>
          registry.register(component(kit, `${prefix}${String(at)}`, { count: 4 })),
        );
      const here = mount("here");
      await tasks();
      const mounted = taken();
      for (const handle of here) handle.invalidate();
      await tasks();
      const updated = taken();
      for (const handle of here) handle.unregister();
      mount("there");
      await tasks();
      const routed = taken();
      await end();
      return { mounted, updated, routed };
    },
    expected: { mounted: 100, updated: 0, routed: 200 },
  },
  {
    title: "the owner is unmounted in mid-call: the caller gets a typed result, and then the tool goes",
    async run(kit) {
      const { registry, end } = started(kit);
      let begun;
      const running = new Promise((resolve) => (begun = resolve));
      const execute = (_, { signal }) =>
        new Promise((resolve) => {
          begun();
          signal.addEventListener("abort", () => setTimeout(resolve, 20));
        });
      const handle = registry.register(component(kit, "t", { actions: { execute } }));
      await tasks();
      const answer = parsed(kit, "view_t__set", {});
      await running;
      handle.unregister();
      const result = await answer;
      await tasks(12);
      const after = await kit.names();
      await end();
      return { code: codeOf(result), after };
    },
    expected: { code: "COMPONENT_UNMOUNTED", after: [] },
  },
  {
    title: "what is unavailable is not published, and comes back when it is",
    async run(kit) {
      const { registry, end } = started(kit);
      const handle = registry.register(component(kit, "t"));
      await tasks();
      handle.update({ availability: { set: { available: false, reason: "Not now." } } });
      await tasks();
      const off = await kit.names();
      handle.update({ availability: { set: null } });
      await tasks();
      const on = await kit.names();
      await end();
      return { off, on };
    },
    expected: { off: [], on: ["view_t__set"] },
  },
  {
    title: "over the budget the first by priority are published with the three meta tools, and the rest is reported",
    async run(kit) {
      const { registry, reports, end } = started(kit, { budget: { maxTools: 6 } });
      registry.register(component(kit, "many", { count: 8 }));
      registry.register(component(kit, "first", { priority: 5 }));
      await tasks();
      const names = (await kit.names()).sort();
      const withheld = reports.at(-1).withheld.map(({ wireName, reason }) => `${wireName} ${reason}`);
      const found = await parsed(kit, "surface_discover", {});
      const acted = await parsed(kit, "surface_act", { capabilityId: "view:many.set7", input: { n: 3 } });
      await end();
      return { names, withheld: withheld.length, last: withheld.at(-1), found: found.output.components.length, acted };
    },
    expected: {
      names: [
        "surface_act",
        "surface_discover",
        "surface_read",
        "view_first__set",
        "view_many__set0",
        "view_many__set1",
      ],
      withheld: 6,
      last: "view_many__set7 budget",
      found: 2,
      acted: { status: "ok", output: 3 },
    },
  },
  {
    title: "a call that needs a person waits for the page's own dialog, and runs once when it was confirmed",
    async run(kit) {
      const { registry, end } = started(kit);
      let ran = 0;
      registry.register(component(kit, "t", { confirmation: "required", actions: { execute: () => ++ran } }));
      await tasks();
      const asked = new Promise((resolve) => registry.confirmations.subscribe(() => resolve()));
      const answer = parsed(kit, "view_t__set", { n: 1 });
      await asked;
      const [{ confirmationId }] = registry.confirmations.pending();
      const before = ran;
      registry.confirmations.resolve(confirmationId, { approved: true });
      const result = await answer;
      await end();
      return { before, result };
    },
    expected: { before: 0, result: { status: "ok", output: 1 } },
  },
  {
    title: "stopped and started in one task, and replaced by another adapter: no name is refused for good",
    async run(kit) {
      const { registry, adapter, target, reports, end } = started(kit);
      registry.register(component(kit, "t"));
      adapter.stop();
      adapter.start(registry);
      adapter.start(registry);
      await tasks();
      const again = await kit.names();
      const second = kit.webmcp.createWebMcpAdapter({ consumer, target });
      second.start(registry);
      adapter.stop();
      await tasks(8);
      const replaced = await kit.names();
      const { output } = await parsed(kit, "view_t__set", { n: 4 });
      second.stop();
      await end();
      return { again, replaced, output, withheld: reports.at(-1).withheld };
    },
    expected: { again: ["view_t__set"], replaced: ["view_t__set"], output: 4, withheld: [] },
  },
  {
    title: "a name that somebody else's tool has is reported, and nothing is left unhandled",
    async run(kit) {
      const foreign = new AbortController();
      const execute = () => "theirs";
      await kit.context.registerTool(
        { name: "view_t__set", description: "Theirs.", inputSchema: { type: "object" }, execute },
        { signal: foreign.signal },
      );
      const { registry, reports, end } = started(kit);
      registry.register(component(kit, "t"));
      await tasks(12);
      const { withheld } = reports.at(-1);
      foreign.abort();
      await end();
      return { withheld };
    },
    expected: { withheld: [{ wireName: "view_t__set", canonicalId: "view:t.set", reason: "name-taken" }] },
  },
  {
    title: "a host that does not permit it: the channel is off, and asked no more",
    async run(kit) {
      let calls = 0;
      const target = {
        registerTool: () => {
          calls++;
          return Promise.reject(Object.assign(new Error("no"), { name: "NotAllowedError" }));
        },
      };
      const { registry, reports, end } = started(kit, { target });
      registry.register(component(kit, "t"));
      await tasks();
      registry.register(component(kit, "u"));
      await tasks();
      await end();
      return { calls, channel: reports.at(-1).channel, published: reports.at(-1).published };
    },
    expected: { calls: 1, channel: "off", published: [] },
  },
  {
    title: "what expose() keeps to the page, and what it throws at, is not published",
    async run(kit) {
      const expose = ({ canonicalId }) => {
        if (canonicalId.startsWith("view:broken")) throw new Error("mine");
        return !canonicalId.startsWith("view:secret");
      };
      const { registry, end } = started(kit, { expose });
      for (const type of ["t", "secret", "broken"]) registry.register(component(kit, type));
      await tasks();
      const names = await kit.names();
      await end();
      return { names };
    },
    expected: { names: ["view_t__set"] },
  },
];
