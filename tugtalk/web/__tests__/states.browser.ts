/** The page after trouble in each of its main states. */
import { expect, test } from "bun:test";
import { openBrowser } from "./support/opened-browser.ts";
import { BOARD, GONE, SESSION_STATES } from "./support/page-states.ts";
import { composerOf, readMain, readSettled, readUntil, readValue } from "./support/shown.ts";

const { host, browser } = await openBrowser();

for (const { name, reach } of [...SESSION_STATES, GONE, BOARD]) {
  test(`a tab that is reloaded shows what it has shown: ${name}`, async () => {
    const { sessionId } = await reach(host);
    const page = await browser.tab(sessionId);
    // A session that is not there has a composer until the host has said so.
    await page.locator("main:not([aria-busy=true])").waitFor();
    const hasComposer = await composerOf(page).isVisible();
    if (hasComposer) await composerOf(page).fill("a draft");
    const before = await readSettled(page);
    await page.reload();
    const after = await readUntil(
      () => readMain(page),
      (text) => text === before,
    );
    expect(after).toBe(before);
    if (hasComposer) expect(await readValue(composerOf(page), "a draft")).toBe("a draft");
    await page.close();
  });
}
