// Meta mode: three tools that never change, whatever is mounted (spec: capabilities.md §7, "Toolset").

import type { JsonRecord } from "../contract/types.js";
import { isRecord, member } from "../contract/values.js";
import { ACT, DISCOVER, READ } from "../protocol/meta_tools.js";
import { projectStep, type WireDescriptor } from "../protocol/project_step.js";
import { resolveScope } from "../protocol/scope.js";
import { freshInvocationId } from "../ids.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { ErrorResult } from "../runtime/answers.js";
import type { JsonSchema } from "../schema/schema.js";
import type { ToolsetSettings } from "./options.js";
import type { Discovery, MetaTool, ToolCallOptions } from "./tool.js";
import type { Invoke } from "./toolset.js";

interface Problem {
  readonly path: string;
  readonly message: string;
}

export function metaTools(
  registry: AgentSurfaceRegistry,
  settings: ToolsetSettings,
  invoke: Invoke,
): readonly MetaTool[] {
  const lookUp = (capabilityId: unknown): WireDescriptor | undefined =>
    projectStep(registry, { consumer: settings.consumer }).descriptors.find((one) => one.canonicalId === capabilityId);
  const refused = (envelope: unknown, problem: Problem, options: ToolCallOptions): ErrorResult =>
    invalidInput(registry, envelope, problem, options);

  const discover: MetaTool = {
    ...DISCOVER,
    execute: async (given = {}, options = {}) => {
      const problem = faultOf(given, DISCOVER.inputSchema);
      if (problem !== undefined) return refused(given, problem, options);
      return discovered(registry, settings, isRecord(given) ? given["scope"] : undefined);
    },
  };
  const read: MetaTool = {
    ...READ,
    execute: async (given = {}, options = {}) => {
      const problem = faultOf(given, READ.inputSchema) ?? actionFault(lookUp(member(given, "capabilityId")));
      if (problem !== undefined || !isRecord(given)) return refused(given, problem ?? NO_OBJECT, options);
      return invoke(targetOf(given), options);
    },
  };
  const act: MetaTool = {
    ...ACT,
    execute: async (given = {}, options = {}) => {
      const problem = faultOf(given, ACT.inputSchema);
      if (problem !== undefined || !isRecord(given)) return refused(given, problem ?? NO_OBJECT, options);
      const input = repaired(given["input"], lookUp(given["capabilityId"]));
      const { surfaceVersion, invocationId, confirmationId } = textsOf(given);
      return invoke(
        { ...targetOf(given), surfaceVersion, input },
        { ...options, invocationId: invocationId ?? options.invocationId, confirmationId },
      );
    },
  };
  return Object.freeze([discover, read, act].map((tool) => Object.freeze(tool)));
}

const NO_OBJECT: Problem = { path: "", message: "must be an object" };

/** Unknown keys, missing ones, and those of another type: before the registry is asked. */
function faultOf(given: unknown, schema: JsonSchema): Problem | undefined {
  if (!isRecord(given)) return NO_OBJECT;
  const properties: unknown = schema["properties"];
  const required: unknown = schema["required"];
  const known = isRecord(properties) ? properties : {};
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(known, key)) continue;
    return { path: `/${key.slice(0, 60)}`, message: `is unknown; known are ${Object.keys(known).join(", ")}` };
  }
  for (const key of Array.isArray(required) ? required : []) {
    if (given[String(key)] === undefined && key !== "input") return { path: `/${String(key)}`, message: "is missing" };
  }
  for (const key of Object.keys(given)) {
    const value = given[key];
    if (key === "scope" && value !== undefined && !isTexts(value)) {
      return { path: "/scope", message: "must be a list of component-type prefixes" };
    }
    if (key !== "scope" && key !== "input" && value !== undefined && typeof value !== "string") {
      return { path: `/${key}`, message: "must be a string" };
    }
  }
  return undefined;
}

/** Reading must not act. */
function actionFault(descriptor: WireDescriptor | undefined): Problem | undefined {
  if (descriptor === undefined || descriptor.effect === "read") return undefined;
  return { path: "/capabilityId", message: "is no observation; surface_act carries out what has an effect" };
}

function discovered(registry: AgentSurfaceRegistry, settings: ToolsetSettings, requested: unknown): Discovery {
  const { scope, rejected } = resolveScope(settings.scope, isTexts(requested) ? requested : undefined);
  const { consumer, budget } = settings;
  const snapshot = registry.snapshot({ consumer, scope, budget });
  return rejected.length === 0 ? snapshot : Object.freeze({ ...snapshot, scopeRejected: { prefixes: rejected } });
}

/** Models write an object as a string of JSON; where the capability wants an object, that is what was meant. */
function repaired(input: unknown, descriptor: WireDescriptor | undefined): unknown {
  if (typeof input !== "string" || descriptor?.inputSchema["type"] !== "object") return input;
  try {
    const parsed: unknown = JSON.parse(input);
    return isRecord(parsed) ? parsed : input;
  } catch {
    return input;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function textsOf(given: JsonRecord): Readonly<Record<string, string | undefined>> {
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) if (typeof value === "string") texts[key] = value;
  return texts;
}

function targetOf(given: JsonRecord): { readonly capabilityId: string; readonly instanceId: string | undefined } {
  const { capabilityId = "", instanceId } = textsOf(given);
  return { capabilityId, instanceId };
}

function invalidInput(
  registry: AgentSurfaceRegistry,
  given: unknown,
  problem: Problem,
  options: ToolCallOptions,
): ErrorResult {
  const { capabilityId = "", invocationId } = textsOf(isRecord(given) ? given : {});
  const error = {
    code: "INVALID_INPUT",
    message: "The tool's envelope does not fit; details.issues says where.",
    retry: "with-changes",
    details: { issues: [problem] },
  } as const;
  return {
    status: "error",
    invocationId: invocationId ?? options.invocationId ?? freshInvocationId(),
    capabilityId,
    error,
    surfaceVersion: registry.getVersion(),
  };
}
