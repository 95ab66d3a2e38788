// viewcap/ai-sdk: a governed runtime's capabilities as tools of the AI SDK (spec: domain.md §13.1).

export { toAISDKTools, type AISDKTools, type AISDKToolsOptions } from "./tools.js";
export type {
  ApprovalEnvelope,
  ErrorEnvelope,
  OkEnvelope,
  OutwardErrorShape,
  ToolEnvelope,
  ToolFilter,
  ToolNaming,
} from "../domain/tool_shapes.js";
