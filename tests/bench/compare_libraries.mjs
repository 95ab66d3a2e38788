// What each library costs, by building four small modules with the flags of ours, each with one library more than the
// one before. It needs emcc and the staged headers; built probes are kept in build/bench/.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { report } from "./measure.mjs";
import { benchFolder, buildFolder } from "./places.mjs";
import { brotli } from "./sizes.mjs";

const kProbes = ["plain", "embind", "nlohmann", "valijson"];
const kFlags = [
  "-std=c++20",
  "-O3",
  "-flto",
  "-fwasm-exceptions",
  "-DVALIJSON_USE_EXCEPTIONS=1",
  "-isystem",
  join(buildFolder, "include"),
  "--bind",
  "--no-entry",
  "-sALLOW_MEMORY_GROWTH=1",
  "-sMODULARIZE=1",
  "-sEXPORT_ES6=1",
  "-sENVIRONMENT=web,worker",
  "-sFILESYSTEM=0",
  "-sDYNAMIC_EXECUTION=0",
  "-sMALLOC=emmalloc",
];
const kPlainFlags = kFlags.filter((flag) => flag !== "--bind");

function emcc(args) {
  const { status, stdout, stderr, error } = spawnSync("emcc", args, { encoding: "utf8" });
  if (error) throw new Error(`emcc cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`emcc failed:\n${stderr}`);
  return stdout;
}

/** Brotli bytes of the probe's module and of its minified JavaScript. */
async function sizeOf(probe, version) {
  const folder = join(buildFolder, "bench");
  const source = join(benchFolder, "probes", `${probe}.cpp`);
  const output = join(folder, `${probe}.mjs`);
  const flags = probe === "plain" ? kPlainFlags : kFlags;
  const key = createHash("sha256")
    .update([version, ...flags, readFileSync(source, "utf8")].join("\n"))
    .digest("hex");
  const stamp = `${output}.key`;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== key) {
    emcc([...flags, source, "-o", output]);
    writeFileSync(stamp, key);
  }
  const { code } = await transform(readFileSync(output, "utf8"), { minify: true, format: "esm" });
  return { module: brotli(readFileSync(output.replace(/mjs$/, "wasm"))), script: brotli(Buffer.from(code)) };
}

const details = {};
let before;
try {
  const version = emcc(["--version"]);
  for (const probe of kProbes) {
    const size = await sizeOf(probe, version);
    const title = before ? `library cost: ${probe}` : "library cost: the C++ runtime with std::string alone";
    details[`${title}, module, brotli bytes`] = size.module - (before?.module ?? 0);
    details[`${title}, JavaScript, brotli bytes`] = size.script - (before?.script ?? 0);
    before = size;
  }
} catch (error) {
  details["library cost"] = `not measured: ${error.message.split("\n")[0]}`;
}

report({ figures: {}, details });
