// References to procedures: registered for as long as they are mounted, bound to what the user is looking at (spec:
// contextual.md).
//
// A reference is a registration with one capability, whose handler is the registry's executor. Which keys its binding
// fixes may be known only later; until then it is there and unavailable, so that a binding that throws opens no field.

import { NO_CONTRACT, type Entry, type InternedContract } from "../contract/intern.js";
import type { ProcedureRef } from "../contract/procedure.js";
import type { AgentConsumer, HandlerConfirmation } from "../contract/types.js";
import { isObject, isThenable, swallow } from "../contract/values.js";
import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import { freshRegistrationId } from "../ids.js";
import { jsonText, toWellFormed } from "../json/value.js";
import { CallContext } from "./call.js";
import type { RegistryCore } from "./core.js";
import { Handle, mount, registrationOf, type RegistrationHandle } from "./mount.js";
import { mountFlags } from "./policy_flags.js";
import { prepareReference, textOf, type Config, type Prepared } from "./procedure_config.js";
import { placeKey, Registration } from "./registration.js";

/** What the executor is told beside the input. */
export interface ProcedureInfo {
  readonly invocationId: string;
  readonly consumer: AgentConsumer;
  readonly signal: AbortSignal;
  readonly confirmation?: HandlerConfirmation;
}

export interface ProcedureCall {
  readonly path: string;
  /** Merged and validated. */
  readonly input: unknown;
  readonly info: ProcedureInfo;
}

/** Runs procedures through the application's own client. */
export interface ProcedureExecutor {
  /** Procedures that the application has; view capabilities of the same name are suspected of doubling them. */
  readonly paths?: readonly string[];
  execute(call: ProcedureCall): unknown;
}

export function registerProcedure(
  core: RegistryCore,
  contract: object,
  ref: ProcedureRef,
  config: Config = {},
): RegistrationHandle {
  core.assertLive();
  if (!isObject(contract))
    throw invalidDefinition("registerProcedure takes a contract, a reference and a configuration");
  const prepared = prepareReference(core, contract, ref, config);
  const place = prepared === undefined ? undefined : placeOf(core, config.owner);
  if (prepared === undefined || place === "gone") return deadHandle(core, freshRegistrationId());
  return mountReference(core, prepared, place);
}

interface Place {
  readonly type: string;
  readonly instanceId: string;
  readonly owner: Registration | undefined;
}

/** The component that a reference belongs to; "gone" for a handle of one that is not registered. */
function placeOf(core: RegistryCore, owner: unknown): Place | "gone" | undefined {
  if (owner === undefined) return undefined;
  const held = isObject(owner) ? registrationOf(owner) : undefined;
  if (held !== undefined) {
    return held.status === "registered" && core.registrations.get(held.reg) === held ? placeIn(held) : "gone";
  }
  const type: unknown = isObject(owner) ? Reflect.get(owner, "type") : undefined;
  const instanceId: unknown = isObject(owner) ? (Reflect.get(owner, "instanceId") ?? "default") : undefined;
  if (typeof type !== "string" || typeof instanceId !== "string") {
    throw invalidDefinition("the owner of a reference is a registration's handle, or { type, instanceId? }");
  }
  for (const one of core.registrations.values()) {
    if (one.contract.type === type && one.governed.instanceId === instanceId) return placeIn(one);
  }
  return { type, instanceId, owner: undefined };
}

export function placeIn(owner: Registration): Place {
  return { type: owner.contract.type, instanceId: owner.governed.instanceId, owner };
}

export function deadHandle(core: RegistryCore, registrationId: string): RegistrationHandle {
  const registration = new Registration(0, registrationId, NO_CONTRACT, []);
  registration.release("rejected");
  return new Handle(core, registration);
}

export function mountReference(core: RegistryCore, prepared: Prepared, place: Place | undefined): RegistrationHandle {
  const { config, policies } = prepared;
  const binding = new Binding(core, prepared);
  const contract = binding.contract();
  core.assertLive();
  const registrationId = freshRegistrationId();
  const owner = place?.owner;
  let text = `{"registrationId":"${registrationId}"`;
  if (place !== undefined) {
    text += `,"owner":${textOf(prepared.path, { type: place.type, instanceId: place.instanceId })}`;
  }
  if (config.meta !== undefined) text += `,"meta":${textOf(prepared.path, config.meta)}`;
  // Whose policies an owner will bring that is not mounted yet is anybody's guess.
  const awaited = place !== undefined && owner === undefined;
  text += awaited
    ? ',"policies":true,"votes":true,"discovery":true'
    : mountFlags(contract, policies, owner?.governed.policies.component);
  const [registration, pending] = mount(core, {
    registrationId,
    contract,
    text: `${text}}`,
    entries: [binding.entry],
    governed: { instanceId: place?.instanceId ?? "default", internal: undefined, policies },
    owner,
  });
  binding.registration = registration;
  if (config.describe !== undefined) core.described.set(registration, undefined);
  if (awaited) core.awaited.set(registration, placeKey(place.type, place.instanceId));
  if (pending) core.outbox.take();
  return new Handle(core, registration);
}

/** A component that references were waiting for has come. */
export function adoptReferences(core: RegistryCore, owner: Registration): void {
  if (core.awaited.size === 0) return;
  const key = placeKey(owner.contract.type, owner.governed.instanceId);
  for (const [reference, wanted] of [...core.awaited]) {
    if (wanted !== key) continue;
    core.awaited.delete(reference);
    reference.owner = owner;
    reference.chains = undefined;
    const { registrationId, contract, governed } = reference;
    const inherited = owner.governed.policies.component;
    if (core.outbox.audience.add(registrationId, contract, governed.policies, inherited)) core.listen();
    core.gates.add(reference);
  }
}

/** The part of a reference that lives: what its binding gives, and which keys those are. */
class Binding {
  readonly entry: Entry;
  registration: Registration | undefined;
  readonly #core: RegistryCore;
  readonly #prepared: Prepared;
  /** Undefined: nothing is bound, or it is not known yet. */
  #keys: readonly string[] | undefined;
  #failed = false;

  constructor(core: RegistryCore, prepared: Prepared) {
    this.#core = core;
    this.#prepared = prepared;
    const { config, path } = prepared;
    this.#keys = config.boundFields;
    const { when, describe, bind } = config;
    const waits = bind !== undefined && this.#keys === undefined;
    this.entry = {
      execute: (input, context) => execute(core, path, input, context),
      ...(bind === undefined ? {} : { bind: () => config.bind?.() }),
      ...(describe === undefined ? {} : { describe: () => config.describe?.() }),
      ...(when === undefined && !waits ? {} : { when: () => this.#open() }),
      unavailableReason: () => this.#reason(),
    };
    if (waits) this.#learn();
  }

  contract(): InternedContract {
    const { literal, manifest, config, path } = this.#prepared;
    const waits = config.bind !== undefined && this.#keys === undefined;
    let text = `{"procedure":${literal}${manifest}`;
    if (this.#keys !== undefined) text += `,"bound":${toWellFormed(JSON.stringify(this.#keys))}`;
    if (config.overridableFields !== undefined && this.#keys !== undefined) {
      const keys = config.overridableFields.filter((key) => this.#keys?.includes(key));
      text += `,"overridable":${toWellFormed(JSON.stringify(keys))}`;
    }
    if (waits) text += ',"unbound":true';
    if (config.confirmation !== undefined) text += `,"confirmation":${JSON.stringify(config.confirmation)}`;
    if (config.concurrency !== undefined) text += `,"concurrency":${textOf(path, config.concurrency)}`;
    return this.#core.contracts.reference(`${text}}`, config.confirmation, path);
  }

  #open(): unknown {
    const { config } = this.#prepared;
    this.#failed = config.bind !== undefined && this.#keys === undefined && !this.#learn();
    if (this.#failed) return false;
    return config.when === undefined ? true : config.when();
  }

  #reason(): string {
    if (this.#failed) return "binding-error";
    const { unavailableReason } = this.#prepared.config;
    return (typeof unavailableReason === "function" ? unavailableReason() : unavailableReason) ?? "";
  }

  /** The keys of the first time that the binding succeeds stay. */
  #learn(): boolean {
    const bound = boundOf(this.entry);
    if (bound === undefined) return false;
    this.#keys = bound.keys;
    const { registration } = this;
    if (registration === undefined) return true;
    const core = this.#core;
    registration.contract = this.contract();
    const { reg, contract } = registration;
    const pending = core.runtime.checked("", (table) => table.rebind(core.h, reg, contract.id, core.now()));
    if (pending !== 0) queueMicrotask(() => core.quietly(() => core.outbox.take()));
    return true;
  }
}

/** What `bind()` gives, as JSON text; "" when it gives no plain object of JSON values. Never throws. */
export function boundText(entry: Entry): string {
  return boundOf(entry)?.text ?? "";
}

/**
 * The keys are the object's own and not those of the text: one whose value is undefined has no place in JSON, yet it is
 * bound, and must not be open to the agent because nothing is selected yet.
 */
function boundOf(entry: Entry): { readonly text: string; readonly keys: readonly string[] } | undefined {
  try {
    const bound = entry.bind?.();
    if (isThenable(bound)) swallow(bound);
    else if (isObject(bound) && !Array.isArray(bound)) {
      const json = jsonText(bound, BOUNDS);
      if ("text" in json) return { text: json.text, keys: Object.keys(bound) };
    }
  } catch {
    // A binding that throws gives nothing.
  }
  return undefined;
}
const BOUNDS = { maxDepth: 64, maxBytes: 1 << 20 };

/** `,"notes":[[reg, text or null], …]`: what `describe()` says now, changes only; "" when there are none. */
export function notesText(core: RegistryCore): string {
  let text = "";
  for (const [registration, told] of core.described) {
    const note = noteOf(registration);
    if (note === told) continue;
    core.described.set(registration, note);
    text += `,[${String(registration.reg)},${note === undefined ? "null" : JSON.stringify(note)}]`;
  }
  return text === "" ? "" : `,"notes":[${text.slice(1)}]`;
}

function noteOf(registration: Registration): string | undefined {
  try {
    const note = registration.entries?.[0]?.describe?.();
    if (isThenable(note)) swallow(note);
    return typeof note === "string" && note !== "" ? toWellFormed(note) : undefined;
  } catch {
    return undefined;
  }
}

function execute(core: RegistryCore, path: string, input: unknown, context: object): unknown {
  const { executor } = core;
  if (executor === undefined || !(context instanceof CallContext)) throw new Error("no executor of procedures is set");
  const { invocationId = "", consumer, signal, confirmation } = context;
  const info = { invocationId, consumer, signal, ...(confirmation === undefined ? {} : { confirmation }) };
  return executor.execute({ path, input, info });
}

export function setExecutor(core: RegistryCore, executor: ProcedureExecutor | undefined): void {
  core.assertLive();
  if (executor !== undefined && (!isObject(executor) || typeof executor.execute !== "function")) {
    throw new AgentSurfaceDefinitionError("INVALID_DEFINITION", "an executor has execute({ path, input, info })");
  }
  core.executor = executor;
  const paths = executor?.paths;
  if (paths !== undefined) core.runtime.call(textOf("executor", paths), (table) => table.knownPaths(core.h));
}
