// A history of the wire as a prompt of the `ai` package's providers (LanguageModelV3Prompt; V2 has the same shapes here).
//
// A page's messages are data: only the parts named here go on, with the members named here. What a provider wants back
// (`providerOptions`) is taken from the assistant's parts alone, where this host put it. Files go on as the bytes that they
// are, never as an address that somebody would fetch.

import { isRecord } from "../../contract/values.js";
import type { WireModelMessage } from "../../protocol/types.js";

export type PromptPart = { readonly type: string } & Readonly<Record<string, unknown>>;
export interface PromptMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly PromptPart[];
}

export function promptOf(system: string | undefined, messages: readonly WireModelMessage[]): PromptMessage[] {
  const prompt: PromptMessage[] = system === undefined ? [] : [{ role: "system", content: system }];
  for (const { role, content } of messages) {
    const given: readonly unknown[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const parts = given.flatMap((part) => partOf(role, part));
    if (parts.length > 0) prompt.push({ role, content: parts });
  }
  return prompt;
}

function partOf(role: WireModelMessage["role"], part: unknown): PromptPart[] {
  if (!isRecord(part)) return [];
  const { type, text, toolCallId, toolName } = part;
  if (role === "tool")
    return type === "tool-result" ? [{ type, toolCallId, toolName, output: jsonOf(part["output"]) }] : [];
  if (type === "text" && typeof text === "string") return text === "" ? [] : [{ type, text, ...backTo(role, part) }];
  if (role === "user") return fileOf(part);
  if (type === "reasoning") return [{ type, text, ...backTo(role, part) }];
  if (type !== "tool-call") return [];
  return [{ type, toolCallId, toolName, input: part["input"], ...backTo(role, part) }];
}

function backTo(role: WireModelMessage["role"], { providerOptions }: Readonly<Record<string, unknown>>): object {
  return role === "assistant" && isRecord(providerOptions) ? { providerOptions } : {};
}

function jsonOf(output: unknown): { readonly type: "json"; readonly value: unknown } {
  return { type: "json", value: isRecord(output) ? (output["value"] ?? null) : null };
}

function fileOf({ type, data, mediaType }: Readonly<Record<string, unknown>>): PromptPart[] {
  const isFile = type === "file" && typeof mediaType === "string" && typeof data === "string";
  return isFile && /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? [{ type, data, mediaType }] : [];
}
