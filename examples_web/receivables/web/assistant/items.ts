// A history as the panel shows it.
import type { WireModelMessage } from "viewcap/protocol";

export type Item =
  | { readonly kind: "user" | "text" | "reasoning" | "decision"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      /** Undefined while it runs. */
      readonly result: { readonly value: unknown } | undefined;
    };

export interface ToolFailure {
  readonly code: string;
  readonly message: string;
}

const DECISION = /^Approval (\S+) was (approved|rejected)\. /;

type Call = Extract<Item, { kind: "call" }>;

/** A provider may use an id again in a later turn: a result belongs to the nearest call of its id before it. */
export function itemsOf(messages: readonly WireModelMessage[]): readonly Item[] {
  const items: Item[] = [];
  const open = new Map<string, number>();
  for (const { role, content } of messages) {
    if (typeof content === "string") {
      const kind = role !== "user" ? "text" : DECISION.test(content) ? "decision" : "user";
      items.push({ kind, text: content });
      continue;
    }
    for (const part of content) {
      const id = String(member(part, "toolCallId"));
      if (part.type === "text" || part.type === "reasoning")
        items.push({ kind: part.type, text: String(member(part, "text")) });
      else if (part.type === "tool-call") {
        open.set(id, items.length);
        items.push({
          kind: "call",
          id,
          name: String(member(part, "toolName")),
          input: member(part, "input"),
          result: undefined,
        });
      } else if (part.type === "tool-result") {
        const at = open.get(id);
        const call = at === undefined ? undefined : items[at];
        if (at !== undefined && call?.kind === "call")
          items[at] = answered(call, member(member(part, "output"), "value"));
        open.delete(id);
      }
    }
  }
  return items;
}

const answered = (call: Call, value: unknown): Call => ({ ...call, result: { value } });

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) : undefined;
}

export function failureOf(value: unknown): ToolFailure | undefined {
  const error = member(value, "error");
  if (error === undefined) return undefined;
  return { code: String(member(error, "code") ?? "FAILED"), message: String(member(error, "message") ?? "") };
}

export interface ApprovalDemand {
  readonly approvalId: string;
  readonly message: string;
  readonly expiresAt: string;
}

export function approvalIn(value: unknown): ApprovalDemand | undefined {
  if (member(value, "status") !== "approval-required") return undefined;
  return {
    approvalId: String(member(value, "approvalId")),
    message: String(member(value, "message")),
    expiresAt: String(member(value, "expiresAt")),
  };
}

/** What was decided of each approval, as the history tells. */
export function decisionsIn(items: readonly Item[]): ReadonlyMap<string, string> {
  const decided = new Map<string, string>();
  for (const item of items) {
    const found = item.kind === "decision" ? DECISION.exec(item.text) : null;
    if (found !== null) decided.set(found[1] ?? "", found[2] ?? "");
  }
  return decided;
}
