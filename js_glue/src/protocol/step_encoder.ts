// Writes the requests of a conversation (spec: host-protocol.md, "The turn loop"): the module keeps the bytes of the
// history, so that a step serializes only what is new.

import { invalidDefinition } from "../errors.js";
import { CATALOG_LIMITS, type CatalogMode } from "../generated/protocol_vocabulary.js";
import { isObject } from "../contract/values.js";
import { AREA, Exchange } from "../runtime/table.js";
import { ProtocolObject, textOf } from "./exchange.js";
import { ranksOf, type StepProjection } from "./project_step.js";
import type { ProtocolLimits, WireModelMessage } from "./types.js";

export interface StepRequestParts {
  /** 1 to 64 code units, as `turnId`. */
  readonly conversationId: string;
  readonly turnId: string;
  /** 0 to 64. */
  readonly stepIndex: number;
  /** 1 to 512 code units. */
  readonly pathname: string;
  /** The whole history. Messages are known by identity: who changes one in place changes nothing. */
  readonly messages: readonly WireModelMessage[];
  readonly projection: StepProjection;
  readonly mode?: CatalogMode | undefined;
  /** At most 32 tokens of 64 code units. */
  readonly scope?: readonly string[] | undefined;
  readonly modelId?: string | undefined;
}

export class StepEncoder {
  readonly #object: ProtocolObject;
  readonly #maxFrontendTools: number;
  #messages: WireModelMessage[] = [];
  #projection: StepProjection | undefined;
  #trimmed = 0;
  #dropped = 0;

  constructor(limits: Partial<ProtocolLimits> | undefined) {
    this.#object = new ProtocolObject("encoder", "createStepEncoder", limits);
    this.#maxFrontendTools = limits?.maxFrontendTools ?? CATALOG_LIMITS.maxFrontendTools;
  }

  /** Messages of oldest whole turns that the last request left out, because the history is over the limits. */
  get trimmedMessages(): number {
    return this.#trimmed;
  }

  /** Tools that the last request left out; it says so in `catalog.truncated`. */
  get droppedTools(): number {
    return this.#dropped;
  }

  /**
   * UTF-8 of the request, a copy. Throws PROTOCOL_DECODE_ERROR for a field out of its bounds and for a history with an
   * open call, CATALOG_TOO_LARGE where one turn alone is over the limits: before anything is sent.
   */
  encode(parts: StepRequestParts): Uint8Array<ArrayBuffer> {
    const { messages, projection } = checked(parts);
    this.#take(messages);
    this.#project(projection);
    const bytes = this.#object.step(Exchange.encode, headOf(parts));
    const { runtime } = this.#object;
    this.#dropped = runtime.number(0);
    this.#trimmed = runtime.number(1);
    return runtime.copy(runtime.number(AREA.textAddressIn), bytes);
  }

  /** Forgets the history. */
  reset(): void {
    this.#object.step(Exchange.reset, "");
    this.#messages = [];
    this.#projection = undefined;
  }

  dispose(): void {
    this.#object.dispose();
  }

  /** Only what is new is serialized; a history that is another one starts anew. */
  #take(messages: readonly WireModelMessage[]): void {
    const kept = this.#messages;
    if (kept.length > messages.length || kept.some((message, index) => messages[index] !== message)) this.reset();
    const added = messages.slice(this.#messages.length);
    if (added.length === 0) return;
    this.#object.step(Exchange.messages, textOf(added, "createStepEncoder: messages"));
    this.#messages.push(...added);
  }

  #project(projection: StepProjection): void {
    if (projection === this.#projection) return;
    this.#projection = undefined;
    this.#object.step(Exchange.ranks, this.#ranks(projection));
    this.#object.step(Exchange.tools, projection.bytes);
    this.#object.step(Exchange.state, projection.stateBytes);
    this.#projection = projection;
  }

  /** Who goes first matters only where somebody has to go. */
  #ranks(projection: StepProjection): string {
    const withheld = projection.withheld.length;
    const many = projection.wireNames.size > this.#maxFrontendTools;
    return JSON.stringify(many ? { withheld, ranks: ranksOf(projection) } : { withheld });
  }
}

function checked(parts: StepRequestParts): StepRequestParts {
  if (!isObject(parts)) throw invalidDefinition("encode takes { conversationId, turnId, stepIndex, pathname, … }");
  if (!Array.isArray(parts.messages)) throw invalidDefinition("encode: messages is no array");
  const { projection } = parts;
  if (!isObject(projection) || !(projection.bytes instanceof Uint8Array)) {
    throw invalidDefinition("encode: projection is not what projectStep gave");
  }
  return parts;
}

function headOf({ conversationId, turnId, stepIndex, pathname, mode, scope, modelId }: StepRequestParts): string {
  return textOf({ conversationId, turnId, stepIndex, pathname, mode, scope, modelId }, "encode");
}

/**
 * One for a conversation, or for each turn. `limits`: what the host takes, when it is less than CATALOG_LIMITS.
 * It frees what it holds with dispose(), or when it is collected.
 */
export function createStepEncoder(
  options: { readonly limits?: Partial<ProtocolLimits> | undefined } = {},
): StepEncoder {
  return new StepEncoder(options.limits);
}
