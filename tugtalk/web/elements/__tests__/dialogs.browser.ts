/** Where a dialog has the focus when it opens, in Chromium. */
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem } from "../../__tests__/support/shown.ts";
import { answerTo, askingSession } from "../../prompts/__tests__/support/asking.ts";

const { host, browser } = await openBrowser();

async function openedSession(title = "Greeting") {
  const session = await host.createSession({ title });
  return { session, page: await browser.tab(session.id) };
}

/** Resolves when the focus is there. */
async function focused(page: Page, target: Locator): Promise<void> {
  await target.and(page.locator(":focus")).waitFor();
}

async function fromPalette(page: Page, action: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "What do you want to do?" }).fill(action);
  await page.getByRole("option", { name: action, selected: true }).first().waitFor();
  await page.keyboard.press("Enter");
}

test("the dialog that renames a session opens with its title selected: typed text replaces it", async () => {
  const { page } = await openedSession();
  await chooseItem(page, "Rename");
  await focused(page, page.getByRole("textbox", { name: "Title" }));
  await page.keyboard.type("Another greeting");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Another greeting" }).waitFor();
});

test("a question before a deletion opens on Cancel, so that Enter and Space delete nothing", async () => {
  const { session, page } = await openedSession();
  await chooseItem(page, "Delete");
  const dialog = page.getByRole("dialog", { name: "Delete session?" });
  await focused(page, dialog.getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect((await session.run("pending")).status).toBe(200);
});

test("a new session opens on the field for the task, by its key and from the palette", async () => {
  const { page } = await openedSession();
  const dialog = page.getByRole("dialog", { name: "New session" });
  const first = dialog.getByRole("textbox", { name: "What should Claude do?" });
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await fromPalette(page, "New session");
  await focused(page, first);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("w");
  await focused(page, first);
});

test("a panel opens on its field, and a panel without a field on its scrolling part", async () => {
  const { page } = await openedSession();
  await chooseItem(page, "Help");
  const panel = page.getByRole("dialog");
  await focused(page, panel.getByRole("searchbox", { name: "Filter" }));
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await chooseItem(page, "Keys");
  await focused(page, panel.locator(".dialog-body"));
});

test("the dialog for another session opens on its prompt, and the keys answer", async () => {
  const other = await askingSession(host, { conversation: askingTurn({ id: "write" }) });
  const { page } = await openedSession();
  await page.getByRole("button", { name: "1 other needs you" }).click();
  await focused(page, page.getByRole("dialog").getByRole("article"));
  await page
    .getByRole("button", { name: /^Allow Y/ })
    .and(page.locator(":enabled"))
    .waitFor();
  await page.keyboard.press("y");
  expect(await answerTo(other, "write")).toMatchObject({ behavior: "allow" });
});
