/** Sessions that are put away, and the list by day, in Chromium. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem, composerOf, conversationOf } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

const archivedOf = (page: Page) => page.locator("details").filter({ hasText: "Archived" });
const cardOf = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("link", { name: title }) });

async function chooseAction(page: Page, title: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions of ${title}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("a session that is archived on the board is apart from the columns in every tab, and Undo brings it back", async () => {
  const session = await host.createSession({ title: "Put away" });
  await session.finishTurn();
  const [page, other] = [await browser.tab(), await browser.tab(session.id)];
  await cardOf(page, "Put away").waitFor();
  await chooseAction(page, "Put away", "Archive");
  await archivedOf(page).waitFor();
  expect(await page.locator(".columns").getByText("Put away").count()).toBe(0);
  await other.getByText("This session is archived.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".columns").getByText("Put away").waitFor();
  await other.getByText("This session is archived.").waitFor({ state: "detached" });
});

test("a session that is archived from its menu leads to the board, and its next message brings it back", async () => {
  const session = await host.createSession({ title: "Done with it" });
  await session.finishTurn();
  const page = await browser.tab(session.id);
  await composerOf(page).waitFor();
  await chooseItem(page, "Archive");
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await archivedOf(page).getByText("Archived").click();
  await archivedOf(page).getByRole("link", { name: "Done with it" }).click();
  await page.getByRole("heading", { level: 1, name: "Done with it" }).waitFor();
  await page.getByText("This session is archived.").waitFor();
  // In the list the session that is shown is in sight.
  const list = page.getByRole("navigation", { name: "Sessions" });
  await list.getByRole("link", { name: "Done with it" }).waitFor();
  await composerOf(page).fill("One thing more");
  await page.keyboard.press("Enter");
  await conversationOf(page).getByText("You said: One thing more").waitFor();
  await page.getByText("This session is archived.").waitFor({ state: "detached" });
  expect((await session.run("session")).body).not.toHaveProperty("archived_at");
});

test("a session that waits for a person is not archived, and the page says why", async () => {
  const session = await host.createSession({
    title: "Waits",
    conversation: askingTurn({ id: "p" }),
  });
  const events = await session.events();
  await session.message("go");
  await events.next("control_request_forward");
  events.close();
  const page = await browser.tab();
  await cardOf(page, "Waits").waitFor();
  await chooseAction(page, "Waits", "Archive");
  await page.getByText("the session is at work: stop it first, or let it end").waitFor();
  await page.getByRole("region", { name: "Needs you" }).getByText("Waits").last().waitFor();
});

test("sessions that a host has after it was started again are asleep, and a message wakes them", async () => {
  const session = await host.createSession({ title: "Sleeper" });
  await session.finishTurn();
  await host.restart();
  const page = await browser.tab();
  const asleep = page.getByRole("region", { name: "Asleep" });
  await asleep.getByRole("link", { name: "Sleeper" }).click();
  await page.locator(".session-state").getByText("Asleep").waitFor();
  expect(await page.locator(".session-state .dot-failed").count()).toBe(0);
  await composerOf(page).fill("Wake up");
  await page.keyboard.press("Enter");
  await conversationOf(page).getByText("You said: Wake up").waitFor();
});

test("the list beside a session is by day, and follows the day while the page is open, also on 900 px", async () => {
  const session = await host.createSession({ title: "By day" });
  await session.finishTurn();
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 900, height: 700 });
  await page.clock.install();
  await browser.show(page, session.id);
  const list = page.getByRole("navigation", { name: "Sessions" });
  const heading = (name: string) => list.getByRole("heading", { level: 2, name });
  await heading("Today").waitFor();
  expect(await heading("Yesterday").count()).toBe(0);
  await page.clock.fastForward("24:00:00");
  await heading("Yesterday").waitFor();
  await list.getByRole("link", { name: "By day" }).waitFor();
  expect(await heading("Today").count()).toBe(0);
  await page.close();
});

test("on a phone archived sessions are below all other cards, and open there", async () => {
  const [one, other] = [
    await host.createSession({ title: "Put away early" }),
    await host.createSession({ title: "Still there" }),
  ];
  await one.run("update", { archived: true });
  const page = await browser.tab();
  await page.setViewportSize({ width: 390, height: 300 });
  await cardOf(page, "Still there").waitFor();
  await archivedOf(page).getByText("Archived").click();
  const archived = archivedOf(page).getByRole("link", { name: "Put away early" });
  await archived.scrollIntoViewIfNeeded();
  const cards = await page.locator(".columns .session-card").all();
  const bottoms = await Promise.all(cards.map((card) => card.boundingBox()));
  const lowest = Math.max(...bottoms.map((box) => (box === null ? Infinity : box.y + box.height)));
  expect((await archived.boundingBox())?.y).toBeGreaterThan(lowest);
  await archived.click();
  await page.getByRole("heading", { level: 1, name: "Put away early" }).waitFor();
  await other.run("delete");
});
