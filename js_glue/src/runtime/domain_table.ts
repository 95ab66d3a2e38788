// The table of the domain plane's module, as TypeScript sees it. wasm/bindings/README.md says what each function takes
// and gives.

import type { CrossingTable } from "./table.js";

export interface DomainTable extends CrossingTable {
  startRegistry(): number;
  finishRegistry(build: number): number;
  filterRegistry(registry: number): number;
  keepRegistry(registry: number): number;
  inspectRegistry(registry: number): number;
  freeRegistry(registry: number): void;
  createRuntime(registry: number): number;
  batch(runtime: number, capability: number, phase: number): number;
  begin(runtime: number, now: number): number;
  resume(runtime: number, now: number): number;
  tell(runtime: number, execution: number, told: number, aborted: number, now: number): number;
  describe(runtime: number, clock: number, now: number): number;
  nextCandidate(runtime: number, discovery: number, clock: number, now: number): number;
  reported(runtime: number, discovery: number, capability: number, clock: number, now: number): number;
  takeEvents(runtime: number): number;
  approvalDecided(runtime: number, now: number): void;
  freeRuntime(runtime: number): void;
  checkDecision(now: number): number;
  approvalStatus(expiresAt: number, now: number): number;
  outwardError(): number;
  wireName(): number;
}

/** Makes a module of the object that it is handed, at once where the object has the bytes at `wasmBinary`. */
export type DomainModuleFactory = (module: object) => unknown;

/** What an execution needs next; the order of the module's own list (domain/runtime.h). */
export const Ask = {
  finished: 0,
  validateInput: 1,
  hashInput: 2,
  runPolicies: 3,
  decideInline: 4,
  storeApproval: 5,
  auditStarted: 6,
  execute: 7,
  backOff: 8,
  validateOutput: 9,
  redact: 10,
  consumeApproval: 11,
  mayRetry: 12,
  ignored: 13,
} as const;

/** How that went. */
export const Told = {
  valid: 0,
  invalid: 1,
  hashed: 2,
  unhashable: 3,
  batch: 4,
  decided: 5,
  undecided: 6,
  done: 7,
  refused: 8,
  output: 9,
  threw: 10,
  timedOut: 11,
  stopped: 12,
  yes: 13,
  no: 14,
  broke: 15,
} as const;
export type ToldCode = (typeof Told)[keyof typeof Told];

/** What a listing needs next. */
export const Listing = { run: 0, wait: 1, finished: 2, overBudget: 3, ignored: 4 } as const;
