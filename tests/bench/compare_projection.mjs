// The projection of a step: unchanged and after one change, at 16 × 8 and 100 × 8 capabilities,
// against a copy of the same bytes and JSON.stringify of the same catalog.

import { projectStep } from "viewcap/protocol";
import { makeAjvRegistry, mountManyAjv } from "./ajv_side.mjs";
import { compare, report } from "./measure.mjs";
import { loadLean, makeRegistry, mountMany } from "./viewcap_side.mjs";
import { consumer, contracts } from "./workload.mjs";

await loadLean();

let kept = 0;
const keep = (bytes) => (kept += bytes.byteLength);

function unchanged(registry) {
  return async (count) => {
    for (let index = 0; index < count; index++) keep(projectStep(registry, { consumer }).bytes);
  };
}

/** One change and the step after it: both are in the figure, for the change may do some of the step's work. */
function changed(registry, change) {
  return async (count) => {
    for (let index = 0; index < count; index++) {
      change(index);
      keep(projectStep(registry, { consumer }).bytes);
      await null;
    }
  };
}

const small = makeRegistry();
const open = { now: true };
const drifting = contracts(1);
mountMany(small, drifting, 1, { open });
const handles = mountMany(small, contracts(16).slice(1), 15);
const large = makeRegistry();
mountMany(large, contracts(100), 100);
const ajv = makeAjvRegistry();
mountManyAjv(ajv, contracts(16), 16);

const step = projectStep(small, { consumer });
const catalog = step.descriptors;
if (catalog.length !== 128) throw new Error(`the catalog has ${catalog.length} descriptors, not 128`);
const largeBytes = projectStep(large, { consumer }).bytes;

const override = (index) =>
  handles[3].update({
    availability: { sort: index % 2 === 0 ? { available: false, reason: "Sorting is off" } : null },
  });
const flip = (index) => (open.now = index % 2 === 1);

const times = await compare({
  unchanged128: unchanged(small),
  copy128: async (count) => {
    for (let index = 0; index < count; index++) keep(step.bytes.slice());
  },
  stringify128: async (count) => {
    for (let index = 0; index < count; index++) kept += JSON.stringify(catalog).length;
  },
  override128: changed(small, override),
  drift128: changed(small, flip),
  update: async (count) => {
    for (let index = 0; index < count; index++) override(index);
  },
  unchanged800: unchanged(large),
  copy800: async (count) => {
    for (let index = 0; index < count; index++) keep(largeBytes.slice());
  },
  ajv128: async (count) => {
    for (let index = 0; index < count; index++) kept += ajv.project().json.length;
  },
});

report({
  figures: {
    step_unchanged_128_us: times.unchanged128,
    step_changed_128_us: Math.max(times.override128, times.drift128),
    step_unchanged_800_us: times.unchanged800,
    copy_128_us: times.copy128,
    stringify_128_us: times.stringify128,
  },
  details: {
    "catalog of 16 × 8, bytes": step.bytes.byteLength,
    "catalog of 100 × 8, bytes": largeBytes.byteLength,
    "update() and the step after it, µs": times.override128,
    "step after a when() drifted, µs": times.drift128,
    "update() itself, µs": times.update,
    "copy of the 100 × 8 catalog, µs": times.copy800,
    "projection of the ajv registry, 16 × 8, µs": times.ajv128,
  },
});
