// The arrows of the house, as rules over a map from path to text. Each check returns sentences, one per violation.
import { posix } from "node:path";

const INCLUDE_ROOTS = [
  "host_protocol/include",
  "host_protocol",
  "wasm/core/include",
  "wasm/core/src",
  "wasm/domain/include",
  "wasm/domain/src",
];

/** Which folders a C++ folder may include from; its own is among them. The longest matching prefix applies. */
const CPP_LAYERS = [
  { folder: "host_protocol/", may: ["host_protocol/"] },
  { folder: "wasm/core/", may: ["wasm/core/", "host_protocol/include/", "host_protocol/schema/"] },
  { folder: "wasm/domain/", may: ["wasm/domain/", "host_protocol/include/", "host_protocol/schema/"] },
  {
    folder: "wasm/bindings/",
    may: [
      "wasm/bindings/",
      "wasm/core/include/",
      "wasm/domain/include/",
      "host_protocol/include/",
      "host_protocol/schema/",
    ],
  },
];

/** External headers with a folder, and the only places that may include them. */
const EXTERNAL = [
  { header: /^valijson\//, only: /^host_protocol\/schema\/valijson_fence\.cpp$/ },
  { header: /^nlohmann\//, only: /^tests\// },
  { header: /^emscripten(?:\/|\.h)/, only: /^wasm\/bindings\// },
];

const HEAVY = /^(?:iostream|istream|ostream|fstream|sstream|iomanip|locale|regex)$/;
const OUTSIDE_WORLD =
  /^(?:chrono|random|ctime|time\.h|sys\/time\.h|thread|mutex|future|condition_variable|filesystem|cstdio|stdio\.h)$/;
const CLOCK_OR_CHANCE =
  /\bstd::chrono\b|\brandom_device\b|(?<![\w.>])(?:rand|srand|clock|clock_gettime|gettimeofday|getrandom|getentropy)\s*\(|\btime\s*\(\s*(?:NULL|nullptr|0|&)|\bEM_(?:ASM|JS)\b|\bemscripten_\w+/;

/** The places of js_glue/src (folders, and files directly in it), lowest first; places of one line never import each other. */
const GLUE_ORDER = [
  ["generated", "module"],
  ["errors", "json"],
  ["runtime"],
  ["ids", "schema", "authority", "wire_names"],
  ["audit"],
  ["contract"],
  ["domain"],
  ["sqlite", "ai_sdk", "mcp", "opentelemetry"],
  ["policies"],
  ["registry"],
  ["procedures"],
  ["protocol"],
  ["toolset"],
  ["client", "react", "webmcp", "explain"],
  ["inspector"],
  ["index"],
  ["testing"],
  ["entry.browser", "entry.node"],
  ["cli", "host"],
];

/** Optional peers, and the one place that knows each. */
const PEERS = [
  { package: "@orpc/server", only: /\/domain\/procedures\/orpc\.ts$/ },
  { package: "ai", only: /\/src\/(?:ai_sdk|host)\// },
  { package: "@modelcontextprotocol/sdk", only: /\/src\/mcp\// },
  { package: "@opentelemetry/api", only: /\/src\/opentelemetry\// },
];

const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/g, (found) => (found[0] === '"' ? found : " "));
const withoutStrings = (text) => text.replace(/"(?:\\.|[^"\\\n])*"/g, '""');

export function includesOf(text) {
  return [...withoutComments(text).matchAll(/^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")/gm)].map(
    ([, angle, quoted]) => ({ angle, quoted }),
  );
}

export function importsOf(text) {
  const clean = text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/[^\n]*/g, " ");
  const found = clean.matchAll(
    /(?:^|[;}\n])\s*(?:import|export)\b(?:[^;"'`]*?\bfrom)?\s*["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']/g,
  );
  return [...found].map(([, statement, call]) => statement ?? call);
}

function resolveQuoted(path, name, files) {
  const beside = posix.normalize(posix.join(posix.dirname(path), name));
  const candidates = [beside, ...INCLUDE_ROOTS.map((root) => posix.join(root, name))];
  return candidates.find(
    (candidate) => files.has(candidate) || /(?:^|\/)(?:generated|(?:domain_|protocol_)?vocabulary\.h)/.test(candidate),
  );
}

function checkAngle(path, name) {
  const external = EXTERNAL.find(({ header }) => header.test(name));
  if (external) return external.only.test(path) ? [] : [`${path} includes <${name}>; only ${external.only.source} may`];
  if (HEAVY.test(name)) return [`${path} includes <${name}>, which is too large for the lean module`];
  if (OUTSIDE_WORLD.test(name)) return [`${path} includes <${name}>; time, chance and files are the caller's`];
  if (/[/]|\.hpp$/.test(name)) return [`${path} includes <${name}>, a library that the house does not have`];
  return [];
}

function checkQuoted(path, name, layer, files) {
  const target = resolveQuoted(path, name, files);
  if (target === undefined) return [`${path} includes "${name}", which no layer below it has`];
  return layer.may.some((folder) => target.startsWith(folder))
    ? []
    : [`${path} includes ${target}; ${layer.folder} may include ${layer.may.join(", ")}`];
}

export function checkCpp(files) {
  const found = [];
  for (const [path, text] of files) {
    const layer = CPP_LAYERS.find(({ folder }) => path.startsWith(folder));
    if (!layer || !/\.(?:cpp|h)$/.test(path)) continue;
    const fence = EXTERNAL[0].only.test(path);
    for (const { angle, quoted } of includesOf(text)) {
      if (quoted !== undefined) found.push(...checkQuoted(path, quoted, layer, files));
      else if (!(fence && HEAVY.test(angle))) found.push(...checkAngle(path, angle));
    }
    const word =
      layer.folder === "wasm/bindings/" ? null : withoutStrings(withoutComments(text)).match(CLOCK_OR_CHANCE);
    if (word)
      found.push(
        `${path} says ${word[0].trim()}; the core reads no clock, draws no randomness and calls no JavaScript`,
      );
  }
  return found;
}

/** wasm/bindings holds the table and the boundary; a rule of its own would be a second core. */
export function checkBindings(files) {
  return [...files.keys()]
    .filter(
      (path) =>
        path.startsWith("wasm/bindings/") &&
        !/^wasm\/bindings\/(?:(?:domain_)?bindings|boundary|crossing|(?:domain_|host_|protocol_|schema_)?table|conversions|pattern_host|domain_(?:plane|registries))\.(?:cpp|h)$/.test(
          path,
        ),
    )
    .map((path) => `${path}: wasm/bindings holds the table, its conversions and the boundary, nothing else`);
}

const gluePlace = (path) =>
  path
    .slice("js_glue/src/".length)
    .replace(/\/.*/, "")
    .replace(/\.(?:[cm]?[jt]sx?)$/, "");
const glueLevel = (place) => GLUE_ORDER.findIndex((places) => places.includes(place));

function checkGlueRelative(path, name) {
  const target = posix.normalize(posix.join(posix.dirname(path), name));
  if (!target.startsWith("js_glue/src/")) return [`${path} imports ${target}, outside js_glue/src`];
  const [from, to] = [gluePlace(path), gluePlace(target)];
  if (glueLevel(to) < 0) return [`${path} imports ${target}; the house has no place ${to} in js_glue/src`];
  if (to === "module" && !/^(?:runtime|entry\.\w+)$/.test(from)) {
    return [`${path} imports the raw module; only js_glue/src/runtime/ and the entries that hand it over may`];
  }
  if (from === to || glueLevel(to) < glueLevel(from)) return [];
  return [`${path} imports ${target}; ${from} stands below it or beside it`];
}

function checkGlueBare(path, name) {
  if (name.startsWith("node:"))
    return /entry\.node\.ts$|\/runtime\/[\w.]*node[\w.]*\.ts$|\/src\/(?:cli|sqlite)\//.test(path)
      ? []
      : [`${path} imports ${name}; only the Node entry, the command and what runs on a server's disk may`];
  const peer = PEERS.find(({ package: owner }) => name === owner || name.startsWith(`${owner}/`));
  if (peer) return peer.only.test(path) ? [] : [`${path} imports ${name}; only ${peer.only.source} may`];
  if (/^react(?:-dom)?(?:\/|$)/.test(name))
    return gluePlace(path) === "react" ? [] : [`${path} imports ${name}; only react/ may`];
  return [`${path} imports ${name}; the package has no dependency`];
}

export function checkGlue(files) {
  const found = [];
  for (const [path, text] of files) {
    if (!path.startsWith("js_glue/src/")) continue;
    for (const name of importsOf(text))
      found.push(...(name.startsWith(".") ? checkGlueRelative(path, name) : checkGlueBare(path, name)));
  }
  return found;
}

export function checkExamples(files) {
  const found = [];
  for (const [path, text] of files) {
    if (!path.startsWith("examples_web/")) continue;
    for (const name of importsOf(text)) {
      const target = name.startsWith(".") ? posix.normalize(posix.join(posix.dirname(path), name)) : name;
      if (APPLICATION.some(({ of, takes }) => of.test(path) && takes.test(name))) continue;
      if (!/^(?:examples_web\/|\/viewcap\/|viewcap(?:\/|$)|node:|react)/.test(target))
        found.push(`${path} imports ${name}; an example stands on the package and on itself`);
    }
  }
  return found;
}

/** What an application like the workbench brings along, and where. */
const APPLICATION = [
  { of: /^examples_web\/receivables\//, takes: /^(?:@orpc\/(?:server|client)(?:\/fetch)?|zod)$/ },
  { of: /^examples_web\/receivables\/compile_contracts\.mjs$/, takes: /^esbuild$/ },
  { of: /^examples_web\/receivables\/server\/model\.mjs$/, takes: /^@ai-sdk\/(?:openai-compatible|anthropic)$/ },
];

/** Nothing but tests looks at tests. */
export function checkTests(files) {
  const found = [];
  for (const [path, text] of files) {
    if (path.startsWith("tests/")) continue;
    const names = /\.(?:cpp|h)$/.test(path)
      ? includesOf(text).map(({ quoted, angle }) => quoted ?? angle)
      : importsOf(text);
    for (const name of names)
      if (/(?:^|\/)tests\//.test(name) || /^catch2\//.test(name))
        found.push(`${path} looks at ${name}; nothing looks at tests`);
  }
  return found;
}

export function lengthLimit(path) {
  if (path.startsWith("tests/")) return 400;
  return path.endsWith(".h") ? 150 : 300;
}

export function checkLengths(files) {
  return [...files].flatMap(([path, text]) => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return lines > lengthLimit(path) ? [`${path} has ${lines} lines; ${lengthLimit(path)} are allowed`] : [];
  });
}
