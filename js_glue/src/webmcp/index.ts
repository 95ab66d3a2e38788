// viewcap/webmcp: the live surface as the tools of the browser's own agent API.

export { createWebMcpAdapter, type WebMcpAdapter } from "./adapter.js";
export type * from "./types.js";
