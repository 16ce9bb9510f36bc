/** The costs of all sessions by day, in Chromium. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { endingTurn } from "../../../testing/drivers/host-conversations.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

const panel = (page: Page) => page.getByRole("dialog", { name: "Costs by day" });

async function spend(title: string, total_cost_usd: number) {
  const session = await host.createSession({ title, conversation: endingTurn({ total_cost_usd }) });
  await session.finishTurn();
  return session;
}

test("the costs of a day are summed, by session with the way to it, and stay when one is deleted", async () => {
  const page = await browser.tab();
  await page.getByRole("main").waitFor();
  await chooseItem(page, "Costs by day");
  await panel(page).getByText("Nothing was spent").waitFor();
  await page.keyboard.press("Escape");
  await spend("Cheap", 0.25);
  await spend("Dear", 2);
  await (await spend("Gone", 1)).run("delete");
  await chooseItem(page, "Costs by day");
  const day = panel(page).getByRole("listitem").filter({ hasText: "Today" });
  await day.getByText("$3.25", { exact: true }).waitFor();
  await day.getByText("Today").click();
  const rows = await day.locator("li").allTextContents();
  expect(rows).toEqual(["Dear$2.00", "Deleted sessions$1.00", "Cheap$0.25"]);
  await day.getByRole("link", { name: "Dear" }).click();
  await page.getByRole("heading", { level: 1, name: "Dear" }).waitFor();
  expect(await panel(page).count()).toBe(0);
});

test("a year is shown on demand, and the costs of a session lead to those of all", async () => {
  const session = await spend("One of many", 1);
  const page = await browser.tab(session.id);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await chooseItem(page, "Cost and limits");
  await page.getByRole("button", { name: "All sessions by day" }).click();
  await panel(page).getByText("30 days").waitFor();
  await panel(page).getByRole("button", { name: "Show a year" }).click();
  await panel(page).getByRole("button", { name: "Show a year" }).waitFor({ state: "detached" });
  await panel(page).getByText("Today").first().waitFor();
});
