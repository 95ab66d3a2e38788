// What the page shows of the server's records, loaded again whenever something changed them.
import { useEffect, useState, useSyncExternalStore } from "react";

let version = 0;
let loads = 0;
const listeners = new Set<() => void>();

/** Somebody changed a record: everything that shows records looks again. */
export function recordsChanged(): void {
  version++;
  listeners.forEach((tell) => tell());
}

/** Whether nothing is on its way: an agent that looks at the page waits for that. */
export const isLoaded = (): boolean => loads === 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly loading: boolean;
  readonly error: string | undefined;
}

/** `key` names what is loaded; another key, or a change of the records, loads anew and keeps the old data meanwhile. */
export function useRecords<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const wanted = `${String(useSyncExternalStore(subscribe, () => version))} ${key}`;
  const [state, setState] = useState<{ key: string; data?: T; error?: string }>({ key: "" });
  useEffect(() => {
    let current = true;
    loads++;
    load()
      .then(
        (data) => current && setState({ key: wanted, data }),
        (error: unknown) =>
          current && setState({ key: wanted, error: error instanceof Error ? error.message : "failed" }),
      )
      .finally(() => loads--);
    return () => {
      current = false;
    };
    // The key says what `load` loads.
  }, [wanted]);
  return { data: state.data, loading: state.key !== wanted, error: state.error };
}
