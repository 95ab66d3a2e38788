// Who asks (spec: domain.md §13.2, identity; decision 20). An identity comes from the application's `createContext`,
// once per session, and from nothing that a model wrote.
//
// A session ends with its connection, with its token's time, when its token becomes another one, and when nobody could
// be made of it. Without a session id a connection is one session only where its transport is known to have exactly one
// peer (stdio, in memory); over any other, each request may come from somebody else and gets an identity of its own.

import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { Actor, Context } from "../domain/types.js";
import { failure, notIdentified, type Refusal } from "./refusal.js";

/** What the transport vouches for. */
export interface MCPPeer {
  readonly sessionId?: string;
  readonly authInfo?: AuthInfo;
}
export interface MCPIdentity {
  /** None: the session is refused. */
  readonly actor: Actor | null | undefined;
  readonly context?: Context;
}
export type CreateContext = (
  peer: MCPPeer,
) => MCPIdentity | null | undefined | PromiseLike<MCPIdentity | null | undefined>;

export interface Identity {
  readonly actor: Actor;
  readonly context: Context;
}

interface Session {
  readonly token: string | undefined;
  readonly identity: Promise<Identity>;
}
interface Asking {
  readonly sessionId?: string | undefined;
  readonly authInfo?: AuthInfo | undefined;
}

const ONLY_PEER = Symbol("the only peer");
type Key = string | typeof ONLY_PEER;

export class Sessions {
  readonly #createContext: CreateContext;
  readonly #onError: (error: unknown) => void;
  // By connection: a server that is connected anew has another peer, even where the application took onclose.
  #connections = new WeakMap<object, Map<Key, Session>>();

  constructor(createContext: CreateContext, onError: (error: unknown) => void) {
    this.#createContext = createContext;
    this.#onError = onError;
  }

  clear(): void {
    this.#connections = new WeakMap();
  }

  /** Rejects with a Refusal where there is nobody, or nobody any more. */
  async identify(transport: object | undefined, { sessionId, authInfo }: Asking): Promise<Identity> {
    if (transport === undefined) throw notIdentified("The connection is closed.");
    const peer: MCPPeer = {
      ...(sessionId !== undefined && sessionId !== "" && { sessionId }),
      ...(authInfo !== undefined && { authInfo }),
    };
    const key = peer.sessionId ?? (hasOnePeer(transport) ? ONLY_PEER : undefined);
    const sessions = this.#sessionsOf(transport);
    if (isExpired(authInfo)) {
      if (key !== undefined) sessions.delete(key);
      throw notIdentified("The authentication has expired.");
    }
    if (key === undefined) return this.#create(peer);
    const known = sessions.get(key);
    if (known !== undefined && known.token === authInfo?.token) return known.identity;
    const session: Session = { token: authInfo?.token, identity: this.#create(peer) };
    sessions.set(key, session);
    try {
      return await session.identity;
    } catch (refusal) {
      // Only its own: somebody else's may stand there by now.
      if (sessions.get(key) === session) sessions.delete(key);
      throw refusal;
    }
  }

  #sessionsOf(transport: object): Map<Key, Session> {
    const known = this.#connections.get(transport);
    if (known !== undefined) return known;
    const fresh = new Map<Key, Session>();
    this.#connections.set(transport, fresh);
    return fresh;
  }

  async #create(peer: MCPPeer): Promise<Identity> {
    let made: MCPIdentity | null | undefined;
    try {
      made = await this.#createContext(peer);
    } catch (error) {
      throw this.#broken(error);
    }
    const { actor, context = {} } = made ?? {};
    if (actor === undefined || actor === null) throw notIdentified("This session has no identity.");
    return { actor, context };
  }

  #broken(error: unknown): Refusal {
    this.#onError(error);
    // Even a CapabilityError or an McpError of the application's: what it says was not written for a peer.
    return failure(undefined);
  }
}

/** `expiresAt` is in seconds of the Unix epoch; one that is no number vouches for nothing. */
function isExpired(authInfo: AuthInfo | undefined): boolean {
  const expiresAt = authInfo?.expiresAt;
  return expiresAt !== undefined && !(expiresAt * 1000 > Date.now());
}

const ONE_PEER = new Set(["StdioServerTransport", "InMemoryTransport"]);

/**
 * By the names of its classes: they hold for every copy of the SDK. Where a bundler changed them each request gets its
 * own identity, which is slower and never wrong.
 */
function hasOnePeer(transport: object): boolean {
  for (let proto: unknown = Object.getPrototypeOf(transport); isObject(proto); proto = Object.getPrototypeOf(proto)) {
    if (Object.hasOwn(proto, "constructor") && ONE_PEER.has(proto.constructor.name)) return true;
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
