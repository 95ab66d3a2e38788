// The C++ side of the vocabulary: string constants in namespaces, the table of error rows, struct Limits.

/** "after-refresh", "CAPABILITY_NOT_FOUND", "maxInputBytes" → its words in lower case. */
const wordsOf = (text) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_.]/);

const capital = (word) => word[0].toUpperCase() + word.slice(1);
export const constantName = (text) => `k${wordsOf(text).map(capital).join("")}`;
export const memberName = (text) => wordsOf(text).join("_");
const typed = (text) => `inline constexpr std::string_view ${constantName(text)} = ${JSON.stringify(text)};`;

export const namespaceOf = (name, parts) => {
  const lines = [`namespace ${name} {`];
  for (const { summary, words } of parts) lines.push(`// ${summary}`, ...words.map(typed));
  lines.push(`}  // namespace ${name}`);
  return lines.join("\n");
};

export const namespaces = (groups) => {
  const byName = new Map();
  for (const group of groups) byName.set(group.namespace, [...(byName.get(group.namespace) ?? []), group]);
  return [...byName].map(([name, parts]) => namespaceOf(name, parts)).join("\n\n");
};

const retryMask = (groups, allowed) => {
  const order = groups.find((group) => group.namespace === "retry").words;
  return allowed.reduce((mask, hint) => mask | (1 << order.indexOf(hint)), 0);
};

const errorRow = (groups, [code, row]) => {
  const phases = row.phases.reduce((mask, phase) => mask | (1 << phase), 0);
  return `    {codes::${constantName(code)}, 0x${phases.toString(16)}, ${retryMask(groups, row.retry)}, ${row.cacheable}, "${row.details.join(" ")}"},`;
};

const limitMember = ({ name, default: value, unit, summary }) => {
  const type = unit === "boolean" ? "bool" : "std::uint32_t";
  return `    ${type} ${memberName(name)} = ${value};  // ${unit}: ${summary[0].toLowerCase()}${summary.slice(1, -1)}`;
};

const limitRow = ({ name, minimum }) => `    {${JSON.stringify(name)}, &Limits::${memberName(name)}, ${minimum}},`;

export function renderHeader({ errors, groups, limits }) {
  const rows = Object.entries(errors.codes);
  const numbers = limits.limits.filter(({ unit }) => unit !== "boolean");
  const flags = limits.limits.filter(({ unit }) => unit === "boolean");
  return `// Generated from host_protocol/vocabulary/*.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace host_protocol {

${namespaceOf("codes", [{ summary: "Codes of an invocation's errors; kErrorRows says what belongs to each.", words: rows.map(([code]) => code) }])}

${namespaces(groups)}

/// One error code of an invocation.
struct ErrorRow {
    std::string_view code;
    std::uint16_t phases;      // bit n: pipeline phase n may produce it
    std::uint8_t retry;        // bit n: the n-th retry hint in the order of namespace retry is allowed
    bool cacheable;            // whether the result is kept for the same invocation id
    std::string_view details;  // keys an agent may see, separated by spaces; "*": the author's own JSON
};

inline constexpr std::array<ErrorRow, ${rows.length}> kErrorRows = {{
${rows.map((row) => errorRow(groups, row)).join("\n")}
}};

/// The retry hints in the order of ErrorRow::retry's bits.
inline constexpr std::array<std::string_view, ${groups.find((group) => group.namespace === "retry").words.length}> kRetryHints = {{
${groups
  .find((group) => group.namespace === "retry")
  .words.map((word) => `    retry::${constantName(word)},`)
  .join("\n")}
}};

/// The row of \`code\`, or null when it is none of codes.
constexpr const ErrorRow* find_error_row(std::string_view code) {
    for (const ErrorRow& row : kErrorRows)
        if (row.code == code) return &row;
    return nullptr;
}

constexpr bool allows_retry(const ErrorRow& row, std::string_view hint) {
    for (std::size_t i = 0; i < kRetryHints.size(); ++i)
        if (kRetryHints[i] == hint) return ((row.retry >> i) & 1) != 0;
    return false;
}

/// ${limits.summary}
struct Limits {
${limits.limits.map(limitMember).join("\n")}
};

/// Names as the JavaScript side spells them, for the limits that are numbers.
struct LimitRow {
    std::string_view name;
    std::uint32_t Limits::*member;
    std::uint32_t minimum;
};

inline constexpr std::array<LimitRow, ${numbers.length}> kLimitRows = {{
${numbers.map(limitRow).join("\n")}
}};

struct FlagRow {
    std::string_view name;
    bool Limits::*member;
};

inline constexpr std::array<FlagRow, ${flags.length}> kFlagRows = {{
${flags.map(({ name }) => `    {${JSON.stringify(name)}, &Limits::${memberName(name)}},`).join("\n")}
}};

}  // namespace host_protocol
`;
}

const domainRow = ([code, { stage, retryable, expose, message }]) =>
  `    {codes::${constantName(code)}, stages::${constantName(stage)}, ${retryable}, ${expose}, ${message === "G" ? "kGenericMessage" : JSON.stringify(message)}},`;

export function renderDomainHeader({ errors, groups }) {
  const rows = Object.entries(errors.codes);
  return `// Generated from host_protocol/vocabulary/domain.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <string_view>

namespace domain {

${namespaceOf("codes", [{ summary: "Codes of the domain plane's errors; kErrorRows says what belongs to each.", words: rows.map(([code]) => code) }])}

${namespaces(groups)}

/// What an error says that may not leave the server.
inline constexpr std::string_view kGenericMessage = ${JSON.stringify(errors.generic)};

/// One code, with what its errors have by default.
struct ErrorRow {
    std::string_view code;
    std::string_view stage;
    bool retryable;
    bool expose;
    std::string_view message;
};

inline constexpr std::array<ErrorRow, ${rows.length}> kErrorRows = {{
${rows.map((row) => domainRow(row)).join("\n")}
}};

${groups.map(wordTable).join("\n\n")}

}  // namespace domain
`;
}

/** The words of a group in their order, for what is told by a number. */
export function wordTable({ namespace, words }) {
  const name = `k${wordsOf(namespace.replace(/_/g, "-")).map(capital).join("")}`;
  return `inline constexpr std::array<std::string_view, ${words.length}> ${name} = {{${words.map((word) => `${namespace}::${constantName(word)}`).join(", ")}}};`;
}
