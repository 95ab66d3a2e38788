// The shell: rail, figures, the page of the route, the assistant.
import { useState, type ReactElement } from "react";
import { useAgentComponent } from "viewcap/react";
import { AssistantPanel } from "./assistant/panel.js";
import { navigationContract } from "./contracts.js";
import { recordsChanged, useRecords } from "./data.js";
import { euros } from "./format.js";
import { InvoicesPage } from "./invoices_page.js";
import { operations, signIn, type Sum, type User } from "./operations.js";
import { AgeingPage, ApprovalsPage, ClientsPage } from "./other_pages.js";
import { navigate, pageOf, PAGES, useRoute, type Page } from "./route.js";

const TITLES: Readonly<Record<Page, string>> = {
  invoices: "Invoices",
  clients: "Clients",
  ageing: "Ageing",
  approvals: "Approvals",
};

export function App({ first }: { first: User }): ReactElement {
  const url = useRoute();
  const page = pageOf(url);
  const [user, setUser] = useState(first);
  const [panel, setPanel] = useState(false);
  useAgentComponent(navigationContract, {
    actions: { goTo: { execute: ({ page: to }) => navigate(`/${to}`) } },
  });
  const become = async (id: string): Promise<void> => {
    setUser(await signIn(id));
    recordsChanged();
  };
  return (
    <div className="shell" data-panel={panel}>
      <nav className="rail" aria-label="Pages">
        <strong>Receivables</strong>
        {PAGES.map((to) => (
          <a
            key={to}
            href={`/${to}`}
            aria-current={to === page ? "page" : undefined}
            onClick={(event) => {
              event.preventDefault();
              navigate(`/${to}`);
            }}
          >
            {TITLES[to]}
          </a>
        ))}
        <a href="/minimal/">Minimal page</a>
      </nav>
      <main>
        <header className="top">
          <label>
            Signed in as
            <select value={user.id} onChange={({ target }) => void become(target.value)}>
              <option value="maria">Maria, collector</option>
              <option value="jonas">Jonas, analyst</option>
            </select>
          </label>
          <button type="button" className="panel-toggle" aria-expanded={panel} onClick={() => setPanel(!panel)}>
            Assistant
          </button>
        </header>
        <Figures user={user} />
        {page === "invoices" && <InvoicesPage url={url} user={user} />}
        {page === "clients" && <ClientsPage />}
        {page === "ageing" && <AgeingPage />}
        {page === "approvals" && <ApprovalsPage />}
      </main>
      <AssistantPanel onClose={() => setPanel(false)} />
    </div>
  );
}

function Figures({ user }: { user: User }): ReactElement {
  const { data } = useRecords(`summary ${user.id}`, () => operations["receivables-summary"]({}));
  return (
    <div className="figures">
      <Figure name="Open" sum={data?.open} />
      <Figure name="Overdue" sum={data?.overdue} />
      <Figure name="Due this week" sum={data?.dueThisWeek} />
      <Figure name="Paid this month" sum={data?.paidThisMonth} />
    </div>
  );
}

function Figure({ name, sum }: { name: string; sum: Sum | undefined }): ReactElement {
  return (
    <section aria-label={name} className="figure" data-count={sum?.count} data-amount={sum?.amount}>
      <h2>{name}</h2>
      <strong>{sum === undefined ? "…" : euros(sum.amount)}</strong>
      <span className="quiet">{sum === undefined ? "" : `${String(sum.count)} invoices`}</span>
    </section>
  );
}
