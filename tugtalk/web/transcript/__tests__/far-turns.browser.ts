/** Turns that are far out of sight leave the document, and nobody notices. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { resumeLong } from "./support/past-session.ts";
import { walkToEnd, walkToFirst } from "./support/walk.ts";

const { host, browser } = await openBrowser();

const TURNS = 200;
const session = await resumeLong(host, TURNS);

/** A long conversation, walked through to its first turn. */
async function openWalked(): Promise<Page> {
  const page = await browser.tab(session.id);
  await page.locator(".user").getByText(`Question ${TURNS}`, { exact: true }).waitFor();
  await walkToFirst(page);
  await page.locator(".user").getByText("Question 1", { exact: true }).waitFor();
  await untilFew(page);
  return page;
}

async function untilFew(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelectorAll(".entry").length <= 120);
}

const asked = (page: Page) => page.locator(".user").count();

test("most turns of a long conversation are not in the document, and are there when they are read", async () => {
  const page = await openWalked();
  const nodes = await page.evaluate(() => document.querySelectorAll(".entries *").length);
  const { questions, moved, heights } = await walkToEnd(page);
  expect(questions).toEqual(Array.from({ length: TURNS }, (_, at) => `Question ${at + 1}`));
  expect(moved).toBeLessThan(1);
  expect(heights).toHaveLength(1);
  await untilFew(page);
  expect(nodes).toBeLessThan(3_000);
});

test("a text is found in turns that are not in the document, and marked wherever they come back", async () => {
  const page = await openWalked();
  const last = page.locator(".user").getByText(`Question ${TURNS}`, { exact: true });
  expect(await last.count()).toBe(0);
  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Find in the conversation" });
  await field.fill(`Answer ${TURNS}`);
  await page.getByText("1 of 1").waitFor();
  await page.locator(".text").getByText(`Answer ${TURNS}`).waitFor();
  expect(await page.getByText(`Answer ${TURNS}`, { exact: true }).isVisible()).toBe(true);
  await field.fill("Answer");
  await page.getByText(`of ${TURNS}`).waitFor();
  await walkToEnd(page);
  await page.waitForFunction(() => {
    const ranges = [...(CSS.highlights.get("found") ?? [])].filter(({ collapsed }) => !collapsed);
    const { length } = document.querySelectorAll(".entry");
    return length > 0 && ranges.length === length;
  });
});

test("the second key for finding is for the browser's own search, which finds all turns", async () => {
  const page = await openWalked();
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox", { name: "Find in the conversation" }).waitFor();
  expect(await asked(page)).toBeLessThan(TURNS);
  await page.keyboard.press("Control+f");
  await page.waitForFunction((count) => document.querySelectorAll(".user").length === count, TURNS);
});

test("all turns are printed", async () => {
  const page = await openWalked();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await asked(page)).toBe(TURNS);
});

test("a turn that a person has used stays as it is, however far it is away", async () => {
  const page = await openWalked();
  await page.locator(".user").getByText("Question 1", { exact: true }).click();
  await walkToEnd(page);
  await untilFew(page);
  expect(await page.locator(".user").getByText("Question 1", { exact: true }).count()).toBe(1);
  expect(await page.locator(".user").getByText("Question 110", { exact: true }).count()).toBe(0);
});

test("turns that are folded while they are away take no more room than others that are", async () => {
  const page = await openWalked();
  const height = () =>
    page.locator(".transcript-scroller").evaluate(({ scrollHeight }) => scrollHeight);
  const before = await height();
  await page.locator(".transcript-scroller").evaluate((scroller) => scroller.scrollTo(0, 120));
  await page.getByRole("button", { name: "Collapse earlier turns" }).click();
  await page.locator(".folded-turn").first().waitFor();
  await page.waitForFunction(
    (count) => document.querySelectorAll(".folded-turn").length === count,
    TURNS,
  );
  expect(await height()).toBeLessThan(before / 3);
});
