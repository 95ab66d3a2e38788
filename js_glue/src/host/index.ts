// viewcap/host: the host server of an application, for node:http and every framework of Fetch requests
// (spec: host-protocol.md). Its own entry: no page loads it.

export { createAuditFeed, type AuditFeed, type DomainNews } from "./audit_feed.js";
export { readCookie, sessionCookie, type SessionCookieOptions } from "./cookies.js";
export { createHostHandler } from "./handler.js";
export { aiSdkModel, type AiSdkLanguageModel, type AiSdkSettings } from "./model/ai_sdk.js";
export { scriptedModel } from "./model/scripted.js";
export type { ModelScript, ScriptedAnswer, ScriptedStep, ScriptedTurn, ScriptedView } from "./model/scripted.js";
export type { FinishReason, HostModel, ModelPart, ModelRequest, ModelTool, ModelUsage } from "./model/types.js";
export { toNodeListener, type NodeRequest, type NodeResponse } from "./node_listener.js";
export type * from "./types.js";
