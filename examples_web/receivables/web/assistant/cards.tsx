// Cards of the panel: a tool call with its result, what a person has to confirm here, what has to be approved on the server.
import { useState, type ReactElement } from "react";
import type { useConfirmations } from "viewcap/react";
import { approvalIn, failureOf, type ApprovalDemand, type Item } from "./items.js";

const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? "undefined";

export function CallCard({ item }: { item: Extract<Item, { kind: "call" }> }): ReactElement {
  const { name, input, result } = item;
  const failure = failureOf(result?.value);
  const waits = approvalIn(result?.value) !== undefined;
  const state = result === undefined ? "running" : failure !== undefined ? "failed" : waits ? "waiting" : "done";
  return (
    <article className={`card call ${state}`} data-tool={name} data-state={state}>
      <header>
        <code>{name}</code>
        <span className="badge">{state}</span>
      </header>
      {failure !== undefined && (
        <p role="note">
          <strong>{failure.code}</strong> {failure.message}
        </p>
      )}
      <details>
        <summary>Input and result</summary>
        <pre tabIndex={0}>{pretty(input)}</pre>
        {result !== undefined && <pre tabIndex={0}>{pretty(result.value)}</pre>}
      </details>
    </article>
  );
}

export function ConfirmationCards({ pending, resolve }: ReturnType<typeof useConfirmations>): ReactElement {
  return (
    <>
      {pending.map(({ confirmationId, summary, capabilityId, input }) => (
        <article
          key={confirmationId}
          className="card ask"
          aria-label={`Confirm ${capabilityId}`}
          data-confirmation={capabilityId}
        >
          <p>{summary}</p>
          <pre tabIndex={0}>{pretty(input)}</pre>
          <footer>
            <button type="button" className="primary" onClick={() => resolve(confirmationId, { approved: true })}>
              Confirm
            </button>
            <button type="button" onClick={() => resolve(confirmationId, { approved: false })}>
              Reject
            </button>
          </footer>
        </article>
      ))}
    </>
  );
}

interface ApprovalProps {
  readonly demand: ApprovalDemand;
  readonly tool: string;
  readonly input: unknown;
  readonly decided: string | undefined;
  readonly busy: boolean;
  onDecide(decision: "approved" | "rejected"): Promise<void>;
}

export function ApprovalCard({ demand, tool, input, decided, busy, onDecide }: ApprovalProps): ReactElement {
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState("");
  const decideNow = (decision: "approved" | "rejected"): void => {
    setSent(true);
    onDecide(decision).catch(() => {
      setSent(false);
      setProblem("The server could not be reached.");
    });
  };
  const until = new Date(demand.expiresAt);
  return (
    <article className="card ask" aria-label={`Approval of ${tool}`} data-approval={demand.approvalId}>
      <p>
        {demand.message} <span className="quiet">Until {until.toLocaleTimeString("en-GB")}.</span>
      </p>
      <pre tabIndex={0}>{pretty(input)}</pre>
      {decided !== undefined ? (
        <p className="quiet">You {decided} it.</p>
      ) : (
        <footer>
          <button type="button" className="primary" disabled={sent || busy} onClick={() => decideNow("approved")}>
            Approve
          </button>
          <button type="button" disabled={sent || busy} onClick={() => decideNow("rejected")}>
            Deny
          </button>
        </footer>
      )}
      {problem !== "" && <p role="alert">{problem}</p>}
    </article>
  );
}
