// What 10,000 mounted instances take in the module.

import { projectStep } from "viewcap/protocol";
import { report } from "./measure.mjs";
import { moduleBytes } from "./module_access.mjs";
import { loadLean, makeRegistry, mountMany } from "./viewcap_side.mjs";
import { consumer, contracts } from "./workload.mjs";

await loadLean();

function tenThousand() {
  const before = moduleBytes();
  const registry = makeRegistry();
  mountMany(registry, contracts(16), 10_000);
  const mounted = moduleBytes() - before;
  projectStep(registry, { consumer });
  const projected = moduleBytes() - before;
  registry.dispose();
  return { mounted, projected, disposed: moduleBytes() - before };
}

const memory = tenThousand();

report({
  figures: { memory_10k_bytes: memory.mounted },
  details: {
    "module bytes per mounted instance": memory.mounted / 10_000,
    "the 10,000 after one projection, bytes": memory.projected,
    "left after dispose(), bytes": memory.disposed,
  },
});
