import { createRoot } from "react-dom/client";
import { loadRuntime } from "viewcap";
import { ViewcapInspector } from "viewcap/inspector";
import { AgentSurfaceProvider } from "viewcap/react";
import { createWebMcpAdapter } from "viewcap/webmcp";
import { App } from "./app.js";
import { ConversationProvider } from "./assistant/conversation_context.js";
import { currentUser } from "./operations.js";
import { consumer, createRegistry } from "./surface.js";
import "./style.css";
import "./assistant/assistant.css";

const [, user] = await Promise.all([loadRuntime(), currentUser()]);
const registry = createRegistry();
// For the curious, and for tests that play a page that was tampered with.
Object.assign(globalThis, { receivables: { registry } });

// A browser with an agent of its own sees the capabilities of the page as its tools.
createWebMcpAdapter({ consumer: { id: "browser", kind: "webmcp" } }).start(registry);
// What an agent sees, and what became of its calls; the conversation pushes its frames to it.
const inspector = new ViewcapInspector();
inspector.registry = registry;
inspector.consumer = consumer;
document.body.append(inspector);

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <AgentSurfaceProvider registry={registry}>
      <ConversationProvider registry={registry} onFrame={(frame) => inspector.push(frame)}>
        <App first={user} />
      </ConversationProvider>
    </AgentSurfaceProvider>,
  );
