// The TypeScript side of the vocabulary: frozen objects and the union types of their words.

export const screaming = (type) => type.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();

/** RetryHint → RETRY_HINTS, Plane → PLANES. */
export const plural = (name) => {
  if (name.endsWith("S")) return `${name}ES`;
  return name.endsWith("Y") ? `${name.slice(0, -1)}IES` : `${name}S`;
};

const strings = (items) => `[${items.map((item) => JSON.stringify(item)).join(", ")}]`;

/** One line where it fits, as the formatter of the other sources would have it. */
const constant = (name, words) => {
  const line = `export const ${name} = ${strings(words)} as const;`;
  if (line.length <= 120) return line;
  return `export const ${name} = [\n${words.map((word) => `  ${JSON.stringify(word)},`).join("\n")}\n] as const;`;
};

export const list = (name, type, summary, words) => `/** ${summary} */
${constant(name, words)}
export type ${type} = (typeof ${name})[number];`;

const errorRow = ([code, { phases, retry, cacheable, details }]) => `  ${code}: {
    phases: [${phases.join(", ")}],
    retry: ${strings(retry)},
    cacheable: ${cacheable},
    details: ${strings(details)},
  },`;

const limitLine = ({ name, default: value, unit, summary }) => `  /** ${summary} Unit: ${unit}. */
  ${name}: ${value},`;

export function renderModule({ errors, groups, limits }) {
  const lists = groups.map(({ type, summary, words }) => list(plural(screaming(type)), type, summary, words));
  return `// Generated from host_protocol/vocabulary/*.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.

${list("AGENT_CAPABILITY_ERROR_CODES", "AgentCapabilityErrorCode", "Codes of an invocation's errors; ERROR_ROWS says what belongs to each.", Object.keys(errors.codes))}

${lists.join("\n\n")}

export interface ErrorRow {
  readonly phases: readonly number[];
  readonly retry: readonly RetryHint[];
  readonly cacheable: boolean;
  readonly details: readonly string[];
}

/** ${errors.summary} */
export const ERROR_ROWS: Readonly<Record<AgentCapabilityErrorCode, ErrorRow>> = {
${Object.entries(errors.codes).map(errorRow).join("\n")}
};

/** ${limits.summary} */
export const DEFAULT_LIMITS = {
${limits.limits.map(limitLine).join("\n")}
} as const;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export type Limits = { readonly [K in LimitName]: (typeof DEFAULT_LIMITS)[K] extends boolean ? boolean : number };
`;
}

const domainRow = ([code, { stage, retryable, expose, message }], generic) =>
  `  ${code}: {
    stage: ${JSON.stringify(stage)},
    retryable: ${retryable},
    expose: ${expose},
    message: ${JSON.stringify(message === "G" ? generic : message)},
  },`;

export function renderDomainModule({ errors, groups }) {
  const lists = groups.map(({ type, summary, words }) => list(plural(screaming(type)), type, summary, words));
  return `// Generated from host_protocol/vocabulary/domain.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.

${list("CAPABILITY_ERROR_CODES", "CapabilityErrorCode", "Codes of the domain plane's errors; DOMAIN_ERROR_ROWS says what belongs to each.", Object.keys(errors.codes))}

${lists.join("\n\n")}

/** What an error says that may not leave the server. */
export const GENERIC_MESSAGE = ${JSON.stringify(errors.generic)};

export interface DomainErrorRow {
  readonly stage: ErrorStage;
  readonly retryable: boolean;
  readonly expose: boolean;
  readonly message: string;
}

/** ${errors.summary} */
export const DOMAIN_ERROR_ROWS: Readonly<Record<CapabilityErrorCode, DomainErrorRow>> = {
${Object.entries(errors.codes)
  .map((row) => domainRow(row, errors.generic))
  .join("\n")}
};
`;
}
