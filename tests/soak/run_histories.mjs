// Runs random histories one after another in one module, and watches what they leave in its memory.

import * as viewcap from "viewcap";
import { moduleBytes } from "../bench/module_access.mjs";
import { History } from "./history.mjs";
import { createRandom } from "./random.mjs";

const kStepsPerHistory = 1000;
// Expired records may leave the capacity of a table behind; what grows with the history may not stay.
const kIdleTolerance = 16 * 1024;

function add(total, part) {
  for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count;
}

/** Throws at the first violation. Gives the figures of what was tried. */
export async function runHistories({ seed, steps }) {
  await viewcap.loadRuntime({ variant: "lean" });
  const random = createRandom(seed);
  const figures = { histories: 0, counts: {}, results: {}, ways: {}, idleBytes: [], leftBytes: [] };
  const start = moduleBytes();
  for (let done = 0; done < steps; done += kStepsPerHistory) {
    const before = moduleBytes();
    const history = new History(random, { replace: random.chance(0.3) });
    for (let step = 0; step < Math.min(kStepsPerHistory, steps - done); step++) await history.step();
    if (random.chance(0.7)) {
      await history.becomeIdle();
      figures.idleBytes.push(moduleBytes() - before);
    }
    await history.dispose();
    figures.leftBytes.push(moduleBytes() - start);
    figures.histories++;
    for (const part of [history.counts, history.book.counts]) add(figures.counts, part);
    add(figures.results, history.book.results);
    add(figures.ways, history.ways);
  }
  checkMemory(figures);
  return figures;
}

/** After the first history, nothing more is left; and an idle registry holds about the same, whatever happened in it. */
function checkMemory({ idleBytes, leftBytes }) {
  const [first] = leftBytes;
  const last = leftBytes.at(-1);
  if (last > first) throw new Error(`the disposed registries left ${last} bytes in the module, the first one ${first}`);
  const [firstIdle] = idleBytes;
  const most = Math.max(...idleBytes);
  if (idleBytes.length > 0 && most > firstIdle + kIdleTolerance)
    throw new Error(`an idle registry holds ${most} bytes, the first one held ${firstIdle}`);
}
