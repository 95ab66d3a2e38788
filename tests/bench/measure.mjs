// Side by side measurement: every side runs in this process, in short batches that take turns, for many rounds.
//
// A slow second of the machine then falls on all sides alike, and the median drops what falls on one of them. Batches
// are shorter than a time slice of the system's scheduler, so that most of them are not interrupted.

export function median(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Collects garbage. Needs --expose-gc. The engine drops the bytecode of functions that have not run for several
 * collections; as many are made here, so that this does not look like a heap that shrinks.
 */
export async function collect() {
  for (let round = 0; round < 16; round++) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 5));
  }
}

function spin(ms) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Whether the system counts processor time finely enough for batches of a millisecond. */
function processorTimeIsFine() {
  for (let probe = 0; probe < 5; probe++) {
    const start = process.cpuUsage();
    spin(2);
    const { user, system } = process.cpuUsage(start);
    if (user + system < 200) return false;
  }
  return true;
}

const fine = processorTimeIsFine();

/**
 * Milliseconds for `count` operations. A batch that the system interrupted for another process took more time than it
 * worked: its processor time counts then. A side may answer how many operations it did instead of `count`.
 */
async function timeBatch(run, count) {
  const usage = process.cpuUsage();
  const start = performance.now();
  const did = (await run(count)) ?? count;
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(usage);
  const worked = fine ? Math.min(elapsed, (user + system) / 1000) : elapsed;
  return (worked * count) / did;
}

/** How many operations fill the given milliseconds; the search is also the warm-up. */
async function calibrate(run, batchMs) {
  let count = 1;
  for (;;) {
    const elapsed = await timeBatch(run, count);
    if (elapsed >= batchMs) return count;
    count = Math.ceil(count * Math.min(8, Math.max(1.5, (1.2 * batchMs) / Math.max(elapsed, 1e-3))));
  }
}

// Long enough for the optimizing compilers of both languages.
const kWarmUpMs = 150;

/**
 * Medians in microseconds per operation.
 * `sides` maps a name to `run(count)`, which performs `count` operations and may be asynchronous.
 */
export async function compare(sides, { rounds = 121, batchMs = 1 } = {}) {
  const names = Object.keys(sides);
  const counts = {};
  const times = {};
  for (const name of names) {
    await calibrate(sides[name], kWarmUpMs);
    counts[name] = await calibrate(sides[name], batchMs);
    times[name] = [];
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      const elapsed = await timeBatch(sides[name], counts[name]);
      times[name].push((elapsed * 1000) / counts[name]);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

/** Hands the figures of one comparison to run.mjs, or prints them when the file is run by itself. */
export function report({ figures, details = {} }) {
  if (process.send) process.send({ figures, details });
  else console.log(JSON.stringify({ figures, details }, null, 2));
}
