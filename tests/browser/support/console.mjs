// The example page's console, as a person uses it.

/** The page renders in a task of its own after each change; this waits until what was changed has been rendered. */
const rendered = (page) => page.evaluate(() => new Promise((resolve) => setTimeout(() => setTimeout(resolve))));

async function pickedRows(page, table, which) {
  await rendered(page);
  return panel(page, table)
    .locator(`tbody input${which}`)
    .evaluateAll((inputs) => inputs.map((input) => input.value));
}

export const rowIds = (page, table) => pickedRows(page, table, "");
export const selectedIds = (page, table) => pickedRows(page, table, ":checked");

export const panel = (page, table) => page.locator(`section[aria-labelledby="${table}-title"]`);

/** The catalog that the console lists: [{name, effect, state}]. */
export const catalog = async (page) => {
  await rendered(page);
  return page.locator("#catalog .capability").evaluateAll((items) =>
    items.map((item) => ({
      name: item.querySelector(".wire").textContent,
      effect: item.querySelector(".effect").textContent,
      state: item.querySelector(".state").textContent,
    })),
  );
};

export const catalogNames = async (page) => (await catalog(page)).map(({ name }) => name);

export const capability = (page, name) => page.locator(`#catalog input[value="${name}"]`);

/** Chooses a capability, gives it `input` (or leaves what the console proposes), presses Call and returns the result. */
export async function call(page, name, input) {
  await capability(page, name).check();
  if (input !== undefined) await page.getByLabel("Input, as JSON").fill(JSON.stringify(input));
  return resultOf(page, () => page.getByRole("button", { name: "Call", exact: true }).click());
}

export async function hold(page, name) {
  await capability(page, name).check();
  await page.getByRole("button", { name: "Hold descriptor" }).click();
}

export const callHeld = (page) =>
  resultOf(page, () => page.getByRole("button", { name: "Call held descriptor" }).click());

/** Runs `act` and waits for the result that it brings: {verdict, json, text}. */
export async function resultOf(page, act) {
  const before = (await page.locator("#result pre").count()) > 0 ? (await shownJson(page)).invocationId : undefined;
  await act();
  await page.waitForFunction((previous) => {
    const text = document.querySelector("#result pre")?.textContent;
    return text !== undefined && JSON.parse(text).invocationId !== previous;
  }, before);
  await rendered(page);
  return {
    verdict: await page.locator("#result .verdict").textContent(),
    text: await page.locator("#result").innerText(),
    json: await shownJson(page),
  };
}

const shownJson = async (page) => JSON.parse(await page.locator("#result pre").textContent());
