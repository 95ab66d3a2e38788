// Checking a JavaScript object against a portable schema: 60 bytes, 1 kB, and 32 kB in 283 objects,
// against JSON.stringify of it and against ajv's compiled validator.

import { fromJsonSchema } from "viewcap";
import { makeAjv } from "./ajv_side.mjs";
import { compare, report } from "./measure.mjs";
import { loadLean } from "./viewcap_side.mjs";
import { contracts, rows, smallInput } from "./workload.mjs";

await loadLean();

const row = {
  type: "object",
  properties: {
    id: { type: "string", minLength: 1, maxLength: 64, pattern: "^inv-[0-9]+$" },
    customer: { type: "string", maxLength: 80 },
    amount: { type: "number", minimum: 0 },
    due: { type: "string", format: "date" },
    status: { enum: ["open", "overdue", "paid", "disputed"] },
    selected: { type: "boolean" },
  },
  required: ["id", "customer", "amount", "due", "status"],
  additionalProperties: false,
};
const rowsSchema = { type: "array", items: row, maxItems: 1000 };

const cases = { small: smallInput, medium: rows(9), large: rows(283) };
const schemas = { small: contracts(1)[0].actions.setFilters.input, medium: rowsSchema, large: rowsSchema };
const ajv = makeAjv();
const sides = {};
const sizes = {};
let kept = 0;

for (const [name, value] of Object.entries(cases)) {
  sizes[name] = Buffer.byteLength(JSON.stringify(value));
  const schema = fromJsonSchema(schemas[name]);
  const validate = ajv.compile(schemas[name]);
  if (!validate(value)) throw new Error(`the ${name} case is not valid: ${JSON.stringify(validate.errors)}`);
  schema.parse(value);
  sides[`viewcap ${name}`] = async (count) => {
    for (let index = 0; index < count; index++) if (schema.parse(value) === undefined) kept++;
  };
  sides[`stringify ${name}`] = async (count) => {
    for (let index = 0; index < count; index++) kept += JSON.stringify(value).length;
  };
  sides[`ajv ${name}`] = async (count) => {
    for (let index = 0; index < count; index++) if (!validate(value)) throw new Error("invalid");
  };
  sides[`ajv of a copy ${name}`] = async (count) => {
    for (let index = 0; index < count; index++)
      if (!validate(JSON.parse(JSON.stringify(value)))) throw new Error("invalid");
  };
}

const times = await compare(sides, { rounds: 61 });

report({
  figures: {
    validate_60b_us: times["viewcap small"],
    validate_1k_us: times["viewcap medium"],
    validate_32k_us: times["viewcap large"],
    stringify_32k_us: times["stringify large"],
    ajv_32k_us: times["ajv large"],
  },
  details: {
    "the three values, bytes": Object.values(sizes).join(", "),
    "JSON.stringify of 60 B, µs": times["stringify small"],
    "JSON.stringify of 1 kB, µs": times["stringify medium"],
    "ajv, 60 B, µs": times["ajv small"],
    "ajv, 1 kB, µs": times["ajv medium"],
    "ajv of a JSON copy (what a handler may keep), 60 B, µs": times["ajv of a copy small"],
    "ajv of a JSON copy, 1 kB, µs": times["ajv of a copy medium"],
    "ajv of a JSON copy, 32 kB, µs": times["ajv of a copy large"],
  },
});
