/** Shift+Tab in the message field, in Chromium: the next permission mode, its notice, and the way back. */
import { expect, test } from "bun:test";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import type { NewTestSession, TestHostSession } from "../../../testing/drivers/host-process.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { askingSession, cardOf } from "../../prompts/__tests__/support/asking.ts";
import { field, hears, openComposer, send } from "./support/composer-page.ts";

const tested = await openBrowser();

async function opened(options: NewTestSession = {}) {
  const { session, page } = await openComposer(tested, options);
  await field(page).focus();
  return { session, page };
}

/** The modes that Claude was set to, in order. */
function modesOf(session: TestHostSession): readonly unknown[] {
  return session.claudeInput.flatMap(({ request }) => {
    const { subtype, mode } = (request ?? {}) as {
      readonly subtype?: string;
      readonly mode?: string;
    };
    return subtype === "set_permission_mode" ? [mode] : [];
  });
}

test("Shift+Tab changes to the next permission mode and says which that is; Undo takes the last change back", async () => {
  const { session, page } = await opened();
  const edits = page.getByText("Accept edits: Claude edits files");
  const undo = page.getByRole("button", { name: "Undo" });
  await page.keyboard.press("Shift+Tab");
  await edits.waitFor();
  expect(await field(page).evaluate((element) => element.matches(":focus"))).toBe(true);
  await page.keyboard.press("Shift+Tab");
  await page.getByText("Plan: Claude explores").waitFor();
  expect(await edits.count()).toBe(0);
  await undo.click();
  await page.getByRole("button", { name: "Permission mode: Accept edits" }).waitFor();
  expect(await undo.count()).toBe(0);
  expect(modesOf(session)).toEqual(["acceptEdits", "plan", "acceptEdits"]);
});

test("Shift+Tab twice at once, before the host has answered, changes to the mode after the next one", async () => {
  const { session, page } = await opened();
  await page.keyboard.press("Shift+Tab");
  await page.getByRole("button", { name: "Permission mode: Accept edits" }).waitFor();
  await field(page).evaluate((element) => {
    const key = { key: "Tab", shiftKey: true, bubbles: true, cancelable: true };
    for (let press = 0; press < 2; press += 1)
      element.dispatchEvent(new KeyboardEvent("keydown", key));
  });
  await page.getByRole("button", { name: "Permission mode: Ask first" }).waitFor();
  expect(modesOf(session)).toEqual(["acceptEdits", "plan", "default"]);
});

test("the notice of a mode leaves by itself", async () => {
  const { page } = await opened();
  await page.keyboard.press("Shift+Tab");
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  await undo.waitFor({ state: "detached" });
});

test("a key that is held changes the mode once", async () => {
  const { session, page } = await opened();
  await page.keyboard.down("Shift");
  for (let count = 0; count < 4; count += 1) await page.keyboard.down("Tab");
  await page.keyboard.up("Tab");
  await page.keyboard.up("Shift");
  await page.getByText("Accept edits: Claude edits files").waitFor();
  await send(page, "next");
  await hears(session, "next");
  expect(modesOf(session)).toEqual(["acceptEdits"]);
});

test("who goes back through the page by Shift+Tab passes the message field and changes no mode", async () => {
  const { session, page } = await opened();
  await page.getByRole("button", { name: "Attach files" }).focus();
  await page.keyboard.press("Shift+Tab");
  await field(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Shift+Tab");
  expect(await field(page).evaluate((element) => element.matches(":focus"))).toBe(false);
  await send(page, "next");
  await hears(session, "next");
  expect(modesOf(session)).toEqual([]);
  await page.keyboard.press("Shift+Tab");
  await page.getByText("Accept edits: Claude edits files").waitFor();
});

/** In the page: Shift+Tab is pressed in the message field as soon as no prompt is there. */
function pressWhenOver(): void {
  const over = new MutationObserver(() => {
    if (document.querySelector(".prompt") !== null) return;
    over.disconnect();
    const key = { key: "Tab", shiftKey: true, bubbles: true, cancelable: true };
    const target = document.querySelector(".composer-box .composer-field");
    document.documentElement.dataset["pressed"] = String(
      target?.dispatchEvent(new KeyboardEvent("keydown", key)),
    );
  });
  over.observe(document.body, { childList: true, subtree: true });
}

test("Shift+Tab that was meant for a prompt changes no mode where the prompt has just gone", async () => {
  const { host, browser } = tested;
  const session = await askingSession(host, { conversation: askingTurn({ id: "write" }) });
  const page = await browser.tab(session.id);
  await cardOf(page).waitFor();
  await page.keyboard.type("draft");
  await page.keyboard.press("Shift+Tab");
  await cardOf(page).and(page.locator(":focus")).waitFor();
  await field(page).click();
  await page.evaluate(pressWhenOver);
  await session.run("approve", { requestId: "write", decision: "allow" });
  // The field has taken the key.
  await page.waitForFunction(() => document.documentElement.dataset["pressed"] === "false");
  await send(page, "next");
  await hears(session, "next");
  expect(modesOf(session)).toEqual([]);
});
