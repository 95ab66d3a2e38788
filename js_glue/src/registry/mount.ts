// Registering and the handle of a registration.

import type { AgentComponentDefinition } from "../contract/types.js";
import { naming, type Entry, type InternedContract, type Split } from "../contract/intern.js";
import { isThenable, swallow } from "../contract/values.js";
import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import { freshRegistrationId } from "../ids.js";
import { jsonCopy, jsonText, LOOSE_BOUNDS, quoted, type JsonValue } from "../json/value.js";
import type { RegistryCore } from "./core.js";
import { mountFlags } from "./policy_flags.js";
import { preparedOf } from "./procedure_config.js";
import { adoptReferences, mountReference, placeIn } from "./procedures.js";
import { placeKey, Registration, type Governed, type Pushed, type RegistrationStatus } from "./registration.js";

export interface RegistrationPatch {
  readonly enabled?: boolean | undefined;
  /** By capability name; null takes an override back. */
  readonly availability?: Readonly<Record<string, { readonly available: boolean; readonly reason?: string } | null>>;
}

export interface RegistrationHandle {
  readonly registrationId: string;
  readonly status: RegistrationStatus;
  /** No-ops after unregistration. */
  update(patch: RegistrationPatch): void;
  invalidate(): void;
  unregister(): void;
}

export function register(core: RegistryCore, definition: AgentComponentDefinition): RegistrationHandle {
  core.assertLive();
  const split = core.contracts.split(definition);
  const { contract, fields } = split;
  const registrationId = freshRegistrationId();
  const instanceId: unknown = Reflect.get(fields, "instanceId");
  const admitted = core.settings.onRegister === undefined || guardAdmits(core, split, instanceId);
  core.assertLive();
  const references = preparedOf(core, contract.type, Reflect.get(fields, "procedures"));
  const [registration, pending] = mount(core, {
    registrationId,
    contract,
    text: mountText(split, registrationId, admitted),
    entries: split.entries,
    governed: {
      instanceId: typeof instanceId === "string" ? instanceId : "default",
      internal: Reflect.get(fields, "internal"),
      policies: split.policies,
    },
  });
  if (registration.status === "registered") {
    if (Reflect.get(fields, "enabled") === false) registration.pushed = pushedBy(registration, { enabled: false });
    if (core.settings.replaces) replaceFormer(core, registration);
  }
  if (pending) core.outbox.take();
  if (registration.reg !== 0) adoptReferences(core, registration);
  for (const reference of references) {
    // A listener that heard of the mount may have ended it.
    if (registration.status === "registered") mountReference(core, reference, placeIn(registration));
  }
  return new Handle(core, registration);
}

/** What is mounted, a component or a reference to a procedure. */
export interface Mounting {
  readonly registrationId: string;
  readonly contract: InternedContract;
  /** For the module. */
  readonly text: string;
  readonly entries: readonly Entry[];
  readonly governed: Governed;
  /** Of a reference. */
  readonly owner?: Registration | undefined;
}

/** Mounted, or rejected; and whether the outbox is pending, which the caller takes when it has done its part. */
export function mount(core: RegistryCore, mounting: Mounting): readonly [Registration, boolean] {
  const { registrationId, contract, text, entries, governed, owner } = mounting;
  const { audience } = core.outbox;
  core.enter();
  if (audience.add(registrationId, contract, governed.policies, owner?.governed.policies.component)) core.listen();
  let answer: number;
  try {
    answer = core.runtime.mount(core.h, contract.id, core.now(), text);
  } catch (error) {
    audience.retire(registrationId);
    throw naming(contract.type, error);
  }
  const reg = Math.floor(answer / 2);
  const registration = new Registration(reg, registrationId, contract, reg === 0 ? [] : entries, governed);
  registration.owner = owner;
  registration.onRelease = () => audience.retire(registrationId);
  if (reg === 0) registration.release("rejected");
  else {
    core.registrations.set(reg, registration);
    core.gates.add(registration);
  }
  return [registration, answer % 2 === 1];
}

function replaceFormer(core: RegistryCore, registration: Registration): void {
  const key = placeKey(registration.contract.type, registration.governed.instanceId);
  const former = core.byInstance.get(key);
  if (former !== undefined) core.release(former);
  registration.key = key;
  core.byInstance.set(key, registration);
}

function guardAdmits(core: RegistryCore, split: Split, instanceId: unknown): boolean {
  const { type, origin, description, tags, meta } = split.contract;
  const internal: unknown = Reflect.get(split.fields, "internal");
  const candidate = {
    type,
    instanceId: typeof instanceId === "string" ? instanceId : "default",
    origin,
    description,
    ...(tags === undefined ? {} : { tags }),
    ...(meta === undefined ? {} : { meta }),
    ...(internal === undefined ? {} : { internal }),
  };
  try {
    const verdict: unknown = core.settings.onRegister?.(candidate);
    // A guard that answers later has not admitted anybody.
    if (!isThenable(verdict)) return verdict !== false;
    swallow(verdict);
    return false;
  } catch {
    return false;
  }
}

function mountText({ contract, fields, policies }: Split, registrationId: string, admitted: boolean): string {
  const { type } = contract;
  let text = `{"registrationId":"${registrationId}"`;
  for (const key of ["instanceId", "parent", "enabled"]) {
    const value: unknown = Reflect.get(fields, key);
    if (value === undefined) continue;
    if (key === "instanceId" && typeof value === "string") {
      const id = quoted(value);
      if (id === undefined) {
        throw new AgentSurfaceDefinitionError("INVALID_ID", `component "${type}": instanceId holds a lone surrogate`);
      }
      text += `,"instanceId":${id}`;
      continue;
    }
    const json = jsonText(value, LOOSE_BOUNDS);
    if ("problem" in json) throw invalidDefinition(`component "${type}": ${key}: ${json.problem.message}`);
    text += `,"${key}":${json.text}`;
  }
  text += mountFlags(contract, policies);
  return admitted ? `${text}}` : `${text},"guard":false}`;
}

const held = new WeakMap<object, Registration>();

export function registrationOf(handle: object): Registration | undefined {
  return held.get(handle);
}

/** Its functions work on their own as well: an effect's clean-up is often `handle.unregister`. */
export class Handle implements RegistrationHandle {
  readonly registrationId: string;
  readonly update: (patch: RegistrationPatch) => void;
  readonly invalidate: () => void;
  readonly unregister: () => void;
  readonly #registration: Registration;

  constructor(core: RegistryCore, registration: Registration) {
    this.registrationId = registration.registrationId;
    this.#registration = registration;
    held.set(this, registration);
    this.update = (patch) => update(core, registration, patchOf(registration, patch));
    this.invalidate = () => update(core, registration, INVALIDATE);
    this.unregister = () => unregister(core, registration);
  }

  get status(): RegistrationStatus {
    return this.#registration.status;
  }
}

const INVALIDATE: JsonValue = { text: '{"invalidate":true}' };

function patchOf(registration: Registration, patch: RegistrationPatch): JsonValue {
  const { type } = registration.contract;
  if (typeof patch !== "object" || patch === null) throw invalidDefinition(`component "${type}": a patch is an object`);
  for (const key of Object.keys(patch)) {
    if (key === "enabled" || key === "availability") continue;
    throw invalidDefinition(`component "${type}": "${key}" cannot be updated; enabled and availability can`);
  }
  const json = jsonText(patch, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`component "${type}": the patch: ${json.problem.message}`);
  return json;
}

/** Registration state after a patch that the module has taken. */
function pushedBy(registration: Registration, patch: unknown): Pushed | undefined {
  if (typeof patch !== "object" || patch === null) return registration.pushed;
  const enabled: unknown = Reflect.get(patch, "enabled") ?? registration.pushed?.enabled ?? true;
  const closed = new Map(registration.pushed?.closed);
  const overrides: unknown = Reflect.get(patch, "availability");
  for (const [name, one] of Object.entries(typeof overrides === "object" && overrides !== null ? overrides : {})) {
    const override: unknown = one;
    const shut = typeof override === "object" && override !== null && Reflect.get(override, "available") === false;
    if (!shut) closed.delete(name);
    else closed.set(name, String(Reflect.get(override, "reason") ?? ""));
  }
  return enabled === true && closed.size === 0 ? undefined : { enabled: enabled === true, closed };
}

function update(core: RegistryCore, registration: Registration, patch: JsonValue): void {
  if (registration.status !== "registered" || core.disposed) return;
  core.assertLive();
  core.enter();
  const { reg, contract } = registration;
  try {
    const pending = core.runtime.update(core.h, reg, core.now(), patch.text);
    if (patch !== INVALIDATE) registration.pushed = pushedBy(registration, jsonCopy(patch));
    if (pending !== 0) core.outbox.take();
  } catch (error) {
    throw naming(contract.type, error);
  }
  core.gates.schedule();
}

function unregister(core: RegistryCore, registration: Registration): void {
  if (registration.status !== "registered") return;
  core.release(registration);
  // Components unmount in the middle of whatever brought the module down; that must not throw at them.
  if (core.gone) return;
  core.enter();
  if (core.runtime.unmount(core.h, registration.reg, core.now()) !== 0) core.outbox.take();
}
