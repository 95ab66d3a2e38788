// What the benchmark must show: ratios of figures of one run, each with its bound, and aims for a quiet 2-core machine.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { benchFolder } from "./places.mjs";

const budget = JSON.parse(readFileSync(join(benchFolder, "size_budget.json"), "utf8"));

/** The names of build/bench.json, in its order, with the aim where there is one. */
export const figures = {
  step_unchanged_128_us: 20,
  step_changed_128_us: 30,
  step_unchanged_800_us: null,
  copy_128_us: null,
  stringify_128_us: null,
  mount_unmount_us: 5,
  ajv_mount_unmount_us: null,
  invoke_us: 12,
  invoke_1000_us: null,
  invoke_governed_us: null,
  bare_invoke_us: null,
  ajv_invoke_us: null,
  polyfill_invoke_us: null,
  domain_invoke_us: 40,
  plain_domain_invoke_us: null,
  domain_describe_300_us: 1500,
  plain_domain_describe_300_us: null,
  encode_400_us: null,
  stringify_400_us: null,
  decode_10000_us: null,
  js_decode_10000_us: null,
  webmcp_added_us: 20,
  webmcp_bare_us: null,
  inspector_frame_ms: 16,
  validate_60b_us: 3,
  validate_1k_us: 15,
  validate_32k_us: null,
  stringify_32k_us: null,
  canonical_32k_us: null,
  js_canonical_32k_us: null,
  ajv_32k_us: null,
  memory_10k_bytes: null,
  leak_module_bytes: null,
  leak_heap_bytes: null,
  load_ms: 40,
  size_lean_brotli_bytes: null,
  size_full_brotli_bytes: null,
  size_glue_brotli_bytes: null,
  size_domain_brotli_bytes: null,
};

// "No worse than the 10th" is read with the same tolerance as "flat".
const kFlat = 1.2;

/**
 * The bounds: `value(figures, details)` must be at most, or with `atLeast` at least, `bound`.
 * Each is a ratio of two medians of one process, or a number of bytes.
 */
export const bounds = [
  { title: "step unchanged / copy, 16 × 8", bound: 4, value: (f) => f.step_unchanged_128_us / f.copy_128_us },
  {
    title: "stringify / step unchanged, 16 × 8",
    bound: 10,
    atLeast: true,
    value: (f) => f.stringify_128_us / f.step_unchanged_128_us,
  },
  { title: "step after one change / copy, 16 × 8", bound: 6, value: (f) => f.step_changed_128_us / f.copy_128_us },
  {
    title: "step unchanged, 100 × 8 / 16 × 8",
    bound: 8,
    value: (f) => f.step_unchanged_800_us / f.step_unchanged_128_us,
  },
  {
    title: "mount + unmount, the 1,000th / the 10th",
    bound: kFlat,
    value: (f, d) => d["the 1,000th beside 999 others, µs"] / f.mount_unmount_us,
  },
  {
    title: "mount + unmount, 1,000 in one go / 10 in one go, each",
    bound: kFlat,
    value: (f, d) => d["1,000 mounted, then 1,000 unmounted, each, µs"] / d["10 mounted, then 10 unmounted, each, µs"],
  },
  { title: "invoke / bare handler with JSON, 100 × 8 mounted", bound: 8, value: (f) => f.invoke_us / f.bare_invoke_us },
  {
    title: "invoke, 1,000 components / 10 components",
    bound: 1.2,
    value: (f, d) => f.invoke_1000_us / d["with 10 components mounted, µs"],
  },
  {
    title: "invoke with two async policies and a confirmation check / invoke",
    bound: 2,
    value: (f) => f.invoke_governed_us / f.invoke_us,
  },
  {
    title: "JSON.parse and canonicalising in JavaScript / canonicalising in the module, 32 kB",
    bound: 2,
    atLeast: true,
    value: (f) => f.js_canonical_32k_us / f.canonical_32k_us,
  },
  {
    title: "JSON.stringify of a step / the step encoder, 400 messages of 2 kB and 128 tools",
    bound: 5,
    atLeast: true,
    value: (f) => f.stringify_400_us / f.encode_400_us,
  },
  { title: "validate / stringify, 32 kB", bound: 4, value: (f) => f.validate_32k_us / f.stringify_32k_us },
  { title: "10,000 mounted instances, MiB in the module", bound: 16, value: (f) => f.memory_10k_bytes / 2 ** 20 },
  {
    title: "module bytes after 100,000 cycles and calls, % of the start",
    bound: 1,
    value: (f, d) => (Math.abs(f.leak_module_bytes) / d.module_start_bytes) * 100,
  },
  {
    title: "JS heap after 100,000 cycles and calls, % of the start",
    bound: 1,
    value: (f, d) => (Math.abs(f.leak_heap_bytes) / d.heap_start_bytes) * 100,
  },
  {
    title: "lean module + glue, brotli kB",
    bound: budget.leanAndGlueBrotliBytes.bound / 1000,
    aim: budget.leanAndGlueBrotliBytes.aim / 1000,
    value: (f) => (f.size_lean_brotli_bytes + f.size_glue_brotli_bytes) / 1000,
  },
  {
    title: "full module, brotli kB",
    bound: budget.fullBrotliBytes.bound / 1000,
    value: (f) => f.size_full_brotli_bytes / 1000,
  },
  {
    title: "domain module, brotli kB",
    bound: budget.domainBrotliBytes.bound / 1000,
    value: (f) => f.size_domain_brotli_bytes / 1000,
  },
];

/** Ratios to what a page would use instead; they are for information and have no bound. */
export const comparisons = [
  { title: "mount + unmount / ajv registry", value: (f) => f.mount_unmount_us / f.ajv_mount_unmount_us },
  { title: "invoke / ajv registry", value: (f) => f.invoke_us / f.ajv_invoke_us },
  { title: "invoke / WebMCP polyfill", value: (f) => f.invoke_us / f.polyfill_invoke_us },
  {
    title: "step unchanged / projection of the ajv registry",
    value: (f, d) => f.step_unchanged_128_us / d["projection of the ajv registry, 16 × 8, µs"],
  },
  { title: "domain invoke / ajv and two policies", value: (f) => f.domain_invoke_us / f.plain_domain_invoke_us },
  {
    title: "domain describe of 300 / two policies each",
    value: (f) => f.domain_describe_300_us / f.plain_domain_describe_300_us,
  },
  { title: "decoding 10,000 frames / JSON.parse of each line", value: (f) => f.decode_10000_us / f.js_decode_10000_us },
  { title: "validate 32 kB / ajv", value: (f) => f.validate_32k_us / f.ajv_32k_us },
];
