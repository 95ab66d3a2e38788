// Imports the package, loads and instantiates the module, and hands over how long both took. Run in a fresh process.

const start = performance.now();
const { loadRuntime } = await import("viewcap");
const imported = performance.now();
const variant = process.argv[2];
await loadRuntime(variant === undefined ? {} : { variant });
const loaded = performance.now();
process.send({ imported: imported - start, loaded: loaded - imported });
