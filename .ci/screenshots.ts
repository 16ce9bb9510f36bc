/**
 * `npm run screenshots [-- word…]`: pictures of the page in each main state, in both themes and at three
 * widths, in the folder `screenshots/`. With words, only of the states whose name contains one of them.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { endBrowser, TestBrowser } from "../tugtalk/testing/drivers/browser.ts";
import { endHosts, startHost, type TestHost } from "../tugtalk/testing/drivers/host-process.ts";
import { SIZES } from "../tugtalk/web/__tests__/support/faults.ts";
import { PAGE_STATES, type PageState } from "../tugtalk/web/__tests__/support/page-states.ts";
import { readSettled } from "../tugtalk/web/__tests__/support/shown.ts";

const FOLDER = "screenshots";

const THEMES = ["light", "dark"] as const;

async function main(words: readonly string[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const isWanted = ({ name }: PageState) =>
    words.length === 0 || words.some((word) => name.includes(word));
  for (const state of PAGE_STATES.filter(isWanted)) await photograph(state);
  await endBrowser();
}

/** Uses a host of its own, so that the board shows this state's sessions only. */
async function photograph(state: PageState): Promise<void> {
  const host = await startHost();
  try {
    await takeAll(state, host);
    console.log(state.name);
  } catch (error) {
    console.error(`${state.name}: ${error}`);
    process.exitCode = 1;
  } finally {
    await endHosts();
  }
}

async function takeAll({ name, reach, show }: PageState, host: TestHost): Promise<void> {
  const { sessionId } = await reach(host);
  const browser = await TestBrowser.open(host);
  const page = await browser.tab(sessionId);
  await page.locator("main").waitFor();
  await show?.(page, browser);
  await readSettled(page);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await take(page, `${name.replaceAll(" ", "-")}-${size.width}-${colorScheme}`);
    }
  }
  await browser.close();
}

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
}

await main(process.argv.slice(2));
