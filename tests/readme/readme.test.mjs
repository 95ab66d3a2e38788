import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), "utf8");
const README = read("README.md");

/** The texts of the fenced blocks of one language, in order. */
const blocks = (text, language) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, body]) => body);
const commands = blocks(README, "sh").flatMap((block) => block.split("\n").filter((line) => line !== ""));

/** Runs a command line that serves until it is ended; resolves to the first address it prints. */
async function withServer(line, body) {
  const child = spawn("bash", ["-c", line], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0" },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  try {
    await body(
      await new Promise((resolve, reject) => {
        let output = "";
        const collect = (chunk) => {
          output += chunk;
          const address = /http:\/\/[^\s]+\//.exec(output)?.[0];
          if (address) resolve(address);
        };
        child.stdout.on("data", collect);
        child.stderr.on("data", collect);
        closed.then((code) => reject(new Error(`${line} ended with ${code} before it served: ${output}`)));
      }),
    );
  } finally {
    // The whole group: make, its shell and the server.
    if (child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await closed;
  }
}

const RUN = {
  "make demo": () =>
    withServer("make demo", async (address) => {
      const page = await fetch(address);
      assert.equal(page.status, 200);
      assert.match(page.headers.get("content-security-policy"), /script-src 'self' 'wasm-unsafe-eval'/);
      assert.match(await page.text(), /<!doctype html>/i);
      const module = await fetch(`${address}viewcap/module/viewcap.wasm`);
      assert.equal(module.headers.get("content-type"), "application/wasm");
      assert.equal((await module.arrayBuffer()).byteLength > 10_000, true);
    }),
  // This test is a part of `make test`: that it starts from the README's words is what is left to show.
  "make test": async () => {
    const { stdout } = await execute("make", ["-n", "test"], { cwd: ROOT });
    assert.match(
      stdout,
      /test-native[\s\S]*test-wasm[\s\S]*test-node[\s\S]*test-browser[\s\S]*test-package[\s\S]*test-readme/,
    );
  },
};

/** An application with contracts, in which the package is installed. */
async function application() {
  const folder = join(ROOT, "build/readme/application");
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  await mkdir(join(folder, "src"));
  await symlink(join(ROOT, "js_glue"), join(folder, "node_modules/viewcap"), "dir");
  const command = join(ROOT, "js_glue/dist/cli/viewcap.js");
  await chmod(command, 0o755);
  await symlink(command, join(folder, "node_modules/.bin/viewcap"));
  await writeFile(join(folder, "package.json"), '{ "name": "application", "private": true, "type": "module" }');
  const contract = '{ type: "clock", description: "A clock." }';
  await writeFile(
    join(folder, "src/contracts.js"),
    `import { defineAgentComponentContract } from "viewcap";\nexport const clock = defineAgentComponentContract(${contract});\n`,
  );
  return folder;
}
let installed;

/** In the order of the README: what one command writes the next one reads. */
async function runInApplication(line) {
  const cwd = await (installed ??= application());
  await execute("bash", ["-c", line], { cwd, timeout: 60_000 });
}

test("the README's first commands are make demo and make test", () =>
  assert.deepEqual(commands.slice(0, 2), ["make demo", "make test"]));

for (const command of commands) {
  const run = command.startsWith("npx viewcap ") ? () => runInApplication(command) : RUN[command];
  test(`the README's command works: ${command}`, { timeout: 300_000 }, run);
}

test("every make target that the README names exists", async () => {
  const named = new Set([...README.matchAll(/`make ([a-z-]+)`/g)].map(([, target]) => target));
  assert.ok(named.size >= 6);
  for (const target of named) await execute("make", ["-n", target], { cwd: ROOT });
});

async function outputOf(code, name) {
  const folder = join(ROOT, "build/readme");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), code);
  const { stdout } = await execute(process.execPath, [join(folder, name)], { timeout: 60_000 });
  return stdout;
}

test("the README's example prints what the README says", async () => {
  const [code] = blocks(README, "js");
  assert.equal(await outputOf(code, "root.mjs"), blocks(README, "text")[0]);
});

test("the example of the package's README runs", async () => {
  const [code] = blocks(read("js_glue/README.md"), "js");
  assert.equal(await outputOf(code, "package.mjs"), "[]\n");
});

for (const page of ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "js_glue/README.md"]) {
  test(`every link of ${page} to a file of the repository leads to one`, () => {
    const targets = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target);
    assert.deepEqual(
      targets.filter((target) => !existsSync(join(ROOT, dirname(page), target))),
      [],
    );
  });
}

test("the folders that the README's table of suites names exist", () => {
  const named = [...README.matchAll(/^\| `(tests\/[a-z]+)` \|/gm)].map(([, folder]) => folder);
  assert.ok(named.length >= 6);
  assert.deepEqual(
    named.filter((folder) => !existsSync(join(ROOT, folder))),
    [],
  );
});
