// The options of a toolset, checked.

import type { AgentConsumer } from "../contract/types.js";
import { invalidDefinition } from "../errors.js";
import type { SnapshotContext } from "../registry/registry.js";

export type ConfirmationMode = "wait" | "two-phase";

export interface ToolsetOptions {
  readonly consumer: AgentConsumer;
  /** direct: a tool per capability (default). meta: three constant tools. */
  readonly mode?: "direct" | "meta" | undefined;
  /** embedded: the loop runs in the page and can wait for a person. remote: the loop hears that one is needed. */
  readonly topology?: "embedded" | "remote" | undefined;
  /** Says it by itself, and wins over the topology. */
  readonly confirmations?: ConfirmationMode | undefined;
  /** The floor: component-type prefixes on segment boundaries. */
  readonly scope?: readonly string[] | undefined;
  /** Of `surface_discover`; meta mode only. */
  readonly budget?: SnapshotContext["budget"];
}

export interface ToolsetSettings {
  readonly consumer: AgentConsumer;
  readonly meta: boolean;
  readonly waits: boolean;
  readonly scope: readonly string[];
  readonly budget: SnapshotContext["budget"];
}

const KNOWN = ["consumer", "mode", "topology", "confirmations", "scope", "budget"];

function oneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined || allowed.some((one) => one === value)) return;
  throw invalidDefinition(
    `createAgentToolset: ${name} is ${JSON.stringify(value)}; ${allowed.map((one) => `"${one}"`).join(" and ")} are allowed`,
  );
}

export function readToolsetOptions(options: ToolsetOptions): ToolsetSettings {
  if (typeof options !== "object" || options === null) {
    throw invalidDefinition("createAgentToolset takes a registry and { consumer, topology, … }");
  }
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) {
    throw invalidDefinition(`createAgentToolset: "${unknown}" is unknown; allowed are ${KNOWN.join(", ")}`);
  }
  const { consumer, mode = "direct", topology, confirmations, scope = [], budget } = options;
  oneOf("mode", mode, ["direct", "meta"]);
  oneOf("topology", topology, ["embedded", "remote"]);
  oneOf("confirmations", confirmations, ["wait", "two-phase"]);
  if (topology === undefined && confirmations === undefined) {
    throw invalidDefinition(
      'createAgentToolset: say where the loop runs: topology "embedded" or "remote", or confirmations "wait" or "two-phase"',
    );
  }
  if (typeof consumer !== "object" || consumer === null) {
    throw invalidDefinition("createAgentToolset: consumer is missing; { id, kind } says for whom the tools are");
  }
  if (!Array.isArray(scope) || !scope.every((prefix) => typeof prefix === "string")) {
    throw invalidDefinition("createAgentToolset: scope is a list of component-type prefixes");
  }
  if (budget !== undefined && mode !== "meta") {
    throw invalidDefinition('createAgentToolset: budget is for mode "meta"; the step encoder bounds direct tools');
  }
  const waits = (confirmations ?? (topology === "embedded" ? "wait" : "two-phase")) === "wait";
  return { consumer, meta: mode === "meta", waits, scope: [...scope], budget };
}
