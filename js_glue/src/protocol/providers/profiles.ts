// What each provider of models takes as a tool: one row per provider, and nothing but facts.

export const PROVIDERS = ["openai", "anthropic", "gemini", "bedrock", "mistral", "mcp"] as const;
export type ProviderProfile = (typeof PROVIDERS)[number];

export interface ProviderTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Profile {
  /** Alphabet and length of a tool's name. */
  readonly names: RegExp;
  /** Alphabet and length of the keys of properties; absent: anything. */
  readonly keys?: RegExp;
  /** Keywords that the provider rejects. */
  readonly rejected: ReadonlySet<string>;
  /** Whether `$ref` into `$defs` is understood. */
  readonly references: boolean;
  /** Whether `type` may be a list. */
  readonly typeLists: boolean;
  /** Whether numbers have to fit into 32 bits. */
  readonly int32: boolean;
  /** Tools per request. */
  readonly most: number;
  readonly shape: (tool: ProviderTool) => object;
}

const PLAIN = {
  names: /^[a-zA-Z0-9_-]{1,64}$/,
  rejected: new Set<string>(),
  references: true,
  typeLists: true,
  int32: false,
  most: Infinity,
};

const asFunction = ({ name, description, schema }: ProviderTool): object => ({
  type: "function",
  function: { name, description, parameters: schema },
});

export const PROFILES: Readonly<Record<ProviderProfile, Profile>> = {
  openai: { ...PLAIN, most: 128, shape: asFunction },
  anthropic: {
    ...PLAIN,
    keys: /^[a-zA-Z0-9_.-]{1,64}$/,
    shape: ({ name, description, schema }) => ({ name, description, input_schema: schema }),
  },
  gemini: {
    ...PLAIN,
    names: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    rejected: new Set(["$schema", "const", "exclusiveMinimum", "exclusiveMaximum", "additionalProperties"]),
    references: false,
    typeLists: false,
    most: 512,
    shape: ({ name, description, schema }) => ({ name, description, parameters: schema }),
  },
  bedrock: {
    ...PLAIN,
    int32: true,
    shape: ({ name, description, schema }) => ({ toolSpec: { name, description, inputSchema: { json: schema } } }),
  },
  mistral: { ...PLAIN, shape: asFunction },
  mcp: {
    ...PLAIN,
    names: /^[a-zA-Z0-9_.-]{1,128}$/,
    shape: ({ name, description, schema }) => ({ name, description, inputSchema: schema }),
  },
};
