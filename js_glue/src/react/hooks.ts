// What the hooks beside this file are made of.

import { useEffect, useInsertionEffect, useLayoutEffect, useRef, useState, type DependencyList } from "react";

/**
 * An effect of the commit itself. Registering in a passive effect would leave a component that is gone callable until
 * React gets around to it; in a layout effect it leaves with its nodes, and in a keyed swap before the newcomer enters.
 * React 18 warns of layout effects while it renders on a server, where neither kind runs.
 */
export function useCommitEffect(effect: () => void | (() => void), dependencies?: DependencyList): void {
  const useKind = typeof document === "undefined" ? useEffect : useLayoutEffect;
  useKind(effect, dependencies);
}

/**
 * The value of the newest render that was committed: one that React threw away never shows. Insertion effects of the
 * whole tree run before its layout effects, so no effect and no listener meets an older value.
 */
export function useCommitted<T>(value: T): { readonly current: T } {
  const committed = useRef(value);
  useInsertionEffect(() => {
    committed.current = value;
  });
  return committed;
}

/** Takes what went wrong outside of React's sight, and throws it in the next render. */
export function useThrower(): (error: unknown) => void {
  const [thrown, setThrown] = useState<{ readonly error: unknown } | undefined>(undefined);
  if (thrown !== undefined) throw thrown.error;
  return (error) => setThrown({ error });
}
