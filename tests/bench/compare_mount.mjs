// Mounting and unmounting one instance of an interned contract with eight capabilities: alone, among a thousand,
// and a thousand in one go, against the hand-written registry and the WebMCP polyfill.

import { makeAjvRegistry } from "./ajv_side.mjs";
import { compare, report } from "./measure.mjs";
import { installPolyfill, registerTools } from "./polyfill_page.mjs";
import { define, loadLean, makeRegistry } from "./viewcap_side.mjs";
import { behaviour, contracts } from "./workload.mjs";

await loadLean();

const [plain] = contracts(1);
const contract = define(plain);
const bindings = Array.from({ length: 1000 }, (_, index) => ({ instanceId: `row-${index}`, ...behaviour(plain) }));
const definitions = bindings.map((binding) => contract.bind(binding));

/** A registry in which `standing` instances stay mounted, and the mount and unmount of one more. */
function oneMore(standing) {
  const registry = makeRegistry();
  for (let index = 0; index < standing; index++) registry.register(definitions[index]);
  const definition = definitions[standing];
  return async (count) => {
    for (let index = 0; index < count; index++) registry.register(definition).unregister();
  };
}

/**
 * Mounts `many` instances, then unmounts them in the order of mounting, in whole goes; an operation is one instance.
 * Every go takes the next of the thousand definitions, so that each size reads as much of the page's own memory.
 */
function inOneGo(many, register) {
  let next = 0;
  return async (count) => {
    const goes = Math.ceil(count / many);
    for (let go = 0; go < goes; go++) {
      const handles = Array.from({ length: many }, (_, index) => register(next + index));
      for (const handle of handles) handle.unregister();
      next = (next + many) % definitions.length;
    }
    return goes * many;
  };
}

function viewcapGo(many) {
  const registry = makeRegistry();
  return inOneGo(many, (index) => registry.register(definitions[index]));
}

function ajvGo(many) {
  const registry = makeAjvRegistry();
  const register = (index) => registry.register(plain, bindings[index], { instanceId: bindings[index].instanceId });
  return inOneGo(many, register);
}

function ajvOneMore() {
  const registry = makeAjvRegistry();
  return async (count) => {
    for (let index = 0; index < count; index++)
      registry.register(plain, bindings[9], { instanceId: bindings[9].instanceId }).unregister();
  };
}

const times = await compare({
  tenth: oneMore(9),
  thousandth: oneMore(999),
  goOfTen: viewcapGo(10),
  goOfThousand: viewcapGo(1000),
  ajvGoOfTen: ajvGo(10),
  ajvGoOfThousand: ajvGo(1000),
  ajv: ajvOneMore(),
  bindToo: (() => {
    const registry = makeRegistry();
    return async (count) => {
      for (let index = 0; index < count; index++) registry.register(contract.bind(bindings[9])).unregister();
    };
  })(),
});

// The polyfill answers a registration after a timer has fired, so its components are registered together here.
const context = await installPolyfill();
const polyfill = await compare(
  {
    polyfill: async (count) => {
      const controllers = [];
      const pending = [];
      for (let index = 0; index < count; index++) {
        const controller = new AbortController();
        controllers.push(controller);
        pending.push(registerTools(context, [plain], { signal: controller.signal, prefix: `row${index}_` }));
      }
      await Promise.all(pending);
      for (const controller of controllers) controller.abort();
    },
  },
  { rounds: 15, batchMs: 20 },
);

report({
  figures: { mount_unmount_us: times.tenth, ajv_mount_unmount_us: times.ajv },
  details: {
    "the 1,000th beside 999 others, µs": times.thousandth,
    "10 mounted, then 10 unmounted, each, µs": times.goOfTen,
    "1,000 mounted, then 1,000 unmounted, each, µs": times.goOfThousand,
    "ajv registry: 10 mounted, then 10 unmounted, each, µs": times.ajvGoOfTen,
    "ajv registry: 1,000 mounted, then 1,000 unmounted, each, µs": times.ajvGoOfThousand,
    "bind() included, µs": times.bindToo,
    "WebMCP polyfill, 8 tools registered and removed, many at once, each, µs": polyfill.polyfill,
  },
});
