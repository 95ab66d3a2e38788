// viewcap/mcp: a governed runtime's capabilities as tools of a Model Context Protocol server (spec: domain.md §13.2).

export { createMCPServer } from "./server.js";
export type { MCPServerOptions, ServerInfo } from "./server.js";
export type { ApprovalUrl, MCPApprovals, ResumeTool } from "./approvals.js";
export type { CreateContext, MCPIdentity, MCPPeer } from "./sessions.js";
export type {
  ErrorEnvelope,
  OkEnvelope,
  OutwardErrorShape,
  ToolEnvelope,
  ToolFilter,
  ToolNaming,
} from "../domain/tool_shapes.js";
