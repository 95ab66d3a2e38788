// None of the package's entries: what the tests of the plane's parts reach into.

export { thrownFacts } from "./procedures/thrown.js";
export { runProcedure } from "./procedures/run.js";
export { toAdvertisedSchema } from "./schema/json_schema.js";
export { setLiteralValidator, validate } from "./schema/validate.js";
export { valueFacts } from "./value_facts.js";
export { walk } from "./walk.js";
