/** The parts that a tab shows. */
import type { Locator, Page } from "playwright-core";
import { isLoading } from "../../../testing/drivers/browser.ts";

export function composerOf(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message", exact: true });
}

export function conversationOf(page: Page): Locator {
  return page.getByRole("region", { name: "Conversation" });
}

/** How long a tab may take to show an expected state: a busy machine is slow. */
const LIMIT_MS = 20_000;

/** The prompts that can be answered. */
export function promptsOf(page: Page): Locator {
  return page.getByRole("region", { name: "Claude asks" }).getByRole("article");
}

/** Resolves when no draft has this text: the host has confirmed to the page that it has the message. */
export async function leavesDraft(page: Page, text: string): Promise<void> {
  await page.waitForFunction((sent) => !JSON.stringify(localStorage).includes(sent), text);
}

/** Durations and times differ from one look to the next. */
const TIMES =
  /\b\d+(?:\.\d+)? ?(?:ms|s|sec|min|h|minutes?|seconds?|hours?)\b( ago)?|\bjust now\b|\bnow\b/g;

/** The place of the prompts stays for announcements after the last one is closed. */
const EMPTY_PROMPTS = /^ *- region "Claude asks":\n *- status\n/m;

/** The main part of the page as assistive technology reads it, without times. */
export async function readMain(page: Page): Promise<string> {
  const tree = await page.locator("main").ariaSnapshot();
  return tree.replaceAll(TIMES, "…").replace(EMPTY_PROMPTS, "");
}

/** The text once nothing is loaded, no part is busy, and it has not changed for a moment. */
export async function readSettled(page: Page): Promise<string> {
  const busy = page.locator("[aria-busy=true]");
  const end = Date.now() + LIMIT_MS;
  for (let before = ""; ; ) {
    const isMoving = isLoading(page) || (await busy.count()) > 0;
    const text = isMoving ? "" : await readMain(page);
    if (text === before && text !== "") return text;
    if (Date.now() > end) throw new Error(`it does not settle: ${await readMain(page)}`);
    before = text;
    await page.waitForTimeout(150);
  }
}

/**
 * Reads two tabs until they show the same; returns their last texts. Each tab is in front when it is read:
 * only a tab that is painted notices which elements are out of sight.
 */
export async function readBoth(one: Page, other: Page): Promise<readonly [string, string]> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    await one.bringToFront();
    const first = await readSettled(one);
    await other.bringToFront();
    const second = await readSettled(other);
    if (first === second || Date.now() > end) return [first, second];
  }
}

/** Reads a value until it is as wanted; returns the last value. */
export async function readUntil<T>(
  read: () => Promise<T>,
  isWanted: (value: T) => boolean,
): Promise<T> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const value = await read();
    if (isWanted(value) || Date.now() > end) return value;
    await Bun.sleep(50);
  }
}

/** Reads a field until it holds `wanted`; returns its last value. */
export function readValue(field: Locator, wanted: string): Promise<string> {
  return readUntil(
    () => field.inputValue(),
    (value) => value === wanted,
  );
}

/** Chooses an item of the menu in the header. */
export async function chooseItem(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/** Sends a message, once the host is connected. */
export async function say(page: Page, message: string): Promise<void> {
  await page.getByTitle("Send message").waitFor();
  await composerOf(page).fill(message);
  await page.keyboard.press("Enter");
}
