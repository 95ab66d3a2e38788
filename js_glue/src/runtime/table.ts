// The table between JavaScript and the module, as TypeScript sees it. wasm/bindings/README.md says what each function
// takes and gives.

/** What every module has. */
export interface CrossingTable {
  /** Replaced whenever the memory grows: read it anew after each call. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  area(): number;
  stage(bytes: number): number;
  fault(): number;
  memory(): number;
  compileSchema(): number;
  validate(id: number): number;
  freeSchema(id: number): void;
}

export interface ModuleTable extends CrossingTable {
  createRegistry(): number;
  listen(h: number, mask: number): void;
  internContract(h: number): number;
  mount(h: number, contract: number, now: number): number;
  unmount(h: number, reg: number, now: number): number;
  update(h: number, reg: number, now: number): number;
  gates(h: number, now: number): number;
  begin(h: number, now: number): number;
  advance(h: number, inv: number, now: number, step: number): number;
  settle(h: number, inv: number, now: number, outcome: number): number;
  timers(h: number, now: number): number;
  project(h: number, now: number): number;
  wireNames(h: number, view: number): number;
  snapshot(h: number, now: number): number;
  version(h: number): number;
  resolveConfirmation(h: number, now: number): number;
  confirmations(h: number, now: number): number;
  knownPaths(h: number): void;
  rebind(h: number, reg: number, contract: number, now: number): number;
  takeOutbox(h: number): number;
  dispose(h: number, now: number): number;
  convert(conversion: number): number;
  openProtocol(kind: number): number;
  exchange(handle: number, step: number): number;
  closeProtocol(handle: number): void;
  // The full module's alone.
  decodeStepRequest?(maxBodyBytes: number, maxFrontendTools: number, maxMessages: number): number;
  composeCatalog?(): number;
  renderStateBlock?(): number;
  encodeFrame?(maxFrameBytes: number): number;
}

/** Objects of the host protocol, and what is exchanged with them; wasm/bindings/protocol_table.h. */
export const ProtocolKind = { encoder: 0, frames: 1, accumulator: 2, guard: 3 } as const;
export const Exchange = {
  messages: 0,
  tools: 1,
  ranks: 2,
  state: 3,
  encode: 4,
  reset: 5,
  push: 6,
  finish: 7,
} as const;

/** The pure helpers of `convert`, by number. */
export const Conversion = {
  wireName: 0,
  wireNameForInstance: 1,
  assignWireNames: 2,
  decodeWireName: 3,
  parseCapabilityId: 4,
  canonicalJson: 5,
  sha256: 6,
  manifest: 7,
  checkManifest: 8,
  reduceInputSchema: 9,
  resolveScope: 10,
  repairHistory: 11,
} as const;

/** The area: 8 doubles, a 32-bit count of bytes, the text. A text of the module's is spoken of in the last two doubles. */
export const AREA = {
  numbers: 8,
  textBytesIn: 6,
  textAddressIn: 7,
  countAt: 64,
  textAt: 68,
  textBytes: 65536,
  size: 68 + 65536,
} as const;

export interface ModuleOptions {
  instantiateWasm(
    imports: WebAssembly.Imports,
    ready: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  wasmBinary?: ArrayBuffer;
}

export type ModuleFactory = (options: ModuleOptions) => Promise<ModuleTable>;

/** First number of an answer. */
export const Answer = { result: 0, join: 1, plan: 2, go: 3, wait: 4, ignored: 5, done: 6, ask: 7, pass: 8 } as const;
export const Step = {
  gateClosed: 0,
  inputVerdict: 1,
  inputRefused: 2,
  precondition: 3,
  threw: 4,
  admit: 5,
  recheck: 6,
  hold: 7,
  votes: 8,
  bound: 9,
  confirm: 10,
  policyThrew: 11,
  policyDenied: 12,
  policyHid: 13,
} as const;
export const Outcome = {
  empty: 0,
  output: 1,
  notJson: 2,
  surfaceError: 3,
  threw: 4,
  cancelled: 5,
  internal: 6,
} as const;
export const Listen = { events: 1, audit: 2 } as const;
