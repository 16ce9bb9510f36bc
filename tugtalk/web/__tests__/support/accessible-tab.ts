/**
 * One tab that shows states of the page, each like a tab that has just been opened, and the faults in them.
 */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { TestBrowser } from "../../../testing/drivers/browser.ts";
import type { TestHost } from "../../../testing/drivers/host-process.ts";
import { findFaults } from "./faults.ts";
import { openBrowser } from "./opened-browser.ts";
import type { PageState } from "./page-states.ts";
import { readSettled } from "./shown.ts";

export class AccessibleTab {
  readonly page: Page;
  readonly #host: TestHost;
  readonly #browser: TestBrowser;

  private constructor(page: Page, host: TestHost, browser: TestBrowser) {
    this.page = page;
    this.#host = host;
    this.#browser = browser;
  }

  /** With a host and a browser of its own, until the tests of the file have ended. */
  static async open(): Promise<AccessibleTab> {
    const { host, browser } = await openBrowser();
    return new AccessibleTab(await browser.context.newPage(), host, browser);
  }

  async show({ reach, show }: PageState): Promise<void> {
    const { page } = this;
    // The tab should not see how the next state is reached.
    await page.goto("about:blank");
    const { sessionId } = await reach(this.#host);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await this.#browser.show(page, sessionId);
    await page.locator("main").waitFor();
    await show?.(page, this.#browser);
    await readSettled(page);
  }

  /** A state in both themes and at three widths, as axe and the keyboard find it. */
  async expectAccessible(state: PageState): Promise<void> {
    await this.show(state);
    expect(await findFaults(this.page)).toEqual([]);
    expect(this.#browser.problems.splice(0)).toEqual([]);
  }
}
