// The console plays the agent: it projects the live surface, calls by wire name and shows the typed result.
import { projectStep } from "/viewcap/protocol/index.js";
import { byId, el } from "./dom.js";

const CONSUMER = { id: "console", kind: "embedded" };
const MAX_EVENTS = 60;

/** A first input to edit: the schema's own example, else one value for each required property. */
export function sampleInput(schema) {
  if (schema.examples?.length > 0) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if ("const" in schema) return schema.const;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") {
    return Object.fromEntries((schema.required ?? []).map((key) => [key, sampleInput(schema.properties?.[key] ?? {})]));
  }
  return { array: [], string: "", integer: schema.minimum ?? 0, number: schema.minimum ?? 0, boolean: false }[type] ?? null;
}

const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const effectOf = ({ effect, description }) => effect ?? /^\[\w+ · ([\w-]+)/.exec(description)?.[1] ?? "read";
const withoutPrefix = (description) => description.replace(/^\[[^\]]*\]\s*/, "");

export function startConsole(registry) {
  const catalog = byId("catalog");
  const input = byId("input");
  let projection;
  let chosen = null;
  let held = null;

  // ---- catalog: one step's projection, as an agent would get it

  function refresh() {
    projection = projectStep(registry, { consumer: CONSUMER });
    const { descriptors, surfaceVersion } = projection;
    byId("surface").textContent = `Surface version ${surfaceVersion}.`;
    byId("catalog-count").textContent = `${descriptors.length} capabilities`;
    renderCatalog(descriptors);
    if (!projection.wireNames.has(chosen)) choose(descriptors[0]);
    renderHeld();
  }

  function renderCatalog(descriptors) {
    const items = [...catalog.children];
    const names = descriptors.map((descriptor) => descriptor.wireName);
    if (items.map((item) => item.dataset.name).join() !== names.join()) {
      const focused = catalog.contains(document.activeElement);
      catalog.replaceChildren(...descriptors.map(catalogItem));
      if (focused) catalog.querySelector("input:checked, input")?.focus();
    }
    descriptors.forEach((descriptor, index) => {
      const item = catalog.children[index];
      item.classList.toggle("unavailable", !descriptor.available);
      item.querySelector(".state").textContent = descriptor.available ? "available" : `unavailable. ${descriptor.unavailableReason}`;
    });
  }

  function catalogItem(descriptor) {
    const { wireName } = descriptor;
    const radio = el("input", { type: "radio", name: "capability", value: wireName, checked: wireName === chosen });
    radio.addEventListener("change", () => choose(descriptor));
    const item = el("label", { className: "capability" }, radio,
      el("span", { className: "wire" }, wireName),
      el("span", { className: "facts" }, el("span", { className: "effect" }, effectOf(descriptor)), " ", el("span", { className: "state" })));
    item.dataset.name = wireName;
    return item;
  }

  function choose(descriptor) {
    chosen = descriptor?.wireName ?? null;
    for (const radio of catalog.querySelectorAll("input")) radio.checked = radio.value === chosen;
    byId("call-name").textContent = chosen ?? "No capability is chosen";
    byId("call-description").textContent = descriptor ? withoutPrefix(descriptor.description) : "";
    input.value = descriptor ? JSON.stringify(sampleInput(descriptor.inputSchema), null, 2) : "";
    input.rows = Math.min(10, Math.max(2, input.value.split("\n").length));
    byId("input-error").textContent = "";
  }

  // ---- calling: the descriptor names the registration, so a call never lands in another component than the one meant

  function readInput() {
    byId("input-error").textContent = "";
    try {
      return { value: JSON.parse(input.value) };
    } catch (error) {
      byId("input-error").textContent = `This is not JSON: ${error.message}`;
      input.focus();
      return null;
    }
  }

  async function call({ canonicalId, registrationId, instanceId }, value) {
    const request = { capabilityId: canonicalId, registrationId, input: value, ...(instanceId ? { instanceId } : {}) };
    showResult(await registry.invoke(request, { consumer: CONSUMER }));
  }

  function showResult(result) {
    const { error } = result;
    const facts = error
      ? [["Message", error.message], ["Retry", error.retry], ...Object.entries(error.details ?? {}).map(([key, value]) => [key, plain(value)])]
      : [["Capability", result.capabilityId]];
    if (result.surfaceChanged) facts.push(["Surface", `changed during the call, now version ${result.surfaceVersion}`]);
    const json = el("pre", { tabIndex: 0, ariaLabel: "The whole result" }, JSON.stringify(result, null, 2));
    byId("result").replaceChildren(
      el("p", { className: error ? "verdict failed" : "verdict" }, error ? error.code : "ok"),
      el("dl", {}, ...facts.flatMap(([term, text]) => [el("dt", {}, term), el("dd", {}, text)])),
      json);
    byId("result").scrollIntoView({ block: "nearest" });
  }

  byId("call").addEventListener("submit", (event) => {
    event.preventDefault();
    const target = projection.wireNames.get(chosen);
    const parsed = target && readInput();
    if (parsed) void call(target, parsed.value);
  });

  // ---- a held descriptor: taken now, called later, when its component may be another one or none

  byId("hold").addEventListener("click", () => {
    const target = projection.wireNames.get(chosen);
    const parsed = target && readInput();
    if (!parsed) return;
    held = { wireName: chosen, target, input: parsed.value, takenAt: projection.surfaceVersion };
    renderHeld();
  });
  byId("call-held").addEventListener("click", () => void call(held.target, held.input));
  byId("release").addEventListener("click", () => {
    held = null;
    renderHeld();
    byId("hold").focus();
  });

  function renderHeld() {
    byId("held").hidden = held === null;
    byId("hold-hint").hidden = held !== null;
    if (held === null) return;
    const live = [...projection.wireNames.values()].some(({ registrationId }) => registrationId === held.target.registrationId);
    byId("held-state").textContent = live ? "live" : "no longer live";
    byId("held").classList.toggle("gone", !live);
    byId("held-name").textContent = held.wireName;
    byId("held-note").textContent = live
      ? `Taken at version ${held.takenAt} from ${held.target.registrationId}. Now remount the table, leave the page or close the reminder, and call it.`
      : `${held.target.registrationId}, taken at version ${held.takenAt}, has been unmounted. Calling it tells the agent so.`;
  }

  // ---- events

  registry.subscribe((event) => {
    const { type, ...detail } = event;
    const log = byId("events");
    log.prepend(el("li", {}, el("span", { className: "event" }, type), " ", el("span", { className: "quiet" }, Object.values(detail).join(" · "))));
    while (log.children.length > MAX_EVENTS) log.lastChild.remove();
    if (type === "surface-changed" || type === "availability-changed") refresh();
  });

  return { refresh };
}
