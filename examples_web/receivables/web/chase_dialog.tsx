// One invoice, and how its collection stands. While it is open, an agent may record the status of this invoice, and of no
// other: invoiceId is bound to what the person looks at, and locked.
import { useEffect, useRef, useState, type ReactElement } from "react";
import { useAgentComponent, useAgentProcedure } from "viewcap/react";
import { chaseContract, markPaidContract, updateStatusContract } from "./contracts.js";
import { recordsChanged } from "./data.js";
import { date, euros } from "./format.js";
import { operations, type CollectionStatus, type Invoice, type User } from "./operations.js";
import { refs } from "./surface.js";

const STATUSES: readonly CollectionStatus[] = ["reminded", "promised", "disputed", "escalated"];

interface DialogProps {
  readonly invoice: Invoice;
  readonly user: User;
  onClose(): void;
}

export function ChaseDialog({ invoice, user, onClose }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    // Not modal: the assistant beside it stays within reach.
    dialog.current?.show();
  }, []);
  useAgentComponent(chaseContract, {
    instanceId: invoice.id.replace(/[^\w-]/g, "-"),
    observations: { readState: { read: () => ({ ...invoice }) } },
  });
  const act = (work: Promise<unknown>): void => {
    setProblem("");
    work.then(
      () => {
        recordsChanged();
        onClose();
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : "That failed."),
    );
  };
  const collects = user.role === "collector";
  const issued = invoice.status === "issued" || invoice.status === "overdue";
  const id = { invoiceId: invoice.id };
  return (
    <dialog ref={dialog} aria-labelledby="chase-title" onClose={onClose} className="chase">
      <header>
        <h2 id="chase-title">{invoice.number}</h2>
        <button type="button" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      <dl>
        <Fact name="Client" value={invoice.client} />
        <Fact name="Amount" value={euros(invoice.amount)} />
        <Fact name="Due" value={date(invoice.dueOn)} />
        <Fact name="Status" value={invoice.status} />
        <Fact name="Collection" value={invoice.collectionStatus} />
      </dl>
      {collects && issued && <ChaseForm invoice={invoice} act={act} />}
      {!collects && <p className="quiet">An analyst reads; a collector records.</p>}
      {problem !== "" && <p role="alert">{problem}</p>}
      {collects && (
        <footer>
          {issued && (
            <button type="button" onClick={() => act(operations["mark-invoice-paid"](id))}>
              Mark as paid
            </button>
          )}
          {invoice.status === "draft" && (
            <>
              <button type="button" onClick={() => act(operations["issue-invoice"](id))}>
                Issue
              </button>
              <button type="button" onClick={() => act(operations["delete-invoice"](id))}>
                Delete
              </button>
            </>
          )}
        </footer>
      )}
    </dialog>
  );
}

function ChaseForm({ invoice, act }: { invoice: Invoice; act(work: Promise<unknown>): void }): ReactElement {
  const [status, setStatus] = useState<CollectionStatus>("reminded");
  const [promisedOn, setPromisedOn] = useState("");
  const owner = { type: "invoices.chase", instanceId: invoice.id.replace(/[^\w-]/g, "-") };
  const bound = {
    owner,
    bind: () => ({ invoiceId: invoice.id }),
    describe: () => `Invoice ${invoice.number} of ${invoice.client} is open.`,
  };
  useAgentProcedure(updateStatusContract, refs["update-collection-status"]!, bound);
  const record = (): Promise<unknown> =>
    operations["update-collection-status"]({ invoiceId: invoice.id, status, ...(promisedOn !== "" && { promisedOn }) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(record());
      }}
    >
      <label>
        Collection status
        <select
          value={status}
          onChange={({ target }) => setStatus(STATUSES.find((one) => one === target.value) ?? status)}
        >
          {STATUSES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        Promised for
        <input type="date" value={promisedOn} onChange={({ target }) => setPromisedOn(target.value)} />
      </label>
      <button type="submit" className="primary">
        Record
      </button>
      {new URLSearchParams(location.search).has("double-exposed") && <DoubleExposed bound={bound} />}
    </form>
  );
}

/** A mistake on purpose, with ?double-exposed in the URL: the server offers this operation itself, so the merge of the two
 *  catalogs drops the page's copy and reports it (the assistant's log shows it). */
function DoubleExposed({ bound }: { bound: Parameters<typeof useAgentProcedure>[2] }): null {
  useAgentProcedure(markPaidContract, refs["mark-invoice-paid"]!, bound);
  return null;
}

const Fact = ({ name, value }: { name: string; value: string }): ReactElement => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
