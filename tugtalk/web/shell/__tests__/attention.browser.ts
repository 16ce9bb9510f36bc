/** The tab while nobody looks: title, icon and notifications. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { TestBrowser } from "../../../testing/drivers/browser.ts";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { startHost } from "../../../testing/drivers/host-process.ts";
import { endAfterTests } from "../../__tests__/support/opened-browser.ts";
import { chooseItem, readUntil } from "../../__tests__/support/shown.ts";

endAfterTests();
const host = await startHost();

/** The calls of a page to the notifications of its browser. */
type Seen = {
  asked: number;
  readonly shown: { readonly title: string; readonly body: string; isClosed: boolean }[];
  click?: () => void;
};

declare global {
  interface Window {
    seen: Seen;
  }
}

/** Stands for the notifications of the browser, which headless Chromium does not show. */
function recordNotifications(answer: NotificationPermission): void {
  const seen: Seen = { asked: 0, shown: [] };
  window.seen = seen;
  class Recorded {
    static permission: NotificationPermission = "default";
    static async requestPermission(): Promise<NotificationPermission> {
      seen.asked += 1;
      Recorded.permission = answer;
      return answer;
    }
    onclick: (() => void) | undefined;
    readonly #shown: Seen["shown"][number];
    constructor(title: string, { body }: { readonly body: string }) {
      this.#shown = { title, body, isClosed: false };
      seen.shown.push(this.#shown);
      seen.click = () => this.onclick?.();
    }
    close(): void {
      this.#shown.isClosed = true;
    }
  }
  Object.defineProperty(window, "Notification", { value: Recorded });
}

async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

const ASKING = askingTurn({ id: "ask", name: "Write", input: { file_path: "/secret/plan.txt" } });

const titled = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.title === wanted, title);

const iconOf = (page: Page) => page.locator('link[rel="icon"]').getAttribute("href");

/** The icon as soon as it is as wanted, otherwise the last one. */
const iconThat = (page: Page, isWanted: (icon: string | null) => boolean) =>
  readUntil(() => iconOf(page), isWanted);

test("the title and the icon of the tab say that a session waits, and that it was done since somebody looked", async () => {
  const browser = await TestBrowser.open(host);
  const session = await host.createSession({ title: "Greeting", conversation: ASKING });
  const page = await browser.tab(session.id);
  await titled(page, "Greeting · tugtalk");
  const quiet = await iconThat(page, (icon) => icon?.startsWith("data:") === true);
  expect(quiet).toStartWith("data:image/png");
  await hide(page, true);
  await session.message("Write");
  await titled(page, "(1) Greeting · tugtalk");
  expect(await iconThat(page, (icon) => icon !== quiet)).not.toBe(quiet);
  const board = await browser.tab();
  await titled(board, "(1) Sessions · tugtalk");
  await session.run("approve", { requestId: "ask", decision: "allow" });
  await titled(page, "✓ Greeting · tugtalk");
  await hide(page, false);
  await titled(page, "Greeting · tugtalk");
  expect(await iconThat(page, (icon) => icon === quiet)).toBe(quiet ?? "");
  expect(browser.problems).toEqual([]);
});

test("a notification is asked for by a person, says who asks for which tool, leads there, and goes with the answer", async () => {
  const browser = await TestBrowser.open(host);
  await browser.context.addInitScript(recordNotifications, "granted" as const);
  const session = await host.createSession({ title: "Greeting", conversation: ASKING });
  const page = await browser.tab((await host.createSession()).id);
  await chooseItem(page, "Settings");
  expect(await page.evaluate(() => window.seen.asked)).toBe(0);
  const setting = page.getByRole("checkbox", { name: "When Claude asks and this tab is hidden" });
  expect(await setting.isChecked()).toBe(false);
  await setting.check();
  expect(await page.evaluate(() => window.seen.asked)).toBe(1);
  await page.keyboard.press("Escape");
  await hide(page, true);
  await session.message("Write");
  await page.waitForFunction(() => window.seen.shown.length === 1);
  expect(await page.evaluate(() => window.seen.shown)).toEqual([
    { title: "Greeting", body: "Claude asks to use Write", isClosed: false },
  ]);
  await session.run("approve", { requestId: "ask", decision: "allow" });
  await page.waitForFunction(() => window.seen.shown[0]?.isClosed);
  await page.evaluate(() => window.seen.click?.());
  await page.getByRole("heading", { level: 1, name: "Greeting" }).waitFor();
  expect(browser.problems).toEqual([]);
});

test("no notification is shown to who looks at the page, or has not asked for them", async () => {
  const browser = await TestBrowser.open(host);
  await browser.context.addInitScript(recordNotifications, "granted" as const);
  const looked = await host.createSession({ conversation: ASKING });
  const page = await browser.tab(looked.id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await hide(page, true);
  await looked.message("Write");
  await titled(page, "(1) Write · tugtalk");
  await looked.run("approve", { requestId: "ask", decision: "allow" });
  await titled(page, "✓ Write · tugtalk");
  expect(await page.evaluate(() => window.seen)).toEqual({ asked: 0, shown: [] });
  expect(browser.problems).toEqual([]);
});

test("the settings say that a browser refuses notifications, and they stay off", async () => {
  const browser = await TestBrowser.open(host);
  await browser.context.addInitScript(recordNotifications, "denied" as const);
  const page = await browser.tab((await host.createSession()).id);
  await chooseItem(page, "Settings");
  const setting = page.getByRole("checkbox", { name: "When Claude asks and this tab is hidden" });
  await setting.click();
  await page.getByText("The browser does not allow it.").waitFor();
  expect(await setting.isChecked()).toBe(false);
  expect(browser.problems).toEqual([]);
});
