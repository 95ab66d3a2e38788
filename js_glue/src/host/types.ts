// What an application hands to a host server, and what it hears of it (spec: host-protocol.md).

import type { CapabilityManifest } from "../authority.js";
import type { Actor, AgentRuntimeLike, ApprovalRecord, Context } from "../domain/types.js";
import type { AuditFeed } from "./audit_feed.js";
import type { ProtocolLimits } from "../protocol/types.js";
import type { HostModel } from "./model/types.js";

/** Who a request is from. It comes from the session, never from a body. */
export interface HostSession {
  /** Stable as long as the session is: part of the key of a running step and of every idempotency key. */
  readonly id: string;
  readonly actor: Actor;
}

/** The request without its body: there is nothing in it that a model wrote. */
export type SessionReader<S extends HostSession> = (
  request: Request,
) => S | null | undefined | PromiseLike<S | null | undefined>;

export interface StepInfo<S extends HostSession = HostSession> {
  readonly session: S;
  readonly conversationId: string;
  readonly turnId: string;
  readonly stepIndex: number;
  readonly pathname: string;
  /** The page's wish; the server decides. */
  readonly modelId?: string;
}

type Choice<S extends HostSession, T> = T | ((info: StepInfo<S>) => T | PromiseLike<T>);

export interface HostOptions<S extends HostSession = HostSession> {
  /** Nothing: 401. Read a cookie with `readCookie`; set it with `sessionCookie`. */
  readonly session: SessionReader<S>;
  /** Whether the session may use the agent at all; false: 403. Default: every session may. */
  readonly authorize?: (session: S) => boolean | PromiseLike<boolean>;
  readonly runtime: AgentRuntimeLike;
  /** What handlers and policies find as their context, of the actor that runs. For an approved call that is the one
   *  who asked, not the approver: take nothing from `session` that is only the approver's. Default: empty. */
  readonly contextFor?: (actor: Actor, session: S) => Context | PromiseLike<Context>;
  /** The compiled contracts of the page: the domain ids that it may reference. Also a list of such ids. Default: none. */
  readonly frontendManifest?: CapabilityManifest | readonly string[];
  /** Absent, or nothing for this step: 503. */
  readonly model?: HostModel | ((info: StepInfo<S>) => HostModel | undefined | PromiseLike<HostModel | undefined>);
  readonly system?: Choice<S, string | undefined>;
  /** The floor of the scope of a page; a request can only narrow it. Default: unscoped. */
  readonly scopeFor?: (pathname: string, session: S) => readonly string[];
  readonly approvals?: ApprovalRules<S>;
  /** Origins of the application, exact: `https://app.example.com`. Default: loopback names only, for development. */
  readonly origins?: readonly string[];
  /** Further values of the Host header, where a proxy rewrites it. Those of `origins` are allowed anyway. */
  readonly hosts?: readonly string[];
  readonly paths?: {
    /** Default "/agent/step". */
    readonly step?: string;
    /** Default "/agent/approvals"; the id follows. */
    readonly approvals?: string;
  };
  readonly limits?: Partial<HostLimits>;
  /** The same feed that is a sink of the runtime: its events of a step reach the page as inspector frames. */
  readonly auditFeed?: AuditFeed;
  /** Each step, refusal, report and decision. What it throws or rejects with goes to onError. */
  readonly audit?: (event: HostEvent) => unknown;
  /** What went wrong inside, for the operator; no response repeats it. Default: the console. */
  readonly onError?: (error: unknown, where: string) => void;
}

export interface ApprovalRules<S extends HostSession> {
  /** Who may decide what; absent, nobody may. An approval that a session may not decide looks like one that is not there. */
  mayDecide(session: S, record: ApprovalRecord): boolean | PromiseLike<boolean>;
  /** True where the runtime was made with `rejectSelfApproval: false`. Default false: who asked cannot approve. */
  readonly selfApproval?: boolean;
}

/** Those of the protocol (maxBodyBytes, maxMessages, …), and the host's own. */
export interface HostLimits extends ProtocolLimits {
  /** Model steps of one request; default 5. */
  readonly modelSteps: number;
  /** Of the model; default 45000. */
  readonly silenceMs: number;
  /** Of a whole request; default 180000. */
  readonly stepMs: number;
  /** Of one session; default 120. Over it: 429. */
  readonly requestsPerMinute: number;
  /** Steps of one session at once; default 8. Over it: 429. */
  readonly runningSteps: number;
}

export interface HostEvent {
  readonly type:
    | "step.started"
    | "step.finished"
    | "step.reader-left"
    | "step.error"
    | "catalog.report"
    | "audit.missed"
    | "request.refused"
    | "approval.decided";
  /** Milliseconds of the Unix epoch. */
  readonly timestamp: number;
  readonly actor?: { readonly id: string; readonly kind: string };
  readonly stepId?: string;
  readonly conversationId?: string;
  readonly turnId?: string;
  readonly stepIndex?: number;
  /** Ids, codes, counts; never payloads. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A Fetch handler; anything that speaks Request and Response can serve it, `node:http` by toNodeListener. */
export interface HostHandler {
  (request: Request): Promise<Response>;
  /** Resolves when no step runs any more: for a shutdown that loses nothing. */
  idle(): Promise<void>;
}
