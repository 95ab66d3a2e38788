// The repository's own source files, as a map from path to text; what is generated, built or vendored is not among them.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const SOURCE = /\.(?:cpp|h|ts|tsx|mjs|js|cjs)$/;
const GENERATED = /(?:^|\/)(?:generated|fixtures|corpus)\/|(?:^|\/)(?:domain_|protocol_)?vocabulary\.(?:h|ts)$/;

/** Tracked and new files alike: a violation shows before it is committed. */
export function allFiles() {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  return listed
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && existsSync(ROOT + path));
}

export function sourceFiles() {
  const paths = allFiles().filter((path) => SOURCE.test(path) && !GENERATED.test(path));
  return new Map(paths.map((path) => [path, readFileSync(ROOT + path, "utf8")]));
}
