// viewcap: a host runtime for view capabilities. Everything here is safe to import anywhere; nothing runs until it is
// called, and what needs the module says so until loadRuntime() is done.

export const version = "0.1.0";

export { isRuntimeLoaded, loadRuntime, type LoadRuntimeOptions, type WasmSource } from "./runtime/load.js";

export { emptyObjectSchema, fromJsonSchema, fromStandardSchema } from "./schema/schema.js";
export type { AgentSchema, JsonSchema, StandardSchema } from "./schema/schema.js";

export {
  action,
  actionContract,
  defineAgentComponent,
  defineAgentComponentContract,
  observation,
  observationContract,
} from "./contract/define.js";
export type {
  ActionBinding,
  ActionContract,
  ActionDefinition,
  AgentComponentContract,
  AgentComponentDefinition,
  AgentConsumer,
  ComponentBinding,
  Concurrency,
  HandlerContext,
  ObservationBinding,
  ObservationContract,
  ObservationDefinition,
  PreconditionFailure,
} from "./contract/types.js";
export type {
  AuditRule,
  ConfirmationRule,
  DiscoveryDecision,
  DiscoveryVerdict,
  InvokePolicyContext,
  Policy,
  PolicyContext,
  PolicyNext,
} from "./contract/policy.js";

export { bindAgentProcedure, defineAgentProcedureContract } from "./contract/procedure.js";
export type {
  AgentProcedureContract,
  BoundProcedure,
  ProcedureConfig,
  ProcedureManifestEntry,
  ProcedureRef,
  ServerEffect,
} from "./contract/procedure.js";
export { createProcedureBridge } from "./procedures/bridge.js";
export type { ProcedureBridge, ProcedureBridgeOptions, ProcedureManifest, ProcedureRefs } from "./procedures/bridge.js";
export { reduceInputSchema } from "./procedures/reduce.js";
export type { ProcedureCall, ProcedureExecutor, ProcedureInfo } from "./registry/procedures.js";

export { createAgentSurfaceRegistry } from "./registry/registry.js";
export type { AgentSurfaceRegistry, SnapshotContext } from "./registry/registry.js";
export type { InvocationRequest, InvokeOptions } from "./registry/envelope.js";
export type { RegistrationHandle, RegistrationPatch } from "./registry/mount.js";
export type { RegistrationStatus } from "./registry/registration.js";
export type { AuditSink } from "./audit/sink.js";
export { consoleAuditSink, memoryAuditSink, type MemoryAuditSink } from "./audit/sinks.js";
export { authenticated, environment, hasPermission, tenantBoundary, type TenantBoundary } from "./policies/access.js";
export { audit, requireConfirmation } from "./policies/marks.js";
export { rateLimit, type RateLimit } from "./policies/rate_limit.js";
export type { ConfirmationController, ConfirmationDecision, PendingConfirmation } from "./registry/confirmations.js";
export { lintCatalog, toProviderTools } from "./protocol/providers/index.js";
export type { CatalogIssue, CatalogTool, ProviderProfile, ProviderTools } from "./protocol/providers/index.js";
export { createAgentToolset, type AgentToolset } from "./toolset/toolset.js";
export type { ConfirmationMode, ToolsetOptions } from "./toolset/options.js";
export type { AgentTool, DirectTool, Discovery, MetaTool, ToolCallOptions } from "./toolset/tool.js";
export type { RegistrationCandidate, RegistryLimits, RegistryOptions } from "./registry/options.js";
export type { TimeSource } from "./registry/clock.js";
export type { SurfaceListener } from "./registry/outbox.js";
export type {
  ActionSnapshot,
  ComponentSnapshot,
  ObservationSnapshot,
  ProcedureSnapshot,
  SurfaceSnapshot,
} from "./registry/snapshot.js";
export type { AuditEvent, ErrorResult, InvocationResult, OkResult, SurfaceEvent } from "./runtime/answers.js";

export { createCapabilityAuthority, type CapabilityAuthority, type CapabilityManifest } from "./authority.js";

export {
  assignWireNames,
  decodeWireName,
  encodeWireName,
  encodeWireNameForInstance,
  parseCapabilityId,
} from "./wire_names.js";
export type { ParsedCapabilityId, WireNameEntry } from "./wire_names.js";

export {
  AGENT_CAPABILITY_ERROR_CODES,
  AgentSchemaError,
  AgentSurfaceDefectError,
  AgentSurfaceDefinitionError,
  AgentSurfaceError,
  isAgentSurfaceError,
  RuntimeDeadError,
  RuntimeNotLoadedError,
} from "./errors.js";
export type { AgentCapabilityErrorCode, AgentSurfaceErrorPayload, Retry, SchemaIssue } from "./errors.js";
