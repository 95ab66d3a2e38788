import assert from "node:assert/strict";
import { pageTest } from "./support/browser.mjs";
import { call, capability, catalog, catalogNames, panel, resultOf, rowIds, selectedIds } from "./support/console.mjs";

const TABLE = "view_invoices__table__";

pageTest("The console lists each visible capability with wire name, effect, availability and reason", async (page) => {
  const listed = await catalog(page);
  assert.deepEqual(
    listed.map(({ name, effect }) => `${name} ${effect}`).sort(),
    [
      "view_app__navigation__goTo navigation",
      "view_app__navigation__readPage read",
      ...["open", "paid"].flatMap((instance) => [
        `${TABLE}clearSelection_at_${instance} local-state`,
        `${TABLE}readState_at_${instance} read`,
        `${TABLE}setFilters_at_${instance} local-state`,
        `${TABLE}setSelection_at_${instance} local-state`,
        `${TABLE}writeReminder_at_${instance} local-state`,
      ]),
    ].sort(),
  );
  const stateOf = (name) => listed.find((item) => item.name === name).state;
  assert.equal(stateOf(`${TABLE}writeReminder_at_open`), "available");
  assert.equal(stateOf(`${TABLE}writeReminder_at_paid`), "unavailable. Paid invoices need no reminder.");
  assert.equal(stateOf(`${TABLE}clearSelection_at_open`), "unavailable. No row is selected.");
});

pageTest("An agent's filter narrows only its own table and is written into the URL", async (page) => {
  const paidBefore = await rowIds(page, "paid");
  const result = await call(page, `${TABLE}setFilters_at_open`, { search: "kestrel", minAmount: 10_000 });
  assert.equal(result.verdict, "ok");
  assert.deepEqual(result.json.output, { matchingRows: 1 });
  assert.deepEqual(await rowIds(page, "open"), ["INV-2061"]);
  assert.deepEqual(await rowIds(page, "paid"), paidBefore);
  assert.match(page.url(), /#\/invoices\?open\.search=kestrel&open\.minAmount=10000$/);
  assert.equal(await panel(page, "open").getByLabel("Search").inputValue(), "kestrel");
});

pageTest("A person's filter and an agent's filter leave the same URL and the same rows", async (page) => {
  await panel(page, "open").getByLabel("Search").pressSequentially("osei");
  await panel(page, "open").getByLabel("Sort by").selectOption("amount");
  const byPerson = { rows: await rowIds(page, "open"), url: page.url() };
  await page.goto(page.url().split("#")[0]);
  await page.locator("#catalog .capability").first().waitFor();
  await call(page, `${TABLE}setFilters_at_open`, { search: "osei", sort: "amount" });
  assert.deepEqual({ rows: await rowIds(page, "open"), url: page.url() }, byPerson);
});

pageTest("Back leaves an agent's filter and forward brings it back", async (page) => {
  const all = await rowIds(page, "open");
  await call(page, `${TABLE}setFilters_at_open`, { search: "brandt" });
  const narrowed = await rowIds(page, "open");
  assert.equal(narrowed.length, 2);
  await page.goBack();
  await page.waitForFunction(
    (count) => document.querySelectorAll('[aria-labelledby="open-title"] tbody input').length === count,
    all.length,
  );
  assert.deepEqual(await rowIds(page, "open"), all);
  await page.goForward();
  await page.waitForFunction(
    () => document.querySelectorAll('[aria-labelledby="open-title"] tbody input').length === 2,
  );
  assert.deepEqual(await rowIds(page, "open"), narrowed);
});

pageTest("Typing a search makes one history entry, not one for each key", async (page) => {
  const before = await page.evaluate(() => history.length);
  await panel(page, "open").getByLabel("Search").pressSequentially("linnea");
  assert.equal(await page.evaluate(() => history.length), before + 1);
});

pageTest(
  "A link with filters opens the page in that state",
  { hash: "#/invoices?paid.minAmount=5000&paid.sort=amount" },
  async (page) => {
    assert.deepEqual(await rowIds(page, "paid"), ["INV-2003", "INV-2029", "INV-1998"]);
  },
);

pageTest("readState says how many rows there are in all, how many match and how many it returned", async (page) => {
  const { output } = (await call(page, `${TABLE}readState_at_open`)).json;
  assert.deepEqual(
    {
      total: output.totalRows,
      matching: output.matchingRows,
      returned: output.returnedRows,
      listed: output.rows.length,
    },
    { total: 12, matching: 12, returned: 10, listed: 10 },
  );
});

pageTest(
  "An agent's selection is the person's selection, and clearSelection is available while there is one",
  async (page) => {
    await call(page, `${TABLE}setSelection_at_open`, { ids: ["INV-2041", "INV-2053"] });
    await panel(page, "open").getByLabel("Select INV-2044, Atelier Brandt").check();
    assert.deepEqual(await selectedIds(page, "open"), ["INV-2041", "INV-2044", "INV-2053"]);
    const { output } = (await call(page, `${TABLE}readState_at_open`)).json;
    assert.deepEqual(output.selectedIds, ["INV-2041", "INV-2044", "INV-2053"]);
    const state = (await catalog(page)).find(({ name }) => name === `${TABLE}clearSelection_at_open`).state;
    assert.equal(state, "available");
    assert.equal((await call(page, `${TABLE}clearSelection_at_open`)).verdict, "ok");
    await page.waitForFunction(() => document.querySelector("tbody input:checked") === null);
  },
);

pageTest("A row that the filters exclude cannot be selected, and the result names it", async (page) => {
  await call(page, `${TABLE}setFilters_at_open`, { search: "brandt" });
  const { verdict, json } = await call(page, `${TABLE}setSelection_at_open`, { ids: ["INV-2044", "INV-2041"] });
  assert.equal(verdict, "PRECONDITION_FAILED");
  assert.equal(json.error.retry, "with-changes");
  assert.deepEqual(json.error.details, { ids: ["INV-2041"] });
});

pageTest(
  "An input outside the schema is INVALID_INPUT with the place of each fault, and changes nothing",
  async (page) => {
    const before = page.url();
    const { verdict, json } = await call(page, `${TABLE}setFilters_at_open`, { minAmount: -1, colour: "red" });
    assert.equal(verdict, "INVALID_INPUT");
    assert.equal(json.error.retry, "with-changes");
    assert.deepEqual(json.error.details.issues.map(({ path }) => path).sort(), ["/colour", "/minAmount"]);
    assert.equal(page.url(), before);
  },
);

pageTest("An unavailable capability can be called, and answers with its reason", async (page) => {
  const { verdict, json, text } = await call(page, `${TABLE}writeReminder_at_paid`, { invoiceId: "INV-1998" });
  assert.equal(verdict, "CAPABILITY_NOT_AVAILABLE");
  assert.deepEqual(json.error.details, { reason: "Paid invoices need no reminder." });
  assert.match(text, /Paid invoices need no reminder\./);
});

pageTest("Text that is no JSON is told at the field and is not sent", async (page) => {
  await capability(page, `${TABLE}setFilters_at_open`).check();
  await page.getByLabel("Input, as JSON").fill("{search:");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  assert.match(await page.locator("#input-error").textContent(), /^This is not JSON: /);
  assert.equal(await page.locator("#result pre").count(), 0);
});

pageTest("Each capability's proposed input is accepted by its own schema", async (page) => {
  for (const name of await catalogNames(page)) {
    if (name.endsWith("goTo")) continue;
    const { verdict } = await call(page, name);
    assert.ok(["ok", "CAPABILITY_NOT_AVAILABLE", "PRECONDITION_FAILED"].includes(verdict), `${name}: ${verdict}`);
  }
});

pageTest(
  "Navigation by an agent changes the page, the catalog and the current link, and Back returns",
  async (page) => {
    await call(page, "view_app__navigation__goTo", { page: "customers" });
    await page.getByRole("heading", { name: "Customers" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Customers" }).getAttribute("aria-current"), "page");
    assert.deepEqual(
      (await catalogNames(page)).filter((name) => name.includes("invoices__table")),
      [],
    );
    assert.ok((await catalogNames(page)).includes("view_customers__list__showInvoices"));
    await page.goBack();
    await page.getByRole("heading", { name: "Open invoices" }).waitFor();
    assert.equal((await catalogNames(page)).length, 12);
  },
);

pageTest(
  "A navigation action that unmounts its own component still answers ok",
  { hash: "#/customers" },
  async (page) => {
    const { verdict } = await call(page, "view_customers__list__showInvoices", { customer: "Linnea Clinics" });
    assert.equal(verdict, "ok");
    await page.getByRole("heading", { name: "Open invoices" }).waitFor();
    assert.deepEqual(await rowIds(page, "open"), ["INV-2070"]);
  },
);

pageTest("The event log shows mounts, changes and calls as they happen", async (page) => {
  await call(page, "view_app__navigation__readPage");
  await page.waitForFunction(() => document.querySelector("#events").textContent.includes("invocation-settled"));
  const log = await page.locator("#events").innerText();
  for (const type of ["component-registered", "surface-changed", "invocation-started", "invocation-settled"]) {
    assert.ok(log.includes(type), `${type} is missing from: ${log}`);
  }
  const count = await page.locator("#events li").count();
  await resultOf(page, () => page.getByRole("button", { name: "Call", exact: true }).click());
  await page.waitForFunction((before) => document.querySelectorAll("#events li").length > before, count);
});
