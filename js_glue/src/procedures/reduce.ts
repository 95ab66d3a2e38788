// What is left of a schema when the page binds some of its keys (spec: contextual.md, "Binding" 2).

import { isRecord } from "../contract/values.js";
import { invalidDefinition } from "../errors.js";
import { jsonText, LOOSE_BOUNDS } from "../json/value.js";
import { liveRuntime } from "../runtime/load.js";
import { Conversion } from "../runtime/table.js";
import type { JsonSchema } from "../schema/schema.js";

/**
 * A schema of its own: locked keys are gone, overridable ones optional. Needs the module. UNSUPPORTED_SCHEMA where
 * something is bound and the root is no object schema with properties, or has a `$ref` or a combinator.
 */
export function reduceInputSchema(
  schema: JsonSchema,
  boundKeys: readonly string[],
  overridable: readonly string[] = [],
): JsonSchema {
  const runtime = liveRuntime("reduceInputSchema");
  const json = jsonText([schema, boundKeys, overridable], LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`reduceInputSchema: ${json.problem.message}`);
  const reduced = runtime.answer(json.text, (table) => table.convert(Conversion.reduceInputSchema));
  if (!isRecord(reduced)) throw new TypeError("unexpected answer of reduceInputSchema");
  return reduced;
}
