import assert from "node:assert/strict";
import { pageTest } from "./support/browser.mjs";
import { call, callHeld, catalogNames, hold, panel, resultOf, rowIds } from "./support/console.mjs";

const SET_FILTERS = "view_invoices__table__setFilters_at_open";

async function openReminder(page) {
  await page.getByRole("button", { name: "Remind Casa Verde Foods of INV-2047" }).click();
  await page.getByRole("dialog", { name: "Reminder for Casa Verde Foods" }).waitFor();
}

pageTest("A held descriptor works while its component stays mounted", async (page) => {
  await hold(page, SET_FILTERS);
  assert.equal(await page.locator("#held-state").textContent(), "live");
  assert.equal((await callHeld(page)).verdict, "ok");
  assert.deepEqual(await rowIds(page, "open"), ["INV-2041", "INV-2053"]);
});

pageTest(
  "A descriptor held across a remount is STALE_CAPABILITY, names the live registration and runs nothing",
  async (page) => {
    const rows = await rowIds(page, "open");
    await hold(page, SET_FILTERS);
    await panel(page, "open").getByRole("button", { name: "Remount table" }).click();
    await page.waitForFunction(() => document.querySelector("#held-state").textContent === "no longer live");
    const { verdict, json, text } = await callHeld(page);
    assert.equal(verdict, "STALE_CAPABILITY");
    assert.equal(json.error.retry, "after-refresh");
    assert.equal(json.error.details.reason, "registration-replaced");
    assert.match(json.error.details.liveRegistrationId, /^reg_/);
    assert.match(text, /STALE_CAPABILITY[\s\S]*after-refresh[\s\S]*registration-replaced/);
    assert.deepEqual(await rowIds(page, "open"), rows);
  },
);

pageTest("Remounting one instance leaves a descriptor of the other one working", async (page) => {
  await hold(page, SET_FILTERS);
  await panel(page, "paid").getByRole("button", { name: "Remount table" }).click();
  assert.equal((await callHeld(page)).verdict, "ok");
});

pageTest("A fresh descriptor works right after the remount", async (page) => {
  await panel(page, "open").getByRole("button", { name: "Remount table" }).click();
  assert.equal((await call(page, SET_FILTERS)).verdict, "ok");
});

pageTest("A descriptor held across leaving the page is COMPONENT_UNMOUNTED", async (page) => {
  await hold(page, SET_FILTERS);
  await page.getByRole("link", { name: "Customers" }).click();
  await page.getByRole("heading", { name: "Customers" }).waitFor();
  const { verdict, json } = await callHeld(page);
  assert.equal(verdict, "COMPONENT_UNMOUNTED");
  assert.deepEqual(json.error.details, { phase: "resolve" });
});

pageTest("A dialog's capabilities appear when it opens and disappear when it closes", async (page) => {
  const reminder = (names) => names.filter((name) => name.includes("reminder"));
  assert.deepEqual(reminder(await catalogNames(page)), []);
  await openReminder(page);
  await page.locator('#catalog input[value="view_invoices__reminder__setDraft"]').waitFor();
  assert.equal(reminder(await catalogNames(page)).length, 3);
  await page.getByRole("button", { name: "Close without sending" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.deepEqual(reminder(await catalogNames(page)), []);
});

pageTest(
  "A descriptor held across closing the dialog is COMPONENT_UNMOUNTED, and STALE_CAPABILITY once it is open again",
  async (page) => {
    await openReminder(page);
    await hold(page, "view_invoices__reminder__setDraft");
    await page.getByRole("button", { name: "Close without sending" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal((await callHeld(page)).verdict, "COMPONENT_UNMOUNTED");
    await openReminder(page);
    const { verdict, json } = await callHeld(page);
    assert.equal(verdict, "STALE_CAPABILITY");
    assert.equal(json.error.details.reason, "registration-replaced");
    assert.equal(await page.getByLabel("Message").inputValue(), "");
  },
);

pageTest("An agent opens, fills and closes the dialog through the setters that the person uses", async (page) => {
  assert.equal(
    (await call(page, "view_invoices__table__writeReminder_at_open", { invoiceId: "INV-2070" })).verdict,
    "ok",
  );
  await page.getByRole("dialog", { name: "Reminder for Linnea Clinics" }).waitFor();
  await call(page, "view_invoices__reminder__setDraft", {
    tone: "firm",
    message: "Please tell us the day of payment.",
  });
  assert.equal(await page.getByLabel("Message").inputValue(), "Please tell us the day of payment.");
  assert.ok(await page.getByLabel("Firm").isChecked());
  await page.getByLabel("Friendly").check();
  const { output } = (await call(page, "view_invoices__reminder__readDraft")).json;
  assert.deepEqual(output, { invoiceId: "INV-2070", tone: "friendly", message: "Please tell us the day of payment." });
  await page.getByRole("button", { name: "Close without sending" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

pageTest(
  "What cannot be taken back waits for a person: denied it does not run, approved it runs once",
  async (page) => {
    await call(page, "view_invoices__table__writeReminder_at_open", { invoiceId: "INV-2070" });
    const asked = await call(page, "view_invoices__reminder__closeDraft");
    assert.equal(asked.verdict, "CONFIRMATION_REQUIRED");
    const question = page.locator("section", { has: page.getByRole("heading", { name: "The agent asks" }) });
    assert.match(await question.innerText(), /Discard the draft and close it\. — input: \{\}/);
    const denied = await resultOf(page, () => question.getByRole("button", { name: "Deny" }).click());
    assert.equal(denied.verdict, "CONFIRMATION_INVALID");
    assert.equal(denied.json.error.details.reason, "denied");
    assert.equal(await question.isVisible(), false);
    assert.equal((await call(page, "view_invoices__reminder__closeDraft")).json.error.details.reason, "denied");
    assert.ok(await page.getByRole("dialog").isVisible());

    await page.getByRole("button", { name: "Close without sending" }).click();
    await call(page, "view_invoices__table__writeReminder_at_open", { invoiceId: "INV-2070" });
    await call(page, "view_invoices__reminder__closeDraft");
    const approved = await resultOf(page, () => question.getByRole("button", { name: "Approve" }).click());
    assert.equal(approved.verdict, "ok");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
);

pageTest("An agent that opens the dialog does not take the focus from the person", async (page) => {
  await call(page, "view_invoices__table__writeReminder_at_open", { invoiceId: "INV-2070" });
  await page.getByRole("dialog").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Call");
});
