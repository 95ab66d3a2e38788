// Which instance of the module is live, and how it came to be.

import { RuntimeNotLoadedError } from "../errors.js";
import { Runtime, type Variant } from "./runtime.js";
import type { ModuleFactory, ModuleTable } from "./table.js";

export type WasmSource = URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module;

export interface LoadRuntimeOptions {
  /** Where the module's bytes are, or the bytes; default: the file beside the entry point. */
  readonly wasm?: WasmSource;
  /** lean: the portable schema profile. full: all of draft 7 as well. Default: lean in browsers, full in Node. */
  readonly variant?: Variant;
}

/** What an entry point knows about its platform. */
export interface Platform {
  readonly variant: Variant;
  factory(variant: Variant): Promise<ModuleFactory>;
  /** Compiles the module's file; `source` replaces the file beside the entry point. */
  compile(variant: Variant, source: URL | string | undefined): Promise<WebAssembly.Module>;
}

let platform: Platform | undefined;
let live: Runtime | undefined;
let loading: { readonly variant: Variant; readonly done: Promise<void> } | undefined;
const compiled = new Map<Variant, WebAssembly.Module>();

export function setPlatform(entry: Platform): void {
  platform = entry;
}

/**
 * Loads and starts the module; does nothing when it is live already. After a failure of the module it starts a new
 * instance. Asking for another variant while one is live is an error.
 */
export function loadRuntime(options: LoadRuntimeOptions = {}): Promise<void> {
  const entry = platform;
  if (entry === undefined) return Promise.reject(new Error('import "viewcap" by its package name, not a file of it'));
  const current = live !== undefined && !live.dead ? live.variant : loading?.variant;
  if (current !== undefined) {
    if (options.variant === undefined || options.variant === current) return loading?.done ?? Promise.resolve();
    return Promise.reject(new Error(`the ${current} module is loaded; the ${options.variant} one cannot join it`));
  }
  // After a failure the next instance is of the kind that the page had.
  const variant = options.variant ?? live?.variant ?? entry.variant;
  if (variant !== "lean" && variant !== "full") {
    return Promise.reject(new TypeError(`variant is ${JSON.stringify(variant)}; "lean" and "full" are allowed`));
  }
  const done = start(entry, variant, options.wasm).finally(() => {
    loading = undefined;
  });
  loading = { variant, done };
  return done;
}

export function isRuntimeLoaded(): boolean {
  return live !== undefined && !live.dead;
}

/** The live instance; `what` names the caller in the error. */
export function liveRuntime(what: string): Runtime {
  if (live === undefined || live.dead) throw new RuntimeNotLoadedError(what);
  return live;
}

async function start(entry: Platform, variant: Variant, source: WasmSource | undefined): Promise<void> {
  const [factory, module] = await Promise.all([
    entry.factory(variant),
    compile(entry, variant, source).catch(explainRefusal),
  ]);
  live = new Runtime(await instantiate(factory, module), variant);
  compiled.set(variant, module);
}

async function compile(entry: Platform, variant: Variant, source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (source === undefined) return compiled.get(variant) ?? entry.compile(variant, undefined);
  if (typeof source === "string" || source instanceof URL) return entry.compile(variant, source);
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  return compileResponse(await source);
}

/** Browsers ask for 'unsafe-eval' when a page's policy refuses the module; the narrower 'wasm-unsafe-eval' is enough. */
function explainRefusal(error: unknown): never {
  const byPolicy = error instanceof Error && /Content Security Policy|\bCSP\b|unsafe-eval/i.test(error.message);
  if (!byPolicy) throw error;
  const advice = "the page's Content-Security-Policy refuses WebAssembly; its script-src must allow 'wasm-unsafe-eval'";
  throw new Error(advice, { cause: error });
}

/** Streams where the server says what the bytes are; a wrong MIME type only costs the streaming. */
export async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`the module could not be fetched: HTTP status ${String(response.status)}`);
  const streams = typeof WebAssembly.compileStreaming === "function";
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (streams && type === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

function instantiate(factory: ModuleFactory, module: WebAssembly.Module): Promise<ModuleTable> {
  return new Promise((resolve, reject) => {
    // The generated loader has no way to hear that instantiation failed, so the failure goes around it.
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      ready: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object => {
      WebAssembly.instantiate(module, imports).then((instance) => ready(instance, module), reject);
      return {};
    };
    factory({ instantiateWasm }).then(resolve, reject);
  });
}
