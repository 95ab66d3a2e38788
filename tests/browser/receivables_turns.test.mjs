// The workbench where something comes in between: approvals, another role, another page, a reload, a server that dies.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptedModel } from "../../js_glue/dist/host/index.js";
import { openSqliteDatabase } from "../../js_glue/dist/sqlite/index.js";
import { servedTest } from "./support/browser.mjs";
import { gate, hands, workbenchTest } from "./support/receivables.mjs";

const DRAFT = "INV-1010";
const ID = "i1010";

workbenchTest(
  "An approval that is given runs the call once, and the next turn hears of it",
  {},
  async ({ page, ask, settled, said, served, steps }) => {
    await ask(`Issue ${DRAFT}`);
    assert.equal(served.store.get(ID).status, "draft");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("You approved it.").waitFor();
    await settled();
    assert.notEqual(served.store.get(ID).status, "draft");
    assert.equal(await said(), "Done, after your approval.");
    const told = steps.at(-1).messages.at(-1);
    assert.equal(told.role, "user");
    assert.match(told.content, /^Approval apr_\S+ was approved\. The result: \{"status":"ok"/);
  },
);

workbenchTest("An approval that is denied runs nothing", {}, async ({ page, ask, settled, said, served }) => {
  await ask(`Delete ${DRAFT}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("You rejected it.").waitFor();
  await settled();
  assert.equal(served.store.get(ID).status, "draft");
  assert.equal(await said(), "That was not carried out.");
});

workbenchTest(
  "An approval that has expired runs nothing, whoever approves it",
  { server: { approvalExpiresInMs: 1 } },
  async ({ page, ask, settled, served, steps }) => {
    await ask(`Issue ${DRAFT}`);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("You approved it.").waitFor();
    await settled();
    assert.equal(served.store.get(ID).status, "draft");
    assert.match(steps.at(-1).messages.at(-1).content, /APPROVAL_EXPIRED/);
  },
);

workbenchTest(
  "An approval whose stored input was changed runs nothing",
  {},
  async ({ page, ask, settled, served, steps }) => {
    await ask(`Issue ${DRAFT}`);
    changeStoredInput(served.dataFolder, { invoiceId: "i1020" });
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("You approved it.").waitFor();
    await settled();
    assert.deepEqual([served.store.get(ID).status, served.store.get("i1020").status], ["draft", "draft"]);
    assert.match(steps.at(-1).messages.at(-1).content, /"status":"error"/);
  },
);

function changeStoredInput(folder, input) {
  const database = openSqliteDatabase(`${folder}/approvals.db`);
  const { changes } = database.prepare("UPDATE viewcap_approvals SET input = ?").run(JSON.stringify(input));
  database.close();
  assert.equal(Number(changes), 1);
}

workbenchTest(
  "Another role in the middle of a conversation: the same conversation, and not one tool that writes",
  {},
  async ({ page, ask, said, served }) => {
    await ask("What is overdue?");
    await page.getByLabel("Signed in as").selectOption("jonas");
    await page.waitForResponse((response) => response.url().endsWith("/rpc/receivables-summary"));
    await ask(`Issue ${DRAFT}`);
    const inspector = page.locator("viewcap-inspector");
    await inspector.getByRole("button", { name: "viewcap" }).click();
    await inspector.getByLabel("Filter").fill("server");
    const offered = await inspector.getByRole("list", { name: "Entries" }).innerText();
    assert.match(offered, /domain:list-invoices\s+available\s+read/);
    assert.doesNotMatch(offered, /\b(?:write|destructive)\b/);
    assert.match(await said(), /domain_issue-invoice is not offered/);
    assert.equal(await page.locator('[data-message="user"]').count(), 2);
    assert.equal(served.store.get(ID).status, "draft");
  },
);

workbenchTest(
  "A page that the agent opened is the route and the scope of the next step",
  {},
  async ({ page, ask, steps, said }) => {
    await ask("Show the ageing");
    assert.match(page.url(), /\/ageing$/);
    assert.deepEqual(
      steps.slice(0, 2).map(({ pathname, catalog }) => [pathname, catalog.scope]),
      [
        ["/invoices", ["app", "invoices"]],
        ["/ageing", ["app", "ageing"]],
      ],
    );
    assert.match(await said(), /^current: \d+ \(€/);
  },
);

const walking = gate();
workbenchTest(
  "A page that the person opened in the middle of a turn changes neither route nor scope of the turn",
  {
    server: {
      model: scriptedModel({
        turns: [
          {
            when: /wait/,
            steps: [
              async () => {
                await walking.wait();
                return { calls: [{ tool: "view_app__navigation__goTo", input: { page: "nowhere" } }] };
              },
              { text: "Done." },
            ],
          },
        ],
      }),
    },
  },
  async ({ page, send, settled, steps }) => {
    await send("wait for me");
    await walking.reached;
    await page.getByRole("link", { name: "Clients" }).click();
    await page.getByRole("heading", { name: "Clients" }).waitFor();
    walking.open();
    await settled();
    assert.deepEqual(
      steps.map(({ pathname }) => pathname),
      ["/invoices", "/invoices"],
    );
    assert.match(page.url(), /\/clients$/);
  },
);

const reloading = gate();
workbenchTest(
  "A tab that is reloaded in the middle of a turn: the history is whole, and the next message works",
  {
    server: {
      model: scriptedModel({
        turns: [
          {
            when: /create/,
            steps: [
              { calls: [{ tool: "domain_create-invoice", input: { clientId: "c2", amount: 5000 } }] },
              async () => {
                await reloading.wait();
                return { text: "too late" };
              },
            ],
          },
          { when: /hello/, steps: [({ messages }) => ({ text: `${String(messages.length)} messages` })] },
        ],
      }),
    },
    expectedProblems: [/request failed: .*\/agent\/step/],
  },
  async ({ page, send, ask, said, served }) => {
    const before = served.store.list({}).total;
    await send("create one");
    await reloading.reached;
    await page.locator('[data-tool="domain_create-invoice"][data-state="done"]').waitFor();
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
    reloading.open();
    assert.equal(await page.locator('[data-tool="domain_create-invoice"]').getAttribute("data-state"), "done");
    await ask("hello");
    assert.match(await said(), /^\d+ messages$/);
    assert.equal(served.store.list({}).total, before + 1);
  },
);

const PROCESS = fileURLToPath(new URL("support/receivables_process.mjs", import.meta.url));

/** A server in a process of its own. `kill()` leaves it no time for anything; `start()` starts the next one. */
async function startMortal() {
  const dataFolder = await mkdtemp(join(tmpdir(), "receivables-"));
  let child;
  const start = (port, ...more) =>
    new Promise((resolve, reject) => {
      child = fork(PROCESS, [dataFolder, port, ...more]);
      child.once("message", ({ url }) => resolve(url));
      child.once("exit", (code) => reject(new Error(`the server ended with ${String(code)}`)));
    });
  const kill = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  const url = await start("0", "stall");
  const close = async () => {
    await kill();
    await rm(dataFolder, { recursive: true, force: true });
  };
  return { url, kill, restart: () => start(new URL(url).port), close };
}

servedTest(
  "A server that is killed in the middle of its stream: a typed error, nothing runs twice, and the next message works",
  { serve: startMortal, path: "invoices", ready: "tbody tr", expectedProblems: [/request failed/, /ERR_/] },
  async ({ page, served }) => {
    const { send, settled, ask, said } = hands(page);
    const total = async () => Number(await page.locator("[data-total]").getAttribute("data-total"));
    const before = await total();
    await send("create one");
    await page.locator('[data-tool="domain_create-invoice"][data-state="done"]').waitFor();
    await served.kill();
    await settled();
    assert.equal(await page.locator("[data-error]").getAttribute("data-error"), "TRANSPORT_FAILED");
    await served.restart();
    await ask("What is overdue?");
    assert.match(await said(), /invoices are overdue/);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator(`[data-total="${String(before + 1)}"]`).waitFor();
  },
);
