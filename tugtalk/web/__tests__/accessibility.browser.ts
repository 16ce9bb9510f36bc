/** The boards and sessions of the page, for everybody; the dialogs are in `accessible-dialogs.browser.ts`. */
import { expect, test } from "bun:test";
import { AccessibleTab } from "./support/accessible-tab.ts";
import { findFaults } from "./support/faults.ts";
import { BOARD, DIALOG_STATES, DISCONNECTED, PAGE_STATES } from "./support/page-states.ts";

const tab = await AccessibleTab.open();

// The disconnected page takes half a minute, and differs by a line of text. Another file has the dialogs.
const ELSEWHERE = new Set([DISCONNECTED, ...DIALOG_STATES]);

for (const state of PAGE_STATES.filter((one) => !ELSEWHERE.has(one))) {
  test(`axe finds nothing serious, nothing overflows and each focus has a ring: ${state.name}`, () =>
    tab.expectAccessible(state));
}

test("elements that overflow, have no ring or too little contrast are found", async () => {
  await tab.show(BOARD);
  await tab.page.evaluate(() => {
    const button = document.createElement("button");
    button.textContent = "Faint";
    Object.assign(button.style, { outline: "none", color: "#999", background: "#888" });
    Object.assign(button.style, { display: "block", width: "1000px" });
    document.querySelector("main")?.prepend(button);
  });
  const faults = (await findFaults(tab.page)).map((fault) => fault.replace(/: .*/, ""));
  const everywhere = [390, 820, 1440].flatMap((width) => [
    ...(width < 1000 ? [`${width} overflow`] : []),
    ...["focus", "light", "dark"].map((where) => `${width} ${where}`),
  ]);
  expect(faults).toEqual(everywhere);
});
