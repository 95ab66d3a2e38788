import { createRoot } from "react-dom/client";
import { loadRuntime } from "viewcap";
import { AgentSurfaceProvider } from "viewcap/react";
import { App } from "./app.js";
import { ConversationProvider } from "./assistant/conversation_context.js";
import { currentUser } from "./operations.js";
import { createRegistry } from "./surface.js";
import "./style.css";
import "./assistant/assistant.css";

const [, user] = await Promise.all([loadRuntime(), currentUser()]);
const registry = createRegistry();
// For the curious, and for tests that play a page that was tampered with.
Object.assign(globalThis, { receivables: { registry } });

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <AgentSurfaceProvider registry={registry}>
      <ConversationProvider registry={registry}>
        <App first={user} />
      </ConversationProvider>
    </AgentSurfaceProvider>,
  );
