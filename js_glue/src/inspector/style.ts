// The inspector's own look: it takes nothing from the page, and gives nothing to it.

export const STYLE = `
:host { all: initial; position: fixed; inset: auto auto 0.75rem 0.75rem; z-index: 2147483000; color-scheme: light dark;
  font: 0.8125rem/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  --page: #fff; --line: #dcd9d2; --text: #1e211f; --quiet: #5d625e; --accent: #0f6b5c; --sunken: #f4f2ee; --bad: #9c2f1f; --warn: #8a4b08; }
@media (prefers-color-scheme: dark) {
  :host { --page: #1c201e; --line: #343b37; --text: #e9ebe8; --quiet: #a2aaa5; --accent: #6cc9b4; --sunken: #141716; --bad: #f0937f; --warn: #e0b074; } }
* { box-sizing: border-box; font: inherit; color: inherit; }
:host([hidden]) { display: none; }
.panel { display: flex; flex-direction: column; width: min(46rem, calc(100vw - 1.5rem)); height: min(30rem, calc(100vh - 1.5rem));
  color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: 0.5rem; box-shadow: 0 12px 32px rgb(0 0 0 / 30%); }
header { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding: 0.5rem; border-bottom: 1px solid var(--line); }
header strong { font-weight: 600; }
header input { flex: 1; min-width: 6rem; }
button, input { padding: 0.1875rem 0.5rem; background: var(--page); color: var(--text); border: 1px solid var(--quiet); border-radius: 0.3125rem; }
button { cursor: pointer; }
button[aria-selected="true"] { background: var(--accent); border-color: var(--accent); color: var(--page); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.list { flex: 1; overflow: auto; margin: 0; padding: 0; list-style: none; }
li { padding: 0.25rem 0.625rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
summary { cursor: pointer; }
summary > * { margin-right: 0.25rem; }
code, pre { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace; font-size: 0.75rem; }
pre { margin: 0.25rem 0; padding: 0.375rem; background: var(--sunken); overflow: auto; max-height: 14rem; border-radius: 0.25rem; }
.quiet { color: var(--quiet); } .hidden, .drop { color: var(--bad); } .unavailable { color: var(--warn); } .available { color: var(--accent); }
.note { padding: 0.5rem 0.625rem; color: var(--quiet); margin: 0; }
`;
