// viewcap/protocol: what a host server and the page agree on (spec: host-protocol.md).

export {
  CATALOG_LIMITS,
  HOST_ERROR_CODES,
  HOST_ERROR_STATUS,
  PROTOCOL_VERSION,
  type CatalogEvent,
  type CatalogMode,
  type Executor,
  type FrameType,
  type HostErrorCode,
} from "../generated/protocol_vocabulary.js";
export { META_TOOL_NAMES } from "./meta_tools.js";
export { projectStep, type ProjectOptions, type StepProjection, type WireTarget } from "./project_step.js";
export type { WireDescriptor, WireState } from "./project_step.js";
export { repairHistory } from "./history.js";
export { composeCatalog, decodeStepRequest, encodeFrame, renderCapabilityState } from "./host_side.js";
export { lintCatalog, toProviderTools } from "./providers/index.js";
export type { CatalogIssue, CatalogTool, ProviderProfile, ProviderTools } from "./providers/index.js";
export {
  createFrameDecoder,
  createLoopGuard,
  createResponseAccumulator,
  type FrameDecoder,
  type LoopGuard,
  type ResponseAccumulator,
} from "./response.js";
export { resolveScope, type ResolvedScope } from "./scope.js";
export { createStepEncoder, type StepEncoder, type StepRequestParts } from "./step_encoder.js";
export type * from "./types.js";
