/** The page sets each text of a person in its own direction, as it is typed and while it waits. */
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { field, openComposer, rows, send } from "./support/composer-page.ts";

const opened = await openBrowser();

const directionOf = (shown: Locator) =>
  shown.evaluate((element) => getComputedStyle(element).direction);

const HEBREW = "בדוק את src/a.ts, בבקשה!";

test("the message field has the direction of its text", async () => {
  const { page } = await openComposer(opened);
  for (const [text, direction] of [
    [HEBREW, "rtl"],
    ["Check src/a.ts (שלום)", "ltr"],
    ["مرحبا", "rtl"],
    ["", "ltr"],
  ] as const) {
    await field(page).fill(text);
    expect([text, await directionOf(field(page))]).toEqual([text, direction]);
  }
});

test("a message that waits has its own direction within the words about it, and while it is edited", async () => {
  const { page } = await openComposer(opened, { conversation: askingTurn({ id: "wait" }) });
  await send(page, "go");
  await page.getByRole("article").waitFor();
  await send(page, HEBREW);
  const row = rows(page).filter({ hasText: `Message queued: "${HEBREW}"` });
  await row.waitFor();
  expect(await directionOf(row)).toBe("ltr");
  expect(await directionOf(row.getByText(HEBREW, { exact: true }))).toBe("rtl");
  await row.getByRole("button", { name: "Edit" }).click();
  expect(await directionOf(page.getByRole("textbox", { name: "Queued message" }))).toBe("rtl");
});
