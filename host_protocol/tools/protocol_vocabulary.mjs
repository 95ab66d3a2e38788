// The host protocol's vocabulary as a C++ header and as a TypeScript module (host_protocol/vocabulary/protocol.json).
import { constantName, memberName, namespaceOf, namespaces, wordTable } from "./vocabulary_header.mjs";
import { list, plural, screaming } from "./vocabulary_module.mjs";

const lowered = (summary) => `${summary[0].toLowerCase()}${summary.slice(1)}`;
/** Where a word that begins a sentence is a name, it stays as it is. */
const isName = (summary) => /^[a-z]/.test(summary);
const comment = (summary) => (isName(summary) ? summary : lowered(summary)).replace(/\.$/, "");

const limitMember = ({ name, default: value, summary }) =>
  `    std::uint32_t ${memberName(name)} = ${value};  // ${comment(summary)}`;
const bound = ({ name, value, summary }) =>
  `inline constexpr std::uint32_t ${constantName(name)} = ${value};  // ${comment(summary)}`;
const metaTool = ({ wireName, description, inputSchema }) =>
  `    {${JSON.stringify(wireName)}, ${JSON.stringify(description)},\n     R"json(${JSON.stringify(inputSchema)})json"},`;

export function renderProtocolHeader({ versions, errors, limits, bounds, groups, metaTools }) {
  const codes = Object.entries(errors.codes);
  return `// Generated from host_protocol/vocabulary/protocol.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace host_protocol {

/// The versions that are served; the last is what a browser of this package speaks.
inline constexpr std::array<std::uint32_t, ${versions.length}> kProtocolVersions = {{${versions.join(", ")}}};
inline constexpr std::uint32_t kProtocolVersion = ${versions.at(-1)};

${namespaceOf("host_codes", [{ summary: "Codes of the host protocol; kHostErrorRows says what belongs to each.", words: codes.map(([code]) => code) }])}

/// ${errors.summary}
struct HostErrorRow {
    std::string_view code;
    int status;
};

inline constexpr std::array<HostErrorRow, ${codes.length}> kHostErrorRows = {{
${codes.map(([code, { status }]) => `    {host_codes::${constantName(code)}, ${status}},`).join("\n")}
}};

/// ${limits.summary}
struct ${limits.type} {
${limits.rows.map(limitMember).join("\n")}
};

/// Names as the JavaScript side spells them.
struct ProtocolLimitRow {
    std::string_view name;
    std::uint32_t ProtocolLimits::*member;
};

inline constexpr std::array<ProtocolLimitRow, ${limits.rows.length}> kProtocolLimitRows = {{
${limits.rows.map(({ name }) => `    {${JSON.stringify(name)}, &ProtocolLimits::${memberName(name)}},`).join("\n")}
}};

namespace bounds {
// ${bounds.summary}
${bounds.rows.map(bound).join("\n")}
}  // namespace bounds

${namespaces(groups)}

${groups.map(wordTable).join("\n\n")}

/// The tools that the model is offered in meta mode.
struct MetaTool {
    std::string_view wire_name;
    std::string_view description;
    std::string_view input_schema;
};

inline constexpr std::array<MetaTool, ${metaTools.length}> kMetaTools = {{
${metaTools.map(metaTool).join("\n")}
}};

}  // namespace host_protocol
`;
}

const record = (name, summary, rows) => `/** ${summary} */
export const ${name} = {
${rows.map(({ name: key, value, summary: text }) => `  /** ${text} */\n  ${key}: ${value},`).join("\n")}
} as const;`;

export function renderProtocolModule({ versions, errors, limits, bounds, groups, metaTools }) {
  const codes = Object.entries(errors.codes);
  const lists = groups.map(({ type, summary, words }) => list(plural(screaming(type)), type, summary, words));
  const rows = limits.rows.map(({ name, default: value, summary }) => ({ name, value, summary }));
  return `// Generated from host_protocol/vocabulary/protocol.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.

/** The versions that are served. */
export const PROTOCOL_VERSIONS = [${versions.join(", ")}] as const;
/** The version of the host protocol that this package speaks. */
export const PROTOCOL_VERSION = ${versions.at(-1)};

${list(
  "HOST_ERROR_CODES",
  "HostErrorCode",
  "Codes of the host protocol; HOST_ERROR_STATUS says the HTTP status of each.",
  codes.map(([code]) => code),
)}

/** ${errors.summary} */
export const HOST_ERROR_STATUS: Readonly<Record<HostErrorCode, number>> = {
${codes.map(([code, { status }]) => `  ${code}: ${status},`).join("\n")}
};

${record("CATALOG_LIMITS", limits.summary, rows)}

${record("PROTOCOL_BOUNDS", bounds.summary, bounds.rows)}

${lists.join("\n\n")}

/** The tools that the model is offered in meta mode. */
export const META_TOOLS = [
${metaTools.map(({ wireName, description, inputSchema }) => `  {\n    wireName: ${JSON.stringify(wireName)},\n    description: ${JSON.stringify(description)},\n    inputSchema: ${JSON.stringify(inputSchema)},\n  },`).join("\n")}
] as const;
`;
}
