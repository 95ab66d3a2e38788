// What a team would write by hand instead: a registry in plain JavaScript with ajv-compiled validators.
//
// It does the work that the comparison names, with the means that JavaScript is good at: ids and wire names, mount and
// unmount with tombstones, availability through when(), overrides and `enabled`, projection with JSON.stringify,
// idempotency by call id in a bounded cache, a queue per registration, timeouts, cancellation, output size.
// Validators and the stable halves of descriptors are made once per contract.

import { boundOf, failure, fly } from "./ajv_flight.mjs";

const kTombstones = 100;
const kCached = 200;
const kCacheMs = 600_000;
const kTimeoutMs = 10_000;
const kMaxInput = 65_536;
const kAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const kEmptyInput = { type: "object", properties: {}, additionalProperties: false };
const kAnonymous = { id: "anonymous", kind: "embedded" };

const entropy = new Uint8Array(4096);
let used = entropy.length;

function randomId(prefix, length) {
  let text = prefix;
  while (text.length < prefix.length + length) {
    if (used === entropy.length) {
      crypto.getRandomValues(entropy);
      used = 0;
    }
    const byte = entropy[used++];
    if (byte < 248) text += kAlphabet[byte % 62];
  }
  return text;
}

function wireName(id, instanceId) {
  const base = id.replace(":", "_").replaceAll(".", "__");
  return instanceId === undefined ? base : `${base}_at_${instanceId}`;
}

/** Drops the oldest entries of a Map, which keeps the order of insertion. */
function trim(map, size) {
  for (const key of map.keys()) {
    if (map.size <= size) return;
    map.delete(key);
  }
}

/** undefined when available, else the reason. */
function unavailable(registration, capability) {
  if (!registration.enabled) return "component-disabled";
  const override = registration.overrides.get(capability.name);
  if (override && !override.available) return override.reason ?? "unavailable";
  const { when, unavailableReason = "unavailable" } = boundOf(registration, capability);
  if (when === undefined) return undefined;
  try {
    if (when()) return undefined;
    return typeof unavailableReason === "function" ? unavailableReason() : unavailableReason;
  } catch {
    return "when-error";
  }
}

export class AjvRegistry {
  #ajv;
  #compiled = new WeakMap(); // contract → its capabilities with validators
  #live = new Map(); // registrationId → registration
  #byInstance = new Map(); // "type\ninstance" → registration
  #byCapability = new Map(); // capability id → Set of registrations
  #tombstones = new Map(); // registrationId → its capabilities
  #calls = new Map(); // consumer → Map(call id → record)
  #version = 0;

  constructor(ajv) {
    this.#ajv = ajv;
  }

  register(contract, binding, { instanceId = "default" } = {}) {
    const slot = `${contract.type}\n${instanceId}`;
    if (this.#byInstance.has(slot)) return { status: "rejected", registrationId: "", update() {}, unregister() {} };
    const registration = {
      registrationId: randomId("reg_", 12),
      instanceId,
      slot,
      capabilities: this.#compile(contract),
      binding,
      enabled: true,
      overrides: new Map(),
      running: 0,
      waiting: [],
      flights: new Set(),
      alive: true,
    };
    this.#live.set(registration.registrationId, registration);
    this.#byInstance.set(slot, registration);
    for (const { id } of registration.capabilities) {
      const holders = this.#byCapability.get(id);
      if (holders) holders.add(registration);
      else this.#byCapability.set(id, new Set([registration]));
    }
    this.#version++;
    return {
      status: "active",
      registrationId: registration.registrationId,
      update: (patch) => this.#update(registration, patch),
      unregister: () => this.#unregister(registration),
    };
  }

  /** The catalog as objects, its JSON, and the map from wire names to targets. */
  project() {
    const descriptors = [];
    const names = new Map();
    for (const registration of this.#live.values()) {
      for (const capability of registration.capabilities) {
        const several = this.#byCapability.get(capability.id).size > 1;
        const name = several ? wireName(capability.id, registration.instanceId) : capability.wire;
        const reason = unavailable(registration, capability);
        const descriptor = { wireName: name, ...capability.stable, available: reason === undefined };
        if (reason !== undefined) descriptor.unavailableReason = reason;
        descriptors.push(descriptor);
        names.set(name, { canonicalId: capability.id, registrationId: registration.registrationId });
      }
    }
    return { version: this.#version, descriptors, names, json: JSON.stringify(descriptors) };
  }

  /** Dedupes by call id; everything else is `#run`'s. */
  invoke(request, { consumer = kAnonymous, timeoutMs = kTimeoutMs, signal } = {}) {
    const invocationId = request.invocationId ?? randomId("inv_", 12);
    const mine = this.#callsOf(consumer);
    const inputText = request.input === undefined ? "" : JSON.stringify(request.input);
    const print = JSON.stringify([request.capabilityId, request.registrationId, request.instanceId, inputText]);
    const earlier = mine.get(invocationId);
    if (earlier && (earlier.pending || Date.now() - earlier.at < kCacheMs)) {
      if (earlier.print === print) return earlier.promise;
      const conflict = failure("INVOCATION_CONFLICT", "The id was used for another request.", "with-changes");
      return Promise.resolve(this.#finish(request, invocationId, conflict));
    }
    const record = { print, pending: true, at: Date.now(), promise: undefined };
    const call = { invocationId, consumer, timeoutMs, signal, input: undefined };
    record.promise = this.#run(request, call, inputText).then((result) => {
      record.pending = false;
      record.at = Date.now();
      if (result.error?.code === "RATE_LIMITED") mine.delete(invocationId);
      return result;
    });
    mine.set(invocationId, record);
    trim(mine, kCached);
    return record.promise;
  }

  async #run(request, call, inputText) {
    const { invocationId } = call;
    const startedAt = this.#version;
    const { registration, error } = this.#resolve(request);
    if (error) return this.#finish(request, invocationId, error);
    const capability = registration.capabilities.find((one) => one.id === request.capabilityId);
    const reason = unavailable(registration, capability);
    if (reason !== undefined) {
      const closed = failure("CAPABILITY_NOT_AVAILABLE", "Not available now.", "after-refresh", { reason });
      return this.#finish(request, invocationId, closed);
    }
    if (inputText.length > kMaxInput) {
      return this.#finish(request, invocationId, failure("INVALID_INPUT", "The input is too large.", "with-changes"));
    }
    call.input = inputText === "" ? {} : JSON.parse(inputText);
    if (!capability.validate(call.input)) {
      const issues = capability.validate.errors.map(({ instancePath, message }) => ({ path: instancePath, message }));
      const invalid = failure("INVALID_INPUT", "The input does not fit the schema.", "with-changes", { issues });
      return this.#finish(request, invocationId, invalid);
    }
    const outcome = await fly(registration, capability, call);
    const result = this.#finish(request, invocationId, outcome.error, outcome.output);
    if (this.#version !== startedAt) result.surfaceChanged = true;
    return result;
  }

  #resolve({ capabilityId, registrationId, instanceId }) {
    const holders = this.#byCapability.get(capabilityId);
    if (registrationId !== undefined) {
      const registration = this.#live.get(registrationId);
      if (registration && holders?.has(registration)) return { registration };
      if (holders) return { error: failure("STALE_CAPABILITY", "The component was mounted again.", "after-refresh") };
      if (this.#tombstones.has(registrationId)) {
        return { error: failure("COMPONENT_UNMOUNTED", "The component left the page.", "after-refresh") };
      }
      return { error: failure("CAPABILITY_NOT_FOUND", "No such capability.", "after-refresh") };
    }
    const all = holders ? [...holders] : [];
    const candidates = instanceId === undefined ? all : all.filter((one) => one.instanceId === instanceId);
    if (candidates.length === 1) return { registration: candidates[0] };
    if (candidates.length > 1) return { error: failure("AMBIGUOUS_INSTANCE", "Several have it.", "with-changes") };
    return { error: failure("CAPABILITY_NOT_FOUND", "No such capability.", "after-refresh") };
  }

  #update(registration, { enabled, availability }) {
    if (!registration.alive) return;
    if (enabled !== undefined) registration.enabled = enabled;
    for (const [name, state] of Object.entries(availability ?? {})) {
      if (state === null) registration.overrides.delete(name);
      else registration.overrides.set(name, state);
    }
    this.#version++;
  }

  #unregister(registration) {
    if (!registration.alive) return;
    registration.alive = false;
    this.#live.delete(registration.registrationId);
    this.#byInstance.delete(registration.slot);
    for (const { id } of registration.capabilities) {
      const holders = this.#byCapability.get(id);
      holders.delete(registration);
      if (holders.size === 0) this.#byCapability.delete(id);
    }
    this.#tombstones.set(registration.registrationId, registration.capabilities);
    trim(this.#tombstones, kTombstones);
    this.#version++;
    for (const flight of [...registration.flights]) {
      flight.end(failure("COMPONENT_UNMOUNTED", "The component left the page.", "after-refresh"));
    }
    registration.binding = undefined;
  }

  #compile(contract) {
    const known = this.#compiled.get(contract);
    if (known) return known;
    const { type, observations, actions } = contract;
    const capabilities = [
      ...Object.entries(observations).map(([name, entry]) => this.#capability(type, name, entry, false)),
      ...Object.entries(actions).map(([name, entry]) => this.#capability(type, name, entry, true)),
    ];
    this.#compiled.set(contract, capabilities);
    return capabilities;
  }

  #capability(type, name, entry, action) {
    const id = `view:${type}.${name}`;
    const effect = action ? entry.effect : "read";
    const inputSchema = action ? entry.input : kEmptyInput;
    const description = `[view · ${effect}] ${entry.description}`;
    const stable = { canonicalId: id, plane: "view", description, inputSchema, effect, confirmation: "never" };
    return { id, name, action, wire: wireName(id), validate: this.#ajv.compile(inputSchema), stable };
  }

  #callsOf(consumer) {
    const key = `${consumer.kind}:${consumer.id}`;
    let mine = this.#calls.get(key);
    if (!mine) this.#calls.set(key, (mine = new Map()));
    return mine;
  }

  #finish({ capabilityId }, invocationId, error, output) {
    const surfaceVersion = String(this.#version);
    if (error) return { status: "error", invocationId, capabilityId, error, surfaceVersion };
    if (output === undefined) return { status: "ok", invocationId, capabilityId, surfaceVersion };
    return { status: "ok", invocationId, capabilityId, output, surfaceVersion };
  }
}
