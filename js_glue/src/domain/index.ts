// viewcap/domain: the governed domain plane of a server (spec: domain.md). Its own entry: no page loads it.

export { createInMemoryApprovalCoordinator, type InMemoryApprovalCoordinatorOptions } from "./approvals/memory.js";
export { ApprovalError, type ApprovalRefusal } from "./approvals/errors.js";
export type { AuditOptions } from "./audit.js";
export { createAgentRuntime, type AgentRuntimeOptions } from "./create_runtime.js";
export { CapabilityError, isCapabilityError, type CapabilityErrorInit } from "./capability_error.js";
export { describeDomainTools } from "./describe_tools.js";
export { unwrap } from "./execution.js";
export { outwardError, type OutwardErrorShape } from "./outward.js";
export {
  allow,
  composePolicies,
  defineGovernance,
  definePolicy,
  deny,
  flattenPolicies,
  hide,
  requireApproval,
} from "./policies.js";
export { agentProcedure, defineProcedure, type DomainProcedure, type HandlerOptions } from "./procedures/define.js";
export type { CapabilityIdOf, InferInput, InferOutput, InputOf, OutputOf } from "./procedures/infer.js";
export type { MiddlewareOptions, ProcedureMiddleware } from "./procedures/middleware.js";
export { RpcError } from "./procedures/rpc_error.js";
export { CapabilityBuildError, CapabilityRegistry, createCapabilityRegistry } from "./registry.js";
export { AgentRuntime } from "./runtime.js";
export type { SchemaConverter } from "./schema/converters.js";
export { registerSchemaConverter, toJsonSchema } from "./schema/json_schema.js";
export { fromJsonSchema, fromStandardSchema } from "../schema/schema.js";
export type * from "./types.js";
