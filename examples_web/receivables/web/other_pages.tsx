// Clients, ageing, approvals: what the person sees is what the agent may read.
import type { ReactElement } from "react";
import { useAgentComponent } from "viewcap/react";
import { ageingContract, approvalsContract, clientsContract } from "./contracts.js";
import { useRecords } from "./data.js";
import { euros } from "./format.js";
import { operations, pendingApprovals } from "./operations.js";
import { navigate, urlOf } from "./route.js";

export function ClientsPage(): ReactElement {
  const clients = useRecords("clients", () => operations["list-clients"]({})).data ?? [];
  useAgentComponent(clientsContract, { observations: { readState: { read: () => ({ clients }) } } });
  const show = (clientId: string): void =>
    navigate(urlOf({ filters: { clientId }, sort: { by: "dueOn", direction: "asc" }, page: 1 }));
  return (
    <section aria-labelledby="clients-title">
      <h1 id="clients-title">Clients</h1>
      <div className="table-box">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="number">
                Open invoices
              </th>
              <th scope="col" className="number">
                Open amount
              </th>
            </tr>
          </thead>
          <tbody>
            {clients.map(({ id, name, openInvoices, openAmount }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" className="plain link" onClick={() => show(id)}>
                    {name}
                  </button>
                </th>
                <td className="number">{openInvoices}</td>
                <td className="number">{euros(openAmount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function AgeingPage(): ReactElement {
  const { data } = useRecords("ageing", () => operations["collections-aging"]({}));
  useAgentComponent(ageingContract, {
    observations: {
      readState: { when: () => data !== undefined, unavailableReason: "Still loading.", read: () => ({ ...data }) },
    },
  });
  const most = Math.max(1, ...(data?.buckets ?? []).map(({ amount }) => amount));
  return (
    <section aria-labelledby="ageing-title">
      <h1 id="ageing-title">Ageing</h1>
      <ul className="buckets">
        {data?.buckets.map(({ bucket, count, amount }) => (
          <li key={bucket}>
            <strong>{bucket === "current" ? "Not due" : `${bucket} days`}</strong>
            <meter min={0} max={most} value={amount} aria-label={`Amount ${bucket}`} />
            <span>
              {count} · {euros(amount)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ApprovalsPage(): ReactElement {
  const approvals = useRecords("approvals", pendingApprovals).data ?? [];
  useAgentComponent(approvalsContract, { observations: { readState: { read: () => ({ approvals }) } } });
  return (
    <section aria-labelledby="approvals-title">
      <h1 id="approvals-title">Approvals</h1>
      {approvals.length === 0 && (
        <p className="quiet">Nothing waits for you. What the assistant asks for is decided in its panel.</p>
      )}
      <ul className="approvals">
        {approvals.map(({ id, capabilityId, input, reasons, expiresAt }) => (
          <li key={id}>
            <strong>{capabilityId}</strong>
            <code>{JSON.stringify(input)}</code>
            <span className="quiet">
              {reasons.join("; ")} · until {new Date(expiresAt).toLocaleTimeString("en-GB")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
