// One call of an action that does nothing: 60 bytes of input, when() and schema included, each with its own call id.
// Against the bare handler with JSON of its input and output, the hand-written registry, and the WebMCP polyfill.

import { makeAjvRegistry, mountManyAjv } from "./ajv_side.mjs";
import { requireConfirmation } from "viewcap";
import { compare, report } from "./measure.mjs";
import { installPolyfill, registerTools } from "./polyfill_page.mjs";
import { loadLean, makeRegistry, mountMany } from "./viewcap_side.mjs";
import { consumer, contracts, smallInput } from "./workload.mjs";

await loadLean();

const answer = { applied: true };
const capabilityId = "view:invoices.pending.setFilters";
const options = { consumer };
let calls = 0;

function expectOk(result) {
  if (result.status !== "ok") throw new Error(`the call failed: ${JSON.stringify(result)}`);
}

async function invoking(registry, registrationId) {
  const one = () =>
    registry.invoke({ invocationId: `call_${calls++}`, capabilityId, registrationId, input: smallInput }, options);
  expectOk(await one());
  return async (count) => {
    let last;
    for (let index = 0; index < count; index++) last = await one();
    expectOk(last);
  };
}

async function viewcapSide(plain, count, answered = answer, options = {}) {
  const registry = makeRegistry(options);
  const [first] = mountMany(registry, plain, count, { answer: answered });
  return invoking(registry, first.registrationId);
}

async function ajvSide(count) {
  const registry = makeAjvRegistry();
  const [first] = mountManyAjv(registry, contracts(count), count, { answer });
  return invoking(registry, first.registrationId);
}

/** Two policies that wait, and a question whether a person has to be asked. */
const governed = {
  policies: [
    {
      name: "signed-in",
      onAuthorize: async (_, next) => {
        await null;
        await next();
      },
    },
    {
      name: "trace",
      onInvoke: async (_, next) => {
        await null;
        await next();
      },
    },
    requireConfirmation({ if: ({ effectiveInput }) => effectiveInput.minAmount > 100_000 }),
  ],
};

/** Asked, approved, called again: what a confirmed call costs from end to end. */
async function confirmedSide() {
  const registry = makeRegistry({ policies: [requireConfirmation({})] });
  const [{ registrationId }] = mountMany(registry, contracts(100), 100, { answer });
  const request = { capabilityId, registrationId, input: smallInput };
  const one = async () => {
    const asked = await registry.invoke(request, options);
    const { confirmationId } = asked.error.details;
    registry.confirmations.resolve(confirmationId, { approved: true });
    return registry.invoke({ ...request, confirmationId }, options);
  };
  expectOk(await one());
  return async (count) => {
    let last;
    for (let index = 0; index < count; index++) last = await one();
    expectOk(last);
  };
}

const handler = () => answer;
let kept = 0;
async function bare(count) {
  for (let index = 0; index < count; index++) {
    const output = await handler(JSON.parse(JSON.stringify(smallInput)));
    kept += JSON.stringify(output).length;
  }
}

async function polyfillSide() {
  const context = await installPolyfill();
  await registerTools(context, contracts(100), { answer });
  const tool = (await context.getTools()).find(({ name }) => name === "view_invoices__pending__setFilters");
  return async (count) => {
    for (let index = 0; index < count; index++)
      kept += (await context.executeTool(tool, JSON.stringify(smallInput))).length;
  };
}

const hundred = contracts(100);
const times = await compare({
  mounted100: await viewcapSide(hundred, 100),
  bare,
  mounted10: await viewcapSide(contracts(10), 10),
  mounted1000: await viewcapSide(hundred, 1000),
  governed: await viewcapSide(hundred, 100, answer, governed),
  confirmed: await confirmedSide(),
  withoutOutput: await viewcapSide(hundred, 100, undefined),
  ajv: await ajvSide(100),
  polyfill: await polyfillSide(),
});

report({
  figures: {
    invoke_us: times.mounted100,
    invoke_1000_us: times.mounted1000,
    invoke_governed_us: times.governed,
    bare_invoke_us: times.bare,
    ajv_invoke_us: times.ajv,
    polyfill_invoke_us: times.polyfill,
  },
  details: {
    "with 10 components mounted, µs": times.mounted10,
    "asked, approved and called again, µs": times.confirmed,
    "a handler without output, µs": times.withoutOutput,
  },
});
