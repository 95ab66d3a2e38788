// Writes the C++ header and the TypeScript module of the vocabulary from host_protocol/vocabulary/*.json.
//
//     node host_protocol/tools/generate_vocabulary.mjs            writes the files
//     node host_protocol/tools/generate_vocabulary.mjs --check    compares them; exit 1 when one is stale
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renderProtocolHeader, renderProtocolModule } from "./protocol_vocabulary.mjs";
import { renderDomainHeader, renderHeader } from "./vocabulary_header.mjs";
import { renderDomainModule, renderModule } from "./vocabulary_module.mjs";

const root = new URL("../../", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`host_protocol/vocabulary/${name}.json`, root), "utf8"));

const vocabulary = {
  errors: read("error_codes"),
  groups: ["definition_codes", "contract", "registry", "invocation"].flatMap((name) => read(name).groups),
  limits: read("limits"),
};

const domain = read("domain");
const protocol = read("protocol");

const outputs = [
  ["host_protocol/include/host_protocol/vocabulary.h", renderHeader(vocabulary)],
  ["js_glue/src/generated/vocabulary.ts", renderModule(vocabulary)],
  ["host_protocol/include/host_protocol/domain_vocabulary.h", renderDomainHeader(domain)],
  ["js_glue/src/generated/domain_vocabulary.ts", renderDomainModule(domain)],
  ["host_protocol/include/host_protocol/protocol_vocabulary.h", renderProtocolHeader(protocol)],
  ["js_glue/src/generated/protocol_vocabulary.ts", renderProtocolModule(protocol)],
];

const current = (url) => {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return "";
  }
};

const stale = outputs.filter(([path, text]) => current(new URL(path, root)) !== text);
if (process.argv.includes("--check")) {
  for (const [path] of stale) {
    console.error(
      `${path} is not what host_protocol/vocabulary says; run node host_protocol/tools/generate_vocabulary.mjs`,
    );
  }
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of stale) writeFileSync(fileURLToPath(new URL(path, root)), text);
}
