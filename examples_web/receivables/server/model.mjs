// Which model answers: a provider by the `ai` package's own interface when there is a key, else the script.
import { aiSdkModel } from "viewcap/host";
import { demoScript } from "./script.mjs";

const DEFAULTS = { openai: "gpt-5-mini", anthropic: "claude-sonnet-4-5" };

/** `{ model, name }`; keys and base addresses are read from `environment`. */
export async function chooseModel(environment = process.env, { paceMs } = {}) {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL } =
    environment;
  if (OPENAI_API_KEY) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const baseURL = OPENAI_BASE_URL || "https://api.openai.com/v1";
    const provider = createOpenAICompatible({ name: "openai", apiKey: OPENAI_API_KEY, baseURL, includeUsage: true });
    const name = OPENAI_MODEL || DEFAULTS.openai;
    return { model: aiSdkModel(provider(name)), name };
  }
  if (ANTHROPIC_API_KEY) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const provider = createAnthropic({
      apiKey: ANTHROPIC_API_KEY,
      ...(ANTHROPIC_BASE_URL && { baseURL: ANTHROPIC_BASE_URL }),
    });
    const name = ANTHROPIC_MODEL || DEFAULTS.anthropic;
    return { model: aiSdkModel(provider(name)), name };
  }
  return { model: demoScript({ paceMs }), name: "scripted" };
}
