// `make bench`: runs each comparison in a process of its own, prints what was measured beside its bound and its aim,
// and writes build/bench.json, one object {name: number}.
//
//   node tests/bench/run.mjs                 everything
//   node tests/bench/run.mjs invoke mount    some comparisons, printed only
//
// A bound that is missed is printed as NOT MET; the exit code is 1 only when a comparison could not run.

import { fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { bounds, comparisons, figures as aims } from "./expectations.mjs";
import { benchFolder, buildFolder } from "./places.mjs";

const kComparisons = [
  "size",
  "libraries",
  "load",
  "projection",
  "mount",
  "invoke",
  "domain",
  "canonical",
  "protocol",
  "webmcp",
  "validate",
  "memory",
  "leak",
];
const kFlags = { leak: ["--expose-gc", "--no-opt"] };

function runOne(name) {
  return new Promise((done) => {
    const child = fork(join(benchFolder, `compare_${name}.mjs`), [], {
      execArgv: kFlags[name] ?? [],
    });
    let answer;
    child.on("message", (message) => (answer = message));
    child.on("error", (error) => console.error(`compare_${name}.mjs: ${error.message}`));
    child.on("exit", (code, signal) => {
      if (!answer) console.error(`compare_${name}.mjs ended with ${signal ?? code} and measured nothing`);
      done(answer);
    });
  });
}

function format(number) {
  if (!Number.isFinite(number)) return "—";
  if (Number.isInteger(number)) return number.toLocaleString("en-US");
  return number.toFixed(Math.abs(number) >= 100 ? 0 : 2);
}

function printTable(head, rows) {
  if (rows.length === 0) return;
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  ");
  console.log(`\n${line(head)}\n${widths.map((width) => "─".repeat(width)).join("  ")}`);
  for (const row of rows) console.log(line(row));
}

function aimCell(figure, aim) {
  if (aim === null || aim === undefined) return ["", ""];
  return [`≤ ${format(aim)}`, figure <= aim ? "yes" : "no"];
}

function printFigures(measured) {
  const rows = Object.keys(aims)
    .filter((name) => name in measured)
    .map((name) => [name, format(measured[name]), ...aimCell(measured[name], aims[name])]);
  printTable(["figure", "measured", "aim", "reached"], rows);
}

function printBounds(measured, details) {
  const rows = [];
  for (const { title, bound, aim, atLeast, value } of bounds) {
    const ratio = value(measured, details);
    if (Number.isNaN(ratio)) continue;
    const met = atLeast ? ratio >= bound : ratio <= bound;
    rows.push([
      title,
      format(ratio),
      `${atLeast ? "≥" : "≤"} ${format(bound)}`,
      met ? "met" : "NOT MET",
      ...aimCell(ratio, aim),
    ]);
  }
  printTable(["ratio or size", "measured", "bound", "", "aim", "reached"], rows);
}

function printInformation(measured, details) {
  const rows = comparisons
    .map(({ title, value }) => [title, value(measured, details)])
    .filter(([, ratio]) => !Number.isNaN(ratio));
  printTable(
    ["for comparison, without a bound", "ratio"],
    rows.map(([title, ratio]) => [title, format(ratio)]),
  );
  printTable(
    ["also measured", ""],
    Object.entries(details).map(([title, value]) => [title, typeof value === "number" ? format(value) : String(value)]),
  );
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !kComparisons.includes(name));
if (unknown.length > 0) {
  console.error(`unknown comparison ${unknown.join(", ")}; there are ${kComparisons.join(", ")}`);
  process.exit(2);
}

const measured = {};
const details = {};
let failed = 0;
for (const name of chosen.length > 0 ? chosen : kComparisons) {
  console.log(`measuring ${name} …`);
  const answer = await runOne(name);
  if (!answer) failed++;
  Object.assign(measured, answer?.figures);
  Object.assign(details, answer?.details);
}

const load = loadavg()[0].toFixed(1);
console.log(`\nNode ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, load ${load}`);
printFigures(measured);
printBounds(measured, details);
printInformation(measured, details);

if (chosen.length === 0) {
  const ordered = Object.fromEntries(
    Object.keys(aims)
      .filter((name) => name in measured)
      .map((name) => [name, measured[name]]),
  );
  mkdirSync(buildFolder, { recursive: true });
  writeFileSync(join(buildFolder, "bench.json"), `${JSON.stringify(ordered, null, 2)}\n`);
  console.log("\nbuild/bench.json written");
}
process.exit(failed > 0 ? 1 : 0);
