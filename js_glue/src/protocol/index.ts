// viewcap/protocol: what a host server and the page agree on.

export { projectStep, type ProjectOptions, type StepProjection, type WireTarget } from "./project_step.js";
export type { WireDescriptor, WireState } from "./project_step.js";

/** The version of the host protocol that this package speaks. */
export const PROTOCOL_VERSION = 2;

export { lintCatalog, toProviderTools } from "./providers/index.js";
export type { CatalogIssue, CatalogTool, ProviderProfile, ProviderTools } from "./providers/index.js";
export { resolveScope, type ResolvedScope } from "./scope.js";
