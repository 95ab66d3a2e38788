// A catalog as a provider of models takes it: linted, and rewritten where that is possible (spec: js-api.md).
//
//     const { tools, dropped, rewritten } = toProviderTools(step.descriptors, "gemini");
//
// Pure and without the module. One bad tool never costs the others: it is rewritten, or left out and reported. The
// result does not depend on the order of the input: tools come by priority (descending), canonical id, wire name.
// Availability and notes are no part of a tool, so that the block stays the same while only they move.

import { AgentSurfaceDefinitionError } from "../../errors.js";
import { jsonText } from "../../json/value.js";
import { fit } from "./fit.js";
import { isSchema, type Finding } from "./parts.js";
import { PROFILES, PROVIDERS, type ProviderProfile } from "./profiles.js";

export type { ProviderProfile } from "./profiles.js";

/** What is needed of a wire descriptor. */
export interface CatalogTool {
  readonly wireName: string;
  readonly canonicalId: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Default 0; where there are more tools than a request takes, the lowest go first. */
  readonly priority?: number;
}

export interface CatalogIssue extends Finding {
  readonly wireName: string;
}

export interface ProviderTools {
  /** In the provider's own shape. */
  readonly tools: readonly object[];
  readonly dropped: readonly { readonly wireName: string; readonly reason: string }[];
  readonly rewritten: readonly { readonly wireName: string; readonly reason: string }[];
}

/** What would be rewritten or left out, and why. INVALID_DEFINITION for an unknown profile. */
export function lintCatalog(
  descriptors: readonly CatalogTool[],
  profile: ProviderProfile,
): { readonly issues: readonly CatalogIssue[] } {
  const issues = judged(descriptors, profile).flatMap(({ wireName, found }) =>
    found.map((finding) => ({ wireName, ...finding })),
  );
  return { issues };
}

/** INVALID_DEFINITION for an unknown profile. */
export function toProviderTools(descriptors: readonly CatalogTool[], profile: ProviderProfile): ProviderTools {
  const tools: object[] = [];
  const dropped: { wireName: string; reason: string }[] = [];
  const rewritten: { wireName: string; reason: string }[] = [];
  for (const { wireName, description, schema, found } of judged(descriptors, profile)) {
    const fatal = found.find(({ severity }) => severity === "drop");
    if (fatal !== undefined) {
      dropped.push({ wireName, reason: sentence(fatal) });
      continue;
    }
    if (found.length > 0) rewritten.push({ wireName, reason: found.map(sentence).join("; ") });
    tools.push(PROFILES[profile].shape({ name: wireName, description, schema }));
  }
  return { tools, dropped, rewritten };
}

function sentence({ rule, path, message }: Finding): string {
  return `${rule}: ${path === "" ? "the tool" : path} ${message}`;
}

interface Judged {
  readonly wireName: string;
  readonly canonicalId: string;
  readonly description: string;
  readonly priority: number;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly found: Finding[];
  /** Everything of it, to order what is otherwise alike. */
  readonly text: string;
}

function judged(descriptors: unknown, name: ProviderProfile): readonly Judged[] {
  if (!PROVIDERS.includes(name)) {
    const found = typeof name === "string" ? JSON.stringify(name) : typeof name;
    throw new AgentSurfaceDefinitionError(
      "INVALID_DEFINITION",
      `profile ${found} is unknown; allowed are ${PROVIDERS.join(", ")}`,
    );
  }
  const profile = PROFILES[name];
  const all = listOf(descriptors).map(read).sort(inOrder);
  const taken = new Set<string>();
  let room = profile.most;
  return all.map((one) => {
    const { found, wireName } = one;
    const drop = (rule: string, message: string): void =>
      void found.push({ rule, severity: "drop", path: "", message });
    if (found.length > 0) return one;
    if (!profile.names.test(wireName)) drop("name", `has a name that does not fit ${profile.names.source}`);
    else if (taken.has(wireName)) drop("name", "has a name that another tool has");
    const schema = fit(one.schema, profile, found);
    const kept = found.every(({ severity }) => severity !== "drop");
    if (kept && room <= 0) drop("tools-per-request", `is one too many: ${String(profile.most)} are taken`);
    else if (kept) {
      taken.add(wireName);
      room--;
    }
    return { ...one, schema };
  });
}

/** Element by element: one that cannot be looked at is one bad tool. */
function listOf(descriptors: unknown): readonly unknown[] {
  const list: unknown[] = [];
  if (!Array.isArray(descriptors)) return list;
  for (let index = 0; index < lengthOf(descriptors); index++) {
    try {
      const one: unknown = descriptors[index];
      list.push(one);
    } catch {
      list.push(undefined);
    }
  }
  return list;
}

function lengthOf(list: readonly unknown[]): number {
  try {
    return list.length;
  } catch {
    return 0;
  }
}

const BOUNDS = { maxDepth: 128, maxBytes: 1 << 20 };

const READ = ["wireName", "canonicalId", "description", "inputSchema", "priority"];

/** What is needed of a descriptor, and nothing of its state; a member that cannot be read makes it unreadable. */
function needed(descriptor: unknown): unknown {
  if (typeof descriptor !== "object" || descriptor === null) return descriptor;
  const own: Record<string, unknown> = {};
  for (const key of READ) own[key] = Reflect.get(descriptor, key);
  return own;
}

function textOf(descriptor: unknown): ReturnType<typeof jsonText> {
  try {
    return jsonText(needed(descriptor), BOUNDS);
  } catch {
    return { problem: { path: "", message: "it could not be read", kind: "value" } };
  }
}

/** A copy of its own, whatever the descriptor is made of. */
function read(descriptor: unknown): Judged {
  const json = textOf(descriptor);
  const found: Finding[] = [];
  const copy: unknown = "text" in json ? JSON.parse(json.text) : {};
  const field = (key: string): unknown => (isSchema(copy) && Object.hasOwn(copy, key) ? copy[key] : undefined);
  const textField = (key: string): string => {
    const value = field(key);
    return typeof value === "string" ? value : "";
  };
  const schema = field("inputSchema");
  const drop = (message: string): void => void found.push({ rule: "descriptor", severity: "drop", path: "", message });
  if ("problem" in json) drop(`is no JSON value: ${json.problem.message}`);
  else if (textField("wireName") === "") drop("has no wire name");
  else if (!isSchema(schema)) drop("has no input schema");
  const priority = field("priority");
  return {
    wireName: textField("wireName") || nameOf(descriptor),
    canonicalId: textField("canonicalId"),
    description: textField("description"),
    priority: typeof priority === "number" ? priority : 0,
    schema: isSchema(schema) ? schema : {},
    found,
    text: "text" in json ? json.text : "",
  };
}

/** For the report of a descriptor that cannot be read. */
function nameOf(descriptor: unknown): string {
  try {
    const name: unknown =
      typeof descriptor === "object" && descriptor !== null ? Reflect.get(descriptor, "wireName") : undefined;
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}

function inOrder(one: Judged, other: Judged): number {
  if (one.priority !== other.priority) return other.priority - one.priority;
  return (
    compare(one.canonicalId, other.canonicalId) ||
    compare(one.wireName, other.wireName) ||
    compare(one.text, other.text)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
