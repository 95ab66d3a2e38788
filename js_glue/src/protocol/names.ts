// What the wire names of a projection stand for. Fetched when the names change, which mounting and unmounting do;
// everything else leaves the same map in place.

import type { RegistryCore } from "../registry/core.js";
import { trusted, type WireNamesAnswer } from "../runtime/answers.js";

export interface WireTarget {
  readonly canonicalId: string;
  readonly registrationId: string;
  readonly instanceId?: string;
}

/** Priority, and the instance where there are several. */
export type ToolRank = readonly [priority: number, instanceId: string | null];

type Withheld = readonly { readonly canonicalId: string; readonly reason: string }[];

/** Parsed when somebody looks: a step that only sends bytes never does. */
export class WireNames {
  readonly generation: number;
  #text: string;
  #map: ReadonlyMap<string, WireTarget> | undefined;
  #withheld: Withheld = Object.freeze([]);
  #names: WireNamesAnswer["names"] = [];

  constructor(generation: number, text: string) {
    this.generation = generation;
    this.#text = text;
  }

  get map(): ReadonlyMap<string, WireTarget> {
    return this.#map ?? this.#parse();
  }

  get withheld(): Withheld {
    if (this.#map === undefined) this.#parse();
    return this.#withheld;
  }

  get ranks(): readonly ToolRank[] {
    if (this.#map === undefined) this.#parse();
    return this.#names.map(([, , , instanceId, priority]) => [priority ?? 0, instanceId ?? null]);
  }

  #parse(): ReadonlyMap<string, WireTarget> {
    const answer = trusted<WireNamesAnswer>(this.#text);
    this.#text = "";
    const map = new Map<string, WireTarget>();
    for (const [wireName, canonicalId, registrationId, instanceId] of answer.names) {
      const target =
        typeof instanceId === "string" ? { canonicalId, registrationId, instanceId } : { canonicalId, registrationId };
      map.set(wireName, Object.freeze(target));
    }
    this.#names = answer.names;
    this.#withheld = Object.freeze(answer.withheld.map((one) => Object.freeze(one)));
    return (this.#map = new FixedMap(map));
  }
}

/** Per registry and view of it, the names of the last projection. */
const latest = new WeakMap<RegistryCore, Map<number, WireNames>>();

export function namesOf(core: RegistryCore, view: number, generation: number): WireNames {
  let views = latest.get(core);
  if (views === undefined) latest.set(core, (views = new Map()));
  const known = views.get(view);
  if (known?.generation === generation) return known;
  const names = new WireNames(
    generation,
    core.runtime.text("", (table) => table.wireNames(core.h, view)),
  );
  views.set(view, names);
  return names;
}

/** A map that nobody can change: projections share it. */
class FixedMap<K, V> implements ReadonlyMap<K, V> {
  readonly #map: Map<K, V>;
  constructor(map: Map<K, V>) {
    this.#map = map;
  }
  get size(): number {
    return this.#map.size;
  }
  get(key: K): V | undefined {
    return this.#map.get(key);
  }
  has(key: K): boolean {
    return this.#map.has(key);
  }
  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.#map) visit(value, key, this);
  }
  keys(): MapIterator<K> {
    return this.#map.keys();
  }
  values(): MapIterator<V> {
    return this.#map.values();
  }
  entries(): MapIterator<[K, V]> {
    return this.#map.entries();
  }
  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#map.entries();
  }
}
