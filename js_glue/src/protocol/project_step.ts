// One projection of the live surface for one consumer (spec: capabilities.md §7).
//
// The bytes are UTF-8 JSON, ready for a request body, and a copy: the module's memory moves on. A step with nothing new
// costs one crossing and the copying.

import type { AgentConsumer } from "../contract/types.js";
import { invalidDefinition } from "../errors.js";
import { CATALOG_MODES, type CatalogMode } from "../generated/protocol_vocabulary.js";
import type { ConfirmationLevel, Plane } from "../generated/vocabulary.js";
import { consumerKey, consumerOf } from "../registry/consumer.js";
import type { RegistryCore } from "../registry/core.js";
import { coreOf } from "../registry/internals.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import { scopeText } from "../registry/snapshot.js";
import { notesText } from "../registry/procedures.js";
import { votesText } from "../registry/votes.js";
import { trusted } from "../runtime/answers.js";
import type { JsonSchema } from "../schema/schema.js";
import { namesOf, type ToolRank, type WireTarget } from "./names.js";

export type { WireTarget } from "./names.js";

export interface ProjectOptions {
  readonly consumer: AgentConsumer;
  /** Component-type prefixes on segment boundaries; empty: everything. */
  readonly scope?: readonly string[] | undefined;
  /** A page declares the same in both: direct (default) or meta. */
  readonly mode?: CatalogMode | undefined;
}

export interface WireDescriptor {
  readonly wireName: string;
  readonly canonicalId: string;
  readonly plane: Plane;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly effect: string;
  readonly confirmation: ConfirmationLevel;
  readonly available: boolean;
  readonly unavailableReason?: string;
}

export interface WireState {
  readonly wireName: string;
  readonly available: boolean;
  readonly unavailableReason?: string;
  readonly note?: string;
}

export interface StepProjection {
  readonly surfaceVersion: string;
  /** UTF-8 of the descriptor array. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** UTF-8 of the state array, the volatile half. */
  readonly stateBytes: Uint8Array<ArrayBuffer>;
  /** Parsed on first access. */
  readonly descriptors: readonly WireDescriptor[];
  readonly state: readonly WireState[];
  /** What each wire name stands for in this projection; calls carry its registration id. */
  readonly wireNames: ReadonlyMap<string, WireTarget>;
  /** Capabilities that no name could be given to. */
  readonly withheld: readonly { readonly canonicalId: string; readonly reason: string }[];
}

export function projectStep(registry: AgentSurfaceRegistry, options: ProjectOptions): StepProjection {
  const core = coreOf(registry, "projectStep");
  const { scope, mode, consumer } = checked(options);
  if (mode !== undefined && !CATALOG_MODES.includes(mode)) {
    throw invalidDefinition(`projectStep: mode is ${JSON.stringify(mode)}; "direct" and "meta" are allowed`);
  }
  const whom = consumerOf(consumer, "projectStep");
  const wanted = scope === undefined ? "" : `,"scope":${scopeText(scope)}`;
  const gates = core.gates.changes();
  if (gates !== "") core.assertLive();
  const notes = notesText(core);
  if (notes !== "") core.assertLive();
  const votes = votesText(core, whom);
  if (votes !== "") core.assertLive();
  // Where nobody votes all consumers see the same; else each has a view of its own.
  const own = votes === "" ? "" : `${votes},"consumer":${JSON.stringify(consumerKey(whom))}`;
  return project(core, `${gates === "" ? "" : `,"gates":${gates}`}${notes}${wanted}${own}`);
}

/** What decides who goes where there are too many: in the order of the descriptors. */
export function ranksOf(projection: StepProjection): readonly ToolRank[] {
  return Projection.ranks(projection);
}

function checked(options: ProjectOptions): ProjectOptions {
  if (typeof options === "object" && options !== null) return options;
  throw invalidDefinition("projectStep takes a registry and { consumer, scope? }");
}

function project(core: RegistryCore, members: string): StepProjection {
  const { runtime, h } = core;
  const text = members === "" ? "" : `{${members.slice(1)}}`;
  const pending = runtime.checked(text, (table) => table.project(h, core.now()));
  // Read and copied before anything else runs: the next call may move them.
  const [view, generation, version] = [runtime.number(0), runtime.number(1), runtime.number(2)];
  const bytes = runtime.copy(runtime.number(3), runtime.number(4));
  const stateBytes = runtime.copy(runtime.number(5), runtime.number(6));
  const projection = new Projection(String(version), bytes, stateBytes, namesOf(core, view, generation));
  if (pending !== 0) core.outbox.take(true);
  return projection;
}

const decoder = /* @__PURE__ */ new TextDecoder();

class Projection implements StepProjection {
  readonly surfaceVersion: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stateBytes: Uint8Array<ArrayBuffer>;
  readonly #names: ReturnType<typeof namesOf>;
  #descriptors: readonly WireDescriptor[] | undefined;
  #state: readonly WireState[] | undefined;

  constructor(
    surfaceVersion: string,
    bytes: Uint8Array<ArrayBuffer>,
    stateBytes: Uint8Array<ArrayBuffer>,
    names: ReturnType<typeof namesOf>,
  ) {
    this.surfaceVersion = surfaceVersion;
    this.bytes = bytes;
    this.stateBytes = stateBytes;
    this.#names = names;
  }

  /** None for a projection of somebody else's making. */
  static ranks(projection: StepProjection): readonly ToolRank[] {
    return #names in projection ? projection.#names.ranks : [];
  }

  get descriptors(): readonly WireDescriptor[] {
    return (this.#descriptors ??= trusted<readonly WireDescriptor[]>(decoder.decode(this.bytes)));
  }

  get state(): readonly WireState[] {
    return (this.#state ??= trusted<readonly WireState[]>(decoder.decode(this.stateBytes)));
  }

  get wireNames(): ReadonlyMap<string, WireTarget> {
    return this.#names.map;
  }

  get withheld(): StepProjection["withheld"] {
    return this.#names.withheld;
  }
}
