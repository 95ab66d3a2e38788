// An empty folder outside the repository with the packed tarball installed: what a user of the package has.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const BUILD = fileURLToPath(new URL("../../build/", import.meta.url));

export async function tarball() {
  const found = (await readdir(BUILD)).filter((name) => /^viewcap-.*\.tgz$/.test(name));
  if (found.length !== 1)
    throw new Error(`build/ has ${found.length} tarballs of the package, one is expected: run make package`);
  return join(BUILD, found[0]);
}

/** Runs a program to its end; the error of a failure carries its output. */
export async function runIn(folder, program, ...args) {
  // NODE_PATH would show the folder packages that it does not have.
  const env = { ...process.env, NODE_PATH: "" };
  const { stdout } = await execute(program, args, { cwd: folder, env, maxBuffer: 1 << 24 }).catch((error) => {
    throw new Error(`${program} ${args.join(" ")} failed: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

export const write = (folder, files) =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));

// Registered for the whole file: a hook of the hook that installs would belong to the first test and end with it.
const folders = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

export async function installedFolder() {
  const folder = await mkdtemp(join(tmpdir(), "viewcap-package-"));
  folders.push(folder);
  await write(folder, { "package.json": JSON.stringify({ name: "consumer", private: true, type: "module" }) });
  await runIn(folder, "npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", await tarball());
  return folder;
}
