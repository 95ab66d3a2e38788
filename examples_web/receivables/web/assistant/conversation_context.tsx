import { createContext, useContext, useMemo, useSyncExternalStore, type ReactElement, type ReactNode } from "react";
import type { AgentSurfaceRegistry } from "viewcap";
import { Conversation, type ConversationState } from "./conversation.js";

const Context = createContext<Conversation | undefined>(undefined);

interface ProviderProps {
  readonly registry: AgentSurfaceRegistry;
  readonly children: ReactNode;
}

export function ConversationProvider({ registry, children }: ProviderProps): ReactElement {
  const conversation = useMemo(() => new Conversation(registry), [registry]);
  return <Context.Provider value={conversation}>{children}</Context.Provider>;
}

export function useConversation(): readonly [Conversation, ConversationState] {
  const conversation = useContext(Context);
  if (conversation === undefined) throw new Error("there is no ConversationProvider above");
  const state = useSyncExternalStore(
    (listener) => conversation.subscribe(listener),
    () => conversation.state,
  );
  return [conversation, state];
}
