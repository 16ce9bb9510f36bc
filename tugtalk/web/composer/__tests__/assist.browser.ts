/** Completion, earlier messages, suggestions and the mode, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { NewTestSession } from "../../../testing/drivers/host-process.ts";
import { out } from "../../../testing/drivers/written-conversation.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { reply, text, turn } from "../../__tests__/support/scene-lines.ts";
import {
  field,
  fieldHas,
  heard,
  hears,
  openComposer,
  openSlowComposer,
  send,
} from "./support/composer-page.ts";

const tested = await openBrowser();

async function opened(options: NewTestSession = {}) {
  const { session, page } = await openComposer(tested, options);
  await field(page).focus();
  return { session, page };
}

const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });
const combobox = (page: Page) => page.getByRole("combobox", { name: "Message" });

test("a slash at the beginning offers the commands with category, description and argument hint", async () => {
  const { session, page } = await opened();
  await page.keyboard.type("/comp");
  const first = option(page, /^\/compact/);
  await first.waitFor();
  expect(await first.textContent()).toContain("<optional custom summarization instructions>");
  expect(await first.textContent()).toContain("Free up context");
  expect(await first.textContent()).toContain("local");
  expect(await first.getAttribute("aria-selected")).toBe("true");
  expect(await combobox(page).getAttribute("aria-activedescendant")).toBe(
    await first.getAttribute("id"),
  );
  await page.keyboard.press("Enter");
  await fieldHas(page, "/compact ");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(heard(session)).toEqual([]);
  await page.keyboard.type("only the tests");
  await page.keyboard.press("Enter");
  await hears(session, "/compact only the tests");
});

test("a command is found by its alias, chosen with the arrows or the pointer, and sent when typed whole", async () => {
  const { session, page } = await opened();
  await page.keyboard.type("/reset");
  await option(page, /^\/clear/).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("/c");
  await option(page, /^\/compact/).waitFor();
  const selected = page.locator('[role="option"][aria-selected="true"] .completion-name');
  const first = await selected.textContent();
  await page.keyboard.press("ArrowDown");
  expect(await selected.textContent()).not.toBe(first);
  await page.keyboard.press("ArrowUp");
  expect(await selected.textContent()).toBe(first);
  await option(page, /^\/compact/).click();
  await fieldHas(page, "/compact ");
  await page.keyboard.press("Backspace");
  await option(page, /^\/compact/).waitFor();
  await page.keyboard.press("Enter");
  await hears(session, "/compact");
  await page.keyboard.type("not /c");
  await fieldHas(page, "not /c");
  expect(await page.getByRole("listbox").count()).toBe(0);
});

test("an @ in any word offers files of the folder, and folders go on", async () => {
  const { session, page } = await opened();
  mkdirSync(join(session.dir, "src"));
  writeFileSync(join(session.dir, "src", "greet.ts"), "");
  writeFileSync(join(session.dir, "src", "two words.md"), "");
  writeFileSync(join(session.dir, "notes.txt"), "");
  await page.keyboard.type("look at @sr");
  await option(page, "src/").first().waitFor();
  await page.keyboard.press("Tab");
  await fieldHas(page, "look at @src/");
  await option(page, "src/greet.ts").waitFor();
  await option(page, "src/two words.md").click();
  await fieldHas(page, 'look at @"src/two words.md" ');
  await page.keyboard.type("and @not");
  await option(page, "notes.txt").waitFor();
  await page.keyboard.press("Enter");
  await fieldHas(page, 'look at @"src/two words.md" and @notes.txt ');
  await page.keyboard.press("Enter");
  await hears(session, 'look at @"src/two words.md" and @notes.txt');
});

test("keys that come before the page is drawn again, or the host has searched, find the state after earlier keys", async () => {
  const { session, page, hold } = await openSlowComposer(tested);
  await field(page).focus();
  writeFileSync(join(session.dir, "notes.txt"), "");
  await page.keyboard.type("see @no");
  await option(page, "notes.txt").waitFor();
  const answer = hold();
  await page.keyboard.type("t");
  await field(page).evaluate((element: HTMLTextAreaElement) => {
    const press = (key: string) =>
      element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    press("Enter");
    press("Enter");
    element.setRangeText("next");
    element.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  answer();
  await hears(session, "see @notes.txt");
  await fieldHas(page, "next");
});

test("ArrowUp and ArrowDown go through the messages of the session, and back to the typed text", async () => {
  const { session, page } = await opened();
  await send(page, "First");
  await hears(session, "First");
  await send(page, "Second");
  await hears(session, "Second");
  await page.reload();
  await page.getByText("Second").first().waitFor();
  await field(page).fill("a draft");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "Second");
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "First");
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "First");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await fieldHas(page, "a draft");
  await field(page).fill("one\ntwo");
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "one\ntwo");
});

test("Tab takes Claude's suggestion for the next message", async () => {
  const suggestion = { type: "prompt_suggestion", suggestion: "Now run the tests" };
  const { session, page } = await opened({
    conversation: [...turn(reply(text("Done."))), out(suggestion), ...turn(reply(text("Green.")))],
  });
  await send(page, "Change it");
  await page.getByPlaceholder("Now run the tests").waitFor();
  await page.keyboard.press("Tab");
  await fieldHas(page, "Now run the tests");
  await page.keyboard.press("Enter");
  await hears(session, "Now run the tests");
  await page.getByPlaceholder("Send a follow-up message...").waitFor();
});

test("Tab takes Claude's suggestion also while the code for it is loaded, and the focus stays", async () => {
  const suggestion = { type: "prompt_suggestion", suggestion: "Now run the tests" };
  const { session, page } = await opened({
    conversation: [...turn(reply(text("Done."))), out(suggestion)],
  });
  await page.waitForLoadState("networkidle");
  const loading = Promise.withResolvers<void>();
  await page.route("**/assets/*", async (route) => {
    await loading.promise;
    await route.continue();
  });
  await session.message("Change it");
  await page.getByPlaceholder("Now run the tests").waitFor();
  await page.keyboard.press("Tab");
  await page.locator(".composer-field:focus").waitFor();
  loading.resolve();
  await fieldHas(page, "Now run the tests");
});
