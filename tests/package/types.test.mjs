import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { installedFolder, runIn, write } from "./workplace.mjs";

const TSC = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

const CONSUMER = `
import { actionContract, createAgentSurfaceRegistry, defineAgentComponentContract, fromJsonSchema, loadRuntime, observationContract } from "viewcap";
import { projectStep } from "viewcap/protocol";

const contract = defineAgentComponentContract({
  type: "invoices.pending",
  description: "The invoices that wait for approval.",
  observations: {
    current: observationContract({ description: "Read the page.", output: fromJsonSchema<{ page: number }>({ type: "object" }) }),
  },
  actions: {
    show: actionContract({ description: "Show a page.", input: fromJsonSchema<{ page: number }>({ type: "object" }), effect: "local-state" }),
  },
});

export async function main(): Promise<number> {
  await loadRuntime({ variant: "lean" });
  const registry = createAgentSurfaceRegistry({ environment: "test" });
  let shown = 1;
  const handle = registry.register(
    contract.bind({
      observations: { current: { read: () => ({ page: shown }) } },
      actions: { show: { execute: (input) => { shown = input.page; } } },
    }),
  );
  const result = await registry.invoke({ capabilityId: "view:invoices.pending.show", input: { page: 2 } });
  const reason: string = result.status === "error" ? result.error.code : "ok";
  handle.unregister();
  const bytes: Uint8Array = projectStep(registry, { consumer: { id: "types", kind: "test" } }).bytes;
  registry.dispose();
  return bytes.length + reason.length;
}
`;

const MISTAKES = [
  ["an action left unbound", "contract.bind({ observations: { current: { read: () => ({ page: 1 }) } } })"],
  [
    "a capability that the contract does not declare",
    "contract.bind({ observations: { current: { read: () => ({ page: 1 }) } }, actions: { show: { execute: () => {} }, hide: { execute: () => {} } } })",
  ],
  [
    "a description in a binding",
    "contract.bind({ observations: { current: { read: () => ({ page: 1 }) } }, actions: { show: { execute: () => {}, description: 'other' } } })",
  ],
  [
    "an output of another type",
    "contract.bind({ observations: { current: { read: () => ({ page: 'one' }) } }, actions: { show: { execute: () => {} } } })",
  ],
  [
    "an input read as another type",
    "contract.bind({ observations: { current: { read: () => ({ page: 1 }) } }, actions: { show: { execute: (input: { page: string }) => void input } } })",
  ],
];

const RESOLUTIONS = [
  ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ["nodenext", { module: "nodenext", moduleResolution: "nodenext" }],
];

let folder;
before(async () => {
  folder = await installedFolder();
});

async function check(name, text, resolution) {
  // Neither Node's types nor skipLibCheck: the package's own declarations are checked as a browser application has them.
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable", "esnext.disposable"],
    types: [],
    ...resolution,
  };
  await write(folder, {
    [`${name}.ts`]: text,
    [`tsconfig.${name}.json`]: JSON.stringify({ compilerOptions, files: [`${name}.ts`] }),
  });
  return runIn(folder, process.execPath, TSC, "-p", join(folder, `tsconfig.${name}.json`));
}

for (const [name, resolution] of RESOLUTIONS) {
  test(`a strict consumer type-checks with moduleResolution ${name}`, async () => {
    assert.equal(await check(name, CONSUMER, resolution), "");
  });
}

for (const [index, [mistake, expression]] of MISTAKES.entries()) {
  test(`a type error: ${mistake}`, async () => {
    await assert.rejects(check(`mistake${index}`, `${CONSUMER}\n${expression};\n`, RESOLUTIONS[0][1]), /error TS2\d+/);
  });
}
