// The console plays the agent: it projects the live surface, calls by wire name and shows the typed result.
import { projectStep } from "/viewcap/protocol/index.js";
import { byId, el } from "./dom.js";

const CONSUMER = { id: "console", kind: "embedded" };
const MAX_EVENTS = 60;

export class AgentConsole {
  #registry;
  #projection;
  #chosen = null; // a wire name
  #held = null; // {wireName, target, input, takenAt}

  constructor(registry) {
    this.#registry = registry;
    registry.subscribe((event) => this.#log(event));
    registry.confirmations.subscribe(() => this.#renderPending());
    byId("call").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#withInput((input) => this.#call(this.#projection.wireNames.get(this.#chosen), input));
    });
    byId("hold").addEventListener("click", () => this.#withInput((input) => this.#hold(input)));
    byId("call-held").addEventListener("click", () => this.#call(this.#held.target, this.#held.input));
    byId("release").addEventListener("click", () => {
      this.#held = null;
      this.#renderHeld();
      byId("hold").focus();
    });
  }

  /** Takes one step's projection, as an agent would get it, and shows it. */
  refresh() {
    this.#projection = projectStep(this.#registry, { consumer: CONSUMER });
    const { descriptors, surfaceVersion, wireNames } = this.#projection;
    byId("surface").textContent = `Surface version ${surfaceVersion}.`;
    byId("catalog-count").textContent = `${descriptors.length} capabilities`;
    this.#renderCatalog(descriptors);
    if (!wireNames.has(this.#chosen)) this.#choose(descriptors[0]);
    this.#renderHeld();
  }

  // ---- the catalog

  #renderCatalog(descriptors) {
    const catalog = byId("catalog");
    const shown = [...catalog.children].map((item) => item.dataset.name);
    const names = descriptors.map((descriptor) => descriptor.wireName);
    if (shown.join() !== names.join()) {
      const focused = catalog.contains(document.activeElement);
      catalog.replaceChildren(...descriptors.map((descriptor) => this.#catalogItem(descriptor)));
      if (focused) (catalog.querySelector("input:checked") ?? catalog.querySelector("input"))?.focus();
    }
    descriptors.forEach(({ available, unavailableReason }, index) => {
      const item = catalog.children[index];
      item.classList.toggle("unavailable", !available);
      item.querySelector(".state").textContent = available ? "available" : `unavailable. ${unavailableReason}`;
    });
  }

  #catalogItem(descriptor) {
    const { wireName, effect } = descriptor;
    const radio = el("input", {
      type: "radio",
      name: "capability",
      value: wireName,
      checked: wireName === this.#chosen,
    });
    radio.addEventListener("change", () => this.#choose(descriptor));
    const facts = [el("span", { className: "effect" }, effect), " ", el("span", { className: "state" })];
    const name = el("span", { className: "wire" }, wireName);
    const item = el("label", { className: "capability" }, radio, name, el("span", { className: "facts" }, ...facts));
    item.dataset.name = wireName;
    return item;
  }

  #choose(descriptor) {
    this.#chosen = descriptor.wireName;
    for (const radio of byId("catalog").querySelectorAll("input")) radio.checked = radio.value === this.#chosen;
    byId("call-name").textContent = descriptor.wireName;
    byId("call-description").textContent = descriptor.description.replace(/^\[[^\]]*\]\s*/, "");
    byId("input-error").textContent = "";
    const input = byId("input");
    input.value = JSON.stringify(sampleInput(descriptor.inputSchema), null, 2);
    input.rows = Math.min(10, Math.max(2, input.value.split("\n").length));
  }

  // ---- calls

  #withInput(use) {
    byId("input-error").textContent = "";
    let value;
    try {
      value = JSON.parse(byId("input").value);
    } catch (error) {
      byId("input-error").textContent = `This is not JSON: ${error.message}`;
      byId("input").focus();
      return;
    }
    use(value);
  }

  /** The target names its registration, so that a call never lands in another component than the one that was meant. */
  async #call({ canonicalId, ...target }, input) {
    const request = { capabilityId: canonicalId, ...target, input };
    const result = await this.#registry.invoke(request, { consumer: CONSUMER });
    showResult(result);
    if (result.error?.code === "CONFIRMATION_REQUIRED") await this.#callAgain(request, result.error.details);
  }

  // ---- what needs a person: asked once, and the same call again with the answer

  async #callAgain(request, { confirmationId }) {
    await this.#registry.confirmations.waitFor(confirmationId);
    showResult(await this.#registry.invoke({ ...request, confirmationId }, { consumer: CONSUMER }));
  }

  #renderPending() {
    const { confirmations } = this.#registry;
    const pending = confirmations.pending();
    const box = byId("confirmations");
    const hadFocus = box.contains(document.activeElement);
    box.hidden = pending.length === 0;
    byId("pending").replaceChildren(
      ...pending.map(({ confirmationId, capabilityId, summary }) => {
        const decide = (approved, label, className) =>
          el(
            "button",
            { type: "button", className, onclick: () => confirmations.resolve(confirmationId, { approved }) },
            label,
          );
        return el(
          "li",
          {},
          el("p", {}, summary),
          el("p", { className: "wire" }, capabilityId),
          el("div", { className: "buttons" }, decide(true, "Approve", "primary"), decide(false, "Deny", "")),
        );
      }),
    );
    if (pending.length > 0) box.scrollIntoView({ block: "nearest" });
    else if (hadFocus) byId("input").focus();
  }

  // ---- the held descriptor: taken now, called later, when its component may be another one or none

  #hold(input) {
    const { wireNames, surfaceVersion } = this.#projection;
    this.#held = { wireName: this.#chosen, target: wireNames.get(this.#chosen), input, takenAt: surfaceVersion };
    this.#renderHeld();
  }

  #renderHeld() {
    const held = this.#held;
    byId("held").hidden = held === null;
    byId("hold-hint").hidden = held !== null;
    if (held === null) return;
    const { registrationId } = held.target;
    const live = [...this.#projection.wireNames.values()].some((target) => target.registrationId === registrationId);
    byId("held").classList.toggle("gone", !live);
    byId("held-state").textContent = live ? "live" : "no longer live";
    byId("held-name").textContent = held.wireName;
    byId("held-note").textContent = live
      ? `Taken at version ${held.takenAt} from ${registrationId}. Now remount the table, leave the page or close the reminder, and call it.`
      : `${registrationId}, taken at version ${held.takenAt}, has been unmounted. Calling it tells the agent so.`;
  }

  // ---- events

  #log(event) {
    const { type, ...details } = event;
    const name = el("span", { className: "event" }, type);
    const log = byId("events");
    log.prepend(el("li", {}, name, " ", el("span", { className: "quiet" }, Object.values(details).join(" · "))));
    while (log.children.length > MAX_EVENTS) log.lastChild.remove();
    if (type === "surface-changed" || type === "availability-changed") this.refresh();
  }
}

/** A first input to edit: the schema's own example, else one value for each required property. */
function sampleInput(schema) {
  if (schema.examples?.length > 0) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  const { properties = {}, required = [] } = schema;
  if (schema.type === "object")
    return Object.fromEntries(required.map((key) => [key, sampleInput(properties[key] ?? {})]));
  return { array: [], string: "", integer: 0, number: 0, boolean: false }[schema.type] ?? null;
}

function showResult(result) {
  const { error } = result;
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  const facts = error
    ? { message: error.message, retry: error.retry, ...error.details }
    : { capability: result.capabilityId, version: result.surfaceVersion };
  if (result.surfaceChanged) facts.surface = `changed during the call, now version ${result.surfaceVersion}`;
  byId("result").replaceChildren(
    el("p", { className: error ? "verdict failed" : "verdict" }, error ? error.code : "ok"),
    el("dl", {}, ...Object.entries(facts).flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, text(value))])),
    el("pre", { tabIndex: 0, ariaLabel: "The whole result" }, JSON.stringify(result, null, 2)),
  );
  byId("result").scrollIntoView({ block: "nearest" });
}
