/** Each main state of the page, in both themes and at three widths, as axe and the keyboard find it. */
import { expect, test } from "bun:test";
import { findFaults } from "./support/faults.ts";
import { openBrowser } from "./support/opened-browser.ts";
import { DISCONNECTED, EMPTY_BOARD, PAGE_STATES, type PageState } from "./support/page-states.ts";
import { readSettled } from "./support/shown.ts";

const { host, browser } = await openBrowser();
const page = await browser.context.newPage();

/** One tab shows all states, each as a tab that has just been opened. */
async function open({ reach, show }: PageState): Promise<void> {
  // The tab should not see how the next state is reached.
  await page.goto("about:blank");
  const { sessionId } = await reach(host);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
  await browser.show(page, sessionId);
  await page.locator("main").waitFor();
  await show?.(page, browser);
  await readSettled(page);
}

/** All but one that takes half a minute, and differs by a line of text. */
const CHECKED = PAGE_STATES.filter((state) => state !== DISCONNECTED);

for (const state of CHECKED) {
  test(`axe finds nothing serious, nothing overflows and each focus has a ring: ${state.name}`, async () => {
    await open(state);
    expect(await findFaults(page)).toEqual([]);
    expect(browser.problems.splice(0)).toEqual([]);
  });
}

test("what overflows, has no ring or too little contrast is found", async () => {
  await open(EMPTY_BOARD);
  await page.evaluate(() => {
    const button = document.createElement("button");
    button.textContent = "Faint";
    Object.assign(button.style, { outline: "none", color: "#999", background: "#888" });
    Object.assign(button.style, { display: "block", width: "1000px" });
    document.querySelector("main")?.prepend(button);
  });
  const faults = (await findFaults(page)).map((fault) => fault.replace(/: .*/, ""));
  const everywhere = [390, 820, 1440].flatMap((width) => [
    ...(width < 1000 ? [`${width} overflow`] : []),
    ...["focus", "light", "dark"].map((where) => `${width} ${where}`),
  ]);
  expect(faults).toEqual(everywhere);
});
