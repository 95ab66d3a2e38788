// JSON Schema from the schemas of the libraries that are known here; none of them is a dependency of this package.
//
// What a schema object carries comes first: the Standard JSON Schema interface, `~standard.jsonSchema.input`, which Zod
// has since 4.2. Valibot's schemas carry nothing; its converter `@valibot/to-json-schema` is an optional peer, and it is
// looked for when the first such schema is converted.

import { isObject, member } from "../../contract/values.js";

/** A JSON Schema for what a caller may give: fields with a default are optional. Synchronous. */
export type SchemaConverter = (schema: never) => unknown;

/** Draft 7 is what both model surfaces read; the other is for libraries that know nothing older. */
const TARGETS = ["draft-07", "draft-2020-12"];

/** What the schema object itself knows; undefined when it carries no converter. */
export function carriedConversion(schema: object): (() => unknown) | undefined {
  const carried = member(Reflect.get(schema, "~standard"), "jsonSchema");
  const input: unknown = member(carried, "input");
  if (typeof input !== "function") return undefined;
  return () => {
    let first: unknown;
    for (const target of TARGETS) {
      try {
        const converted: unknown = Reflect.apply(input, carried, [{ target }]);
        return converted;
      } catch (error) {
        first ??= error;
      }
    }
    throw first;
  };
}

/** By vendor; asked where nothing is registered and the schema carries nothing. */
export const BUILT_IN: ReadonlyMap<string, (schema: object) => unknown> = new Map([
  ["zod", convertZod],
  ["valibot", convertValibot],
]);

function convertZod(schema: object): unknown {
  // Zod 4 before 4.2 converts by a function of its module; a copy of that module found from here would not know the
  // descriptions that the author's copy keeps.
  const isFour = Reflect.get(schema, "_zod") !== undefined;
  const register = 'registerSchemaConverter("zod", (schema) => z.toJSONSchema(schema, { io: "input" }))';
  throw new Error(
    isFour
      ? `this schema of Zod 4 carries no JSON Schema: install zod 4.2 or newer, or call ${register}`
      : 'this schema is of Zod 3, which has no JSON Schema: install zod 4.2 or newer, or call registerSchemaConverter("zod", convert)',
  );
}

function convertValibot(schema: object): unknown {
  const name = "@valibot/to-json-schema";
  const convert = member(optionalPeer(name), "toJsonSchema");
  if (typeof convert !== "function") {
    throw new Error(
      `Valibot's schemas need ${name} to become JSON Schema: install it, ` +
        'or call registerSchemaConverter("valibot", (schema) => toJsonSchema(schema, { typeMode: "input" }))',
    );
  }
  const converted: unknown = Reflect.apply(convert, undefined, [schema, { typeMode: "input" }]);
  return converted;
}

/** A package of the application, if it is installed; undefined where there is no Node to ask. */
function optionalPeer(name: string): object | undefined {
  const { process } = globalThis;
  // Conversion is synchronous, and so is `require`; a browser's or an edge worker's bundle has neither.
  if (process === undefined || typeof process.getBuiltinModule !== "function") return undefined;
  const { createRequire } = process.getBuiltinModule("node:module");
  for (const from of [import.meta.url, `file://${process.cwd()}/`]) {
    try {
      const found: unknown = createRequire(from)(name);
      if (isObject(found)) return found;
    } catch {
      // Not from here.
    }
  }
  return undefined;
}
