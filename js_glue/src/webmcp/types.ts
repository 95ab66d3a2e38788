// The browser's own agent API as far as it is used here, and what the adapter says of itself.

import type { AgentConsumer } from "../contract/types.js";
import type { WireDescriptor } from "../protocol/project_step.js";
import type { JsonSchema } from "../schema/schema.js";

/** What a browser is told of a tool. */
export interface ModelContextTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly untrustedContentHint: boolean;
    readonly consequentialHint: boolean;
  };
  /** The polyfill gives no second argument. */
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<WebMcpResult>;
}

/** `document.modelContext`, or whatever has its registerTool. Aborting the signal is the only way to unregister. */
export interface ModelContextLike {
  registerTool(tool: ModelContextTool, options: { readonly signal: AbortSignal }): unknown;
}

/** Always an object: a browser makes a text of anything else. */
export type WebMcpResult =
  | { readonly status: "ok"; readonly output?: unknown }
  | {
      readonly status: "error";
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly retry: string;
        readonly details?: unknown;
      };
    };

export interface WithheldTool {
  readonly wireName: string;
  readonly canonicalId: string;
  /** budget: over `maxTools`. name-taken: somebody else's tool has the name. refused: the browser did not take it. */
  readonly reason: "budget" | "name-taken" | "refused" | "undecodable";
}

/** Told whenever it is another one. */
export interface WebMcpReport {
  /** missing: this browser has no such API. off: it, or a policy of the page, does not permit it. */
  readonly channel: "open" | "off" | "missing";
  /** Names of the tools that the browser has. */
  readonly published: readonly string[];
  readonly withheld: readonly WithheldTool[];
}

export interface WebMcpOptions {
  readonly consumer: AgentConsumer;
  /** Component-type prefixes on segment boundaries; default: everything. */
  readonly scope?: readonly string[] | undefined;
  /** False keeps a capability to the page. */
  readonly expose?: ((descriptor: WireDescriptor) => boolean) | undefined;
  /** Default: 40 tools, the three of the meta mode included where there are more. */
  readonly budget?: { readonly maxTools?: number | undefined } | undefined;
  readonly onReport?: ((report: WebMcpReport) => void) | undefined;
  /** Default: document.modelContext, else navigator.modelContext. */
  readonly target?: ModelContextLike | undefined;
}
