/** A session without a conversation names its actions, and each of them works. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { reply, text, turn } from "../../__tests__/support/scene-lines.ts";
import { composerOf } from "../../__tests__/support/shown.ts";
import { wordsOf } from "../../tools/__tests__/support/shown-text.ts";

const { host, browser } = await openBrowser();

const CONVERSATION = turn(reply(text("Done.")));

async function openEmpty() {
  const session = await host.createSession({ conversation: CONVERSATION });
  writeFileSync(join(session.dir, "notes.txt"), "");
  const page = await browser.tab(session.id);
  const beginning = page.locator(".beginning");
  await beginning.waitFor();
  return { page, beginning };
}

test("an empty session names its actions, until the first message", async () => {
  const { page, beginning } = await openEmpty();
  const ways = await Promise.all((await beginning.getByRole("listitem").all()).map(wordsOf));
  expect(ways).toEqual([
    "@ names a file of the folder",
    "/ begins a command of Claude Code",
    "⇧ Tab changes what Claude may do without asking",
    "Ctrl K finds everything else on this page",
    "Pictures and files can be pasted or dropped.",
  ]);
  await composerOf(page).fill("Do it");
  await page.keyboard.press("Enter");
  await page.locator(".text").getByText("Done.").waitFor();
  expect(await beginning.count()).toBe(0);
  await page.reload();
  await page.locator(".text").getByText("Done.").waitFor();
  expect(await beginning.count()).toBe(0);
});

test("the keys that an empty session names have the named actions", async () => {
  const { page, beginning } = await openEmpty();
  await composerOf(page).pressSequentially("@");
  await page.getByRole("option", { name: "notes.txt" }).waitFor();
  await page.keyboard.press("Escape");
  await composerOf(page).fill("");
  await page.keyboard.press("Shift+Tab");
  await page.locator(".toast").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  expect(await beginning.count()).toBe(1);
});
