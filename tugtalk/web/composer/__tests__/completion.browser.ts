/** When the list of completions is open, in Chromium. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { conversationOf } from "../../__tests__/support/shown.ts";
import { field, fieldHas, hears, openComposer, openSlowComposer } from "./support/composer-page.ts";

const tested = await openBrowser();

const list = (page: Page) => page.getByRole("listbox", { name: "Completions" });
const file = (page: Page) => page.getByRole("option", { name: "notes.txt" });

/** A tab whose host answers when the test lets it. */
async function slowPage() {
  const { session, page, hold } = await openSlowComposer(tested);
  writeFileSync(join(session.dir, "notes.txt"), "");
  await field(page).focus();
  await page.keyboard.type("@no");
  await file(page).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await list(page).waitFor({ state: "detached" });
  return { session, page, answer: hold() };
}

test("files that are found after the message was sent are not offered: nothing asks for them any more", async () => {
  const { session, page, answer } = await slowPage();
  await page.keyboard.type("see @not");
  await page.keyboard.press("Enter");
  await hears(session, "see @not");
  answer();
  await conversationOf(page).getByText("You said: see @not").waitFor();
  expect(await list(page).count()).toBe(0);
  await page.close();
});

test("the list closes when the message is sent with Ctrl+Enter over it", async () => {
  const { session, page } = await openComposer(tested);
  writeFileSync(join(session.dir, "notes.txt"), "");
  await field(page).focus();
  await page.keyboard.type("see @no");
  await file(page).waitFor();
  await page.keyboard.press("Control+Enter");
  await hears(session, "see @no");
  await fieldHas(page, "");
  await list(page).waitFor({ state: "detached" });
});

test("earlier messages open no list, so that the arrows go on through them", async () => {
  const { session, page } = await openComposer(tested);
  await field(page).focus();
  for (const message of ["First", "/compact"]) {
    await page.keyboard.type(message);
    await page.keyboard.press("Enter");
    await hears(session, message);
  }
  await fieldHas(page, "");
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "/compact");
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(0))));
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "First");
  expect(await list(page).count()).toBe(0);
});
