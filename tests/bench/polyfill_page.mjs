// A page just real enough for @mcp-b/webmcp-polyfill to install itself in Node: it wants a window, a document that is
// the window's own, an origin, and the constructors whose instances it tests for. Nothing of the polyfill is replaced.
//
// What the polyfill does on a call: look the tool up by name, parse the arguments, run, serialize the result.
// It does not check input against the schema, has no when(), no queue, no timeout and no call ids.

function installPage() {
  class Document extends EventTarget {
    querySelectorAll() {
      return [];
    }
  }
  class MutationObserver {
    observe() {}
    disconnect() {}
  }
  const names = { Document, MutationObserver };
  for (const name of ["Node", "Element", "HTMLElement", "HTMLFormElement", "ShadowRoot"])
    names[name] = class extends EventTarget {};
  names.SubmitEvent = class extends Event {};
  const page = {
    ...names,
    origin: "https://page.example",
    window: globalThis,
    parent: globalThis,
    document: new Document(),
  };
  for (const [name, value] of Object.entries(page))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  globalThis.document.defaultView = globalThis;
  if (typeof navigator === "undefined")
    Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
}

/** Installs the polyfill and gives its ModelContext. Call it after the other sides have been loaded. */
export async function installPolyfill() {
  installPage();
  const { initializeWebMCPPolyfill } = await import("@mcp-b/webmcp-polyfill");
  initializeWebMCPPolyfill();
  if (!document.modelContext) throw new Error("the WebMCP polyfill did not install itself");
  return document.modelContext;
}

/** Registers the capabilities of plain contracts as tools, each answering `answer`; the signal removes them. */
export function registerTools(context, plain, { signal, answer = { applied: true }, prefix = "" }) {
  const pending = [];
  for (const { type, observations, actions } of plain) {
    const base = `${prefix}view_${type.replaceAll(".", "__")}__`;
    for (const [name, { description }] of Object.entries(observations)) {
      pending.push(
        context.registerTool(
          {
            name: base + name,
            description,
            inputSchema: { type: "object", properties: {} },
            execute: () => ({ rows: [], total: 0 }),
          },
          { signal },
        ),
      );
    }
    for (const [name, { description, input }] of Object.entries(actions)) {
      pending.push(
        context.registerTool({ name: base + name, description, inputSchema: input, execute: () => answer }, { signal }),
      );
    }
  }
  return Promise.all(pending);
}
