/** The page names the current activity once, and the thing that it waits for once. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import {
  BACKGROUND_PROMPT,
  type PageState,
  PERMISSION,
  TOOL_RUNNING as RUNNING,
} from "../../__tests__/support/page-states.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import { TOOL_RUNNING } from "../../__tests__/support/scenes.ts";
import { readUntil, say } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

async function opened({ reach }: PageState) {
  const { sessionId, session } = await reach(host);
  return { session, page: await browser.tab(sessionId) };
}

const WAITING = /wait|needs? you|answer|approv|pending/i;

/** The texts that are seen and say one of these words, also as placeholder. */
async function saying(page: Page, words: RegExp): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const isSeen = (node: Node) =>
      node.parentElement?.closest(".visually-hidden, .session-folder, script, style") === null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const fields = [...document.querySelectorAll("textarea")];
    const found = fields.map(({ placeholder }) => placeholder);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (isSeen(node)) found.push(node.textContent ?? "");
    return found;
  });
  return texts.filter((text) => words.test(text));
}

test("while a prompt is open its card names the request; header and list have a sign, and the tab a number", async () => {
  const { session, page } = await opened(PERMISSION);
  await page.getByRole("article").getByText("Tool Approval Required").waitFor();
  expect(await saying(page, WAITING)).toEqual(["Tool Approval Required"]);
  expect(await page.locator(".session-header .pending-bell").textContent()).toContain("1");
  expect(await page.locator(".session-header .session-state").count()).toBe(0);
  const row = page.getByRole("navigation", { name: "Sessions" }).getByRole("link", {
    name: "Build it",
  });
  expect(await row.locator(".dot-waiting").count()).toBe(1);
  expect(await row.locator(".pending-badge").count()).toBe(0);
  await page.waitForFunction(() => document.title === "(1) Build it · tugtalk");
  // The next test is of a host on which no other waits.
  await session?.run("delete");
});

test("the request of an agent is named at the card, too, and not in its line", async () => {
  const { page } = await opened(BACKGROUND_PROMPT);
  await page.getByRole("article").getByText("for Read the history").waitFor();
  await page.locator(".agent-line").getByText("git log").waitFor();
  expect(await saying(page, WAITING)).toEqual(["Tool Approval Required"]);
});

test("while a tool runs one line says which, for how long and how to stop it, and Escape does", async () => {
  const { session } = await Scene.open(host, { conversation: TOOL_RUNNING });
  const page = await browser.tab(session.id);
  await say(page, "Check it");
  const line = page.locator(".activity");
  const seconds = async () => Number(/· (\d+) s ·/.exec((await line.textContent()) ?? "")?.[1]);
  const first = await readUntil(seconds, (now) => now >= 1);
  expect(await readUntil(seconds, (now) => now > first)).toBeGreaterThan(first);
  expect(await line.textContent()).toMatch(/^Running Bash · \d+ s · Esc stops$/);
  expect(await saying(page, /running|working|generating/i)).toHaveLength(1);
  await page.keyboard.press("Escape");
  await line.waitFor({ state: "detached" });
});

test("no time is made up for work that began before the page was opened", async () => {
  const { sessionId } = await RUNNING.reach(host);
  const page = await browser.context.newPage();
  await page.clock.install();
  await browser.show(page, sessionId);
  const line = page.locator(".activity");
  await line.getByText("Running Bash").waitFor();
  await page.clock.runFor(5_000);
  expect(await line.textContent()).toBe("Running Bash · Esc stops");
  await page.close();
});
