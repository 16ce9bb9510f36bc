/** The page's words when the host has forgotten this browser, or was upgraded. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { TestBrowser } from "../../../testing/drivers/browser.ts";
import { startHost } from "../../../testing/drivers/host-process.ts";
import { endAfterTests } from "../../__tests__/support/opened-browser.ts";
import { readValue } from "../../__tests__/support/shown.ts";

endAfterTests();

/** The lines that Chromium logs by itself while no connection can be made. */
const LOST = /WebSocket connection to|net::ERR_|status of 401/;

/** Makes the page one of another build, until it is loaded again. */
function beOfYesterday(): void {
  addEventListener("DOMContentLoaded", () => {
    const [navigation] = performance.getEntriesByType("navigation");
    const isReload = (navigation as PerformanceNavigationTiming | undefined)?.type === "reload";
    if (!isReload)
      document.querySelector('meta[name="tugtalk-page"]')?.setAttribute("content", "yesterday");
  });
}

test("a page in a browser that is not signed in any more says how to get a new link", async () => {
  const host = await startHost();
  const session = await host.createSession();
  const browser = await TestBrowser.open(host);
  const page = await browser.tab(session.id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await host.stop();
  rmSync(join(host.dataDir, "token"));
  await host.start();
  await page.getByText("This browser is not signed in any more.").waitFor();
  await page.getByText("tugtalk host url").waitFor();
  expect(browser.problems.filter((problem) => !LOST.test(problem))).toEqual([]);
});

test("the page says at once that a browser goes offline, before the connection counts as lost", async () => {
  const host = await startHost();
  const session = await host.createSession();
  const browser = await TestBrowser.open(host);
  const page = await browser.tab(session.id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await browser.setNetwork(page, { isOffline: true });
  // Silence alone counts as lost after half a minute.
  await page.getByText("You are offline").waitFor({ timeout: 15_000 });
  await browser.setNetwork(page, {});
  await page.getByText("You are offline").waitFor({ state: "detached" });
  expect(browser.otherProblems).toEqual([]);
});

test("a page of an older host says that the host was updated, and the draft survives the reload", async () => {
  const host = await startHost();
  const session = await host.createSession();
  const browser = await TestBrowser.open(host);
  await browser.context.addInitScript(beOfYesterday);
  const page = await browser.tab(session.id);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("half a message");
  const notice = page.locator(".toast", { hasText: "The host was updated." });
  await notice.waitFor();
  await notice.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  expect(await readValue(field, "half a message")).toBe("half a message");
  expect(await notice.count()).toBe(0);
  expect(browser.problems).toEqual([]);
});
