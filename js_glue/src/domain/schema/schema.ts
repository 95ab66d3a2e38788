// The two kinds of schema that the domain plane takes (spec: domain.md §0): a Standard Schema, or literal JSON Schema
// wrapped by fromJsonSchema.

import type { AgentSchema, StandardSchema } from "../../schema/schema.js";

export type DomainSchema = StandardSchema<unknown> | AgentSchema<unknown>;
