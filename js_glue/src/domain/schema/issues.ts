// What was wrong with a value, as it may leave the server: a path and a sentence, never the value (spec: domain.md §6.2
// stage 5, SI-10).
//
// Some libraries quote what they were given (`Expected number but received "hunter2"`). Where a sentence does, the value
// is replaced by its kind: the value at the issue's path, or the one that the library put into the issue.

import { isObject, isThenable, member, swallow } from "../../contract/values.js";
import { toWellFormed } from "../../json/value.js";

export interface DomainIssue {
  readonly path: readonly string[];
  readonly message: string;
}

const MAX_ISSUES = 100;
const MAX_STEPS = 64;
const MAX_UNITS = 500;
const NO_MESSAGE = "This value is not valid.";
/** How a sentence leads to the value: `received 5`, `Received "x"`, `was 5`, `got 5`. */
const LEADS = ["received ", "Received ", "was ", "got "];
/** Where libraries keep the value that an issue is about. */
const GIVEN = ["input", "data"];

/** Never throws: an issue that cannot be read has no path and a fixed sentence. */
export function domainIssues(issues: readonly unknown[], value: unknown): DomainIssue[] {
  const out: DomainIssue[] = [];
  const count = Math.min(issues.length, MAX_ISSUES);
  for (let index = 0; index < count; index++) out.push(domainIssue(() => issues[index], value));
  return out;
}

function domainIssue(read: () => unknown, value: unknown): DomainIssue {
  try {
    const issue = read();
    const keys = stepsOf(member(issue, "path"));
    const message: unknown = member(issue, "message");
    const sentence = typeof message === "string" && message !== "" ? message : NO_MESSAGE;
    const given = [valueAt(value, keys), ...GIVEN.map((key) => member(issue, key))];
    return {
      path: keys.map((key) => clip(String(key))),
      message: clip(given.reduce<string>(withoutValue, sentence)),
    };
  } catch {
    return { path: [], message: NO_MESSAGE };
  }
}

function stepsOf(path: unknown): PropertyKey[] {
  if (!Array.isArray(path)) return [];
  const steps: readonly unknown[] = path;
  return steps.slice(0, MAX_STEPS).flatMap((step) => {
    const key = isObject(step) ? member(step, "key") : step;
    return typeof key === "string" || typeof key === "number" || typeof key === "symbol" ? [key] : [];
  });
}

/** By data properties alone: no getter of the caller's runs a second time. */
function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of keys) {
    if (!isObject(at)) return undefined;
    at = Object.getOwnPropertyDescriptor(at, key)?.value;
  }
  return at;
}

function withoutValue(sentence: string, value: unknown): string {
  const kind = typeof value;
  if (kind === "string") return hideText(sentence, String(value));
  const isScalar = kind === "number" || kind === "bigint" || kind === "boolean";
  return isScalar ? hideAfterLeads(sentence, String(value), `a ${kind}`) : sentence;
}

function hideText(sentence: string, value: string): string {
  let out = sentence;
  for (const text of [JSON.stringify(value), `"${value}"`, `'${value}'`]) out = hideAfterLeads(out, text, "a string");
  return hideAfterLeads(out, value, "a string");
}

function hideAfterLeads(sentence: string, value: string, kind: string): string {
  if (value === "") return sentence;
  return LEADS.reduce((out, lead) => out.split(lead + value).join(lead + kind), sentence);
}

function clip(text: string): string {
  return toWellFormed(text.length > MAX_UNITS ? `${text.slice(0, MAX_UNITS - 1)}…` : text);
}

/** A promise where an answer was due; what it comes to later is nobody's business. */
export function isLate(answer: unknown): boolean {
  if (!isThenable(answer)) return false;
  swallow(answer);
  return true;
}
