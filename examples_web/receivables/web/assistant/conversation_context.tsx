import { createContext, useContext, useMemo, useSyncExternalStore, type ReactElement, type ReactNode } from "react";
import type { AgentSurfaceRegistry } from "viewcap";
import type { Frame } from "viewcap/protocol";
import { Conversation, type ConversationState } from "./conversation.js";

const Context = createContext<Conversation | undefined>(undefined);

interface ProviderProps {
  readonly registry: AgentSurfaceRegistry;
  readonly onFrame: (frame: Frame) => void;
  readonly children: ReactNode;
}

export function ConversationProvider({ registry, onFrame, children }: ProviderProps): ReactElement {
  const conversation = useMemo(() => new Conversation(registry, onFrame), [registry]);
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
