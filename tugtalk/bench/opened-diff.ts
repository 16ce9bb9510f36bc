/** A long change of a file in Chromium, opened to its last line. */
import type { Page } from "playwright-core";
import { atMost, emitted, type Finding } from "./findings.ts";
import { costOf, ignoreMarks } from "./page-watch.ts";

const MAX_TASK_MS = 200;

/**
 * Opens the card of the change, and all of it, step by step. The watch of the page reads none of its lines.
 */
export async function diffFindings(page: Page, lines: number): Promise<readonly Finding[]> {
  await ignoreMarks(page);
  const line = page.locator("summary", { hasText: "long.txt" });
  const card = page.locator("details", { has: line });
  const { longTasks } = await costOf(page, async () => {
    await line.click();
    const more = card.locator(".show-all");
    for (await more.waitFor(); (await more.count()) > 0; ) {
      await more.click();
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
  });
  const shown = await card.locator(".diff-row").count();
  if (shown < lines) throw new Error(`${shown} lines of ${lines} are shown`);
  return [
    emitted(`${lines} lines of diff, long tasks`, longTasks.length),
    atMost("the longest task of opening them", Math.max(0, ...longTasks), MAX_TASK_MS, "ms"),
  ];
}
