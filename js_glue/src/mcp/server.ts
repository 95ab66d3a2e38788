// The server (spec: domain.md §13.2).
//
//     const server = createMCPServer(runtime, {
//       createContext: ({ authInfo }) => ({ actor: actorOf(authInfo), context: { tenant: tenantOf(authInfo) } }),
//       approvals: { url: ({ id }) => `https://app.example/approvals/${id}`, resumeTool: true },
//     });
//     await server.connect(transport);
//
// The SDK's server holds one connection: an HTTP host makes one per session, all over the same runtime. Nothing here
// authorises: a listing is a courtesy, and the runtime judges every call anew.

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  envelopeOf,
  nameTools,
  toolDescription,
  toolInputSchema,
  type ToolEnvelope,
  type ToolFilter,
  type ToolNaming,
} from "../domain/tool_shapes.js";
import type { AgentRuntimeLike, CapabilityDescriptor, ExecutionResult } from "../domain/types.js";
import { approvalIdOf, resumeToolOf, withApproval, type MCPApprovals, type ResumeTool } from "./approvals.js";
import { refusing } from "./refusal.js";
import { Sessions, type CreateContext, type Identity } from "./sessions.js";

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}
export interface MCPServerOptions {
  readonly createContext: CreateContext;
  /** Default: this package's name and version. */
  readonly serverInfo?: ServerInfo;
  readonly filter?: ToolFilter;
  readonly toolNaming?: ToolNaming;
  readonly approvals?: MCPApprovals;
}

const SURFACE = "mcp";
const PACKAGE: ServerInfo = { name: "viewcap", version: "0.1.0" };

/** TypeError without createContext; an Error for tool names that clash or that no client takes. */
export function createMCPServer(runtime: AgentRuntimeLike, options: MCPServerOptions): Server {
  const given: Partial<MCPServerOptions> | null | undefined = options;
  if (typeof given?.createContext !== "function") throw new TypeError("createMCPServer: createContext is needed");
  const tools = new Tools(runtime, options);
  const server = new Server(options.serverInfo ?? PACKAGE, { capabilities: { tools: {} } });
  const onError = (error: unknown): void => server.onerror?.(error instanceof Error ? error : new Error(String(error)));
  const sessions = new Sessions(options.createContext, onError);
  server.onclose = () => sessions.clear();
  server.setRequestHandler(ListToolsRequestSchema, (_, extra) =>
    refusing(onError, async () => ({ tools: await tools.list(await sessions.identify(server.transport, extra)) })),
  );
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    refusing(onError, async () => {
      const identity = await sessions.identify(server.transport, extra);
      const envelope = await tools.call(params.name, params.arguments ?? {}, identity, extra.signal);
      return { content: [{ type: "text", text: JSON.stringify(envelope) }], isError: envelope.status === "error" };
    }),
  );
  return server;
}

class Tools {
  readonly #runtime: AgentRuntimeLike;
  readonly #options: MCPServerOptions;
  /** Ids by tool name, and tool names by id. */
  readonly #ids: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #resume: ResumeTool | undefined;

  constructor(runtime: AgentRuntimeLike, options: MCPServerOptions) {
    this.#runtime = runtime;
    this.#options = options;
    const { registry } = runtime;
    const exposed = registry.capabilities().filter(({ meta }) => meta.expose[SURFACE] === true);
    const named = [...nameTools(SURFACE, exposed, { registry, toolNaming: options.toolNaming })];
    this.#ids = new Map(named.map(([name, { id }]) => [name, id]));
    this.#names = new Map(named.map(([name, { id }]) => [id, name]));
    this.#resume = resumeToolOf(options.approvals, this.#ids);
  }

  async list({ actor, context }: Identity) {
    const { filter } = this.#options;
    const descriptors = await this.#runtime.describe(SURFACE, { actor, context });
    const listed = filter === undefined ? descriptors : descriptors.filter((descriptor) => filter(descriptor));
    return [...listed.map((descriptor) => this.#entry(descriptor)), ...(this.#resume ? [this.#resume] : [])];
  }

  #entry(descriptor: CapabilityDescriptor) {
    const annotations = this.#runtime.registry.get(descriptor.id)?.meta.adapters?.mcp?.annotations;
    return {
      name: this.#names.get(descriptor.id),
      description: toolDescription(descriptor),
      inputSchema: toolInputSchema(descriptor),
      ...(annotations !== undefined && { annotations }),
    };
  }

  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<ToolEnvelope> {
    if (name === this.#resume?.name) return this.#resumed(input, identity, signal);
    const id = this.#ids.get(name) ?? this.#unknown(name);
    return this.#told(() => this.#runtime.invoke(id, input, { ...identity, surface: SURFACE, signal }));
  }

  async #resumed(input: Readonly<Record<string, unknown>>, { actor, context }: Identity, signal: AbortSignal) {
    const approvalId = approvalIdOf(input);
    if (typeof approvalId !== "string") return approvalId;
    const guards = { expectedActor: actor, expectedSurface: SURFACE } as const;
    return this.#told(() => this.#runtime.resume(approvalId, { context, signal, ...guards }));
  }

  async #told(run: () => Promise<ExecutionResult>): Promise<ToolEnvelope> {
    let result: ExecutionResult | undefined;
    const envelope = await envelopeOf(async () => (result = await run()));
    return withApproval(envelope, result, this.#options.approvals?.url, this.#resume);
  }

  /** An id that leads to nothing, so that the runtime refuses and records the call (decision 15). */
  #unknown(name: string): string {
    let id = name;
    while (id === "" || this.#names.has(id)) id = `tool:${id}`;
    return id;
  }
}
