// Who holds which (type, instance) of a registry, as far as React knows, and who waits for it.
//
// A component that enters while another still holds its place (an animated exit, a second root) waits without asking
// the registry again and again, and registers in the moment in which the holder unregisters. The registry is listened to
// only while somebody waits.

import { RuntimeDeadError } from "../errors.js";
import type { RegistryCore } from "../registry/core.js";
import { knownCore } from "../registry/internals.js";
import type { RegistrationHandle } from "../registry/mount.js";
import { placeKey } from "../registry/registration.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { SurfaceEvent } from "../runtime/answers.js";

/** One component that is mounted in React, registered or waiting. */
export interface Seat {
  readonly key: string;
  readonly register: () => RegistrationHandle;
  /** Told of each registration, and of what a late one threw. */
  readonly onRegistered: (handle: RegistrationHandle) => void;
  readonly onFailed: (error: unknown) => void;
}

interface Holder {
  readonly seat: Seat;
  readonly handle: RegistrationHandle;
}

export class SeatBook {
  readonly core: RegistryCore;
  readonly #registry: AgentSurfaceRegistry;
  readonly #holders = new Map<string, Holder>();
  readonly #seated = new Set<Seat>();
  /** Each first in, first out. */
  readonly #waiting = new Map<string, Set<Seat>>();
  /** By key: who wants to hear that somebody took the place. */
  readonly #watching = new Map<string, Set<() => void>>();
  #unsubscribe: (() => void) | undefined;

  constructor(registry: AgentSurfaceRegistry) {
    this.#registry = registry;
    this.core = knownCore(registry, "viewcap/react");
  }

  /** Throws an author's mistake; a registry that is no more registers nobody. */
  enter(seat: Seat): void {
    if (this.core.gone) return;
    this.#seated.add(seat);
    if (this.isTaken(seat.key) && !this.core.settings.replaces) this.#wait(seat);
    else this.#attempt(seat);
  }

  leave(seat: Seat): void {
    this.#seated.delete(seat);
    this.#stopWaiting(seat);
    const holder = this.#holders.get(seat.key);
    if (holder?.seat !== seat) return;
    this.#holders.delete(seat.key);
    holder.handle.unregister();
  }

  isTaken(key: string): boolean {
    return this.#holders.get(key)?.handle.status === "registered";
  }

  /** Calls back each time a component of React's takes the place. Returns the end of it. */
  watch(key: string, listener: () => void): () => void {
    const watching = this.#watching.get(key) ?? new Set();
    this.#watching.set(key, watching.add(listener));
    return () => {
      if (watching.delete(listener) && watching.size === 0) this.#watching.delete(key);
    };
  }

  #attempt(seat: Seat): void {
    const handle = this.#register(seat);
    if (handle === undefined) return;
    // The registration guard or a listener may have unmounted it meanwhile.
    if (!this.#seated.has(seat)) return handle.unregister();
    if (handle.status !== "registered") return this.#wait(seat);
    this.#stopWaiting(seat);
    const former = this.#holders.get(seat.key);
    this.#holders.set(seat.key, { seat, handle });
    seat.onRegistered(handle);
    // Replaced, but still mounted: its turn comes again when the newcomer leaves.
    if (former !== undefined && former.seat !== seat) this.#wait(former.seat);
    for (const tell of [...(this.#watching.get(seat.key) ?? [])]) tell();
  }

  #register(seat: Seat): RegistrationHandle | undefined {
    try {
      return seat.register();
    } catch (error) {
      if (error instanceof RuntimeDeadError) return undefined;
      throw error;
    }
  }

  #wait(seat: Seat): void {
    const queue = this.#waiting.get(seat.key);
    if (queue !== undefined) queue.add(seat);
    else this.#waiting.set(seat.key, new Set([seat]));
    if (!this.core.gone) this.#unsubscribe ??= this.#registry.subscribe((event) => this.#hear(event));
  }

  #stopWaiting(seat: Seat): void {
    const queue = this.#waiting.get(seat.key);
    if (queue === undefined || !queue.delete(seat) || queue.size > 0) return;
    this.#waiting.delete(seat.key);
    if (this.#waiting.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #hear(event: SurfaceEvent): void {
    if (event.type !== "component-unregistered") return;
    const queue = this.#waiting.get(placeKey(event.componentType, event.instanceId));
    for (const seat of queue ?? []) {
      // An event that was delivered late tells of an earlier holder.
      if (this.isTaken(seat.key)) return;
      try {
        return this.#attempt(seat);
      } catch (error) {
        this.#stopWaiting(seat);
        seat.onFailed(error);
      }
    }
  }
}

/** Neither disposed nor lost with its module: there is something left to work with. */
export function isLive(registry: AgentSurfaceRegistry): boolean {
  return !seatsOf(registry).core.gone;
}

const books = new WeakMap<AgentSurfaceRegistry, SeatBook>();

export function seatsOf(registry: AgentSurfaceRegistry): SeatBook {
  const known = books.get(registry);
  if (known !== undefined) return known;
  const made = new SeatBook(registry);
  books.set(registry, made);
  return made;
}
