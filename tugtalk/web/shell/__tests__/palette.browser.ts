/** The command palette and the keys of the page in Chromium. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { atFirstSight } from "../../__tests__/support/first-sight.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { readValue } from "../../__tests__/support/shown.ts";
import { resumeLong } from "../../transcript/__tests__/support/past-session.ts";

const { host, browser } = await openBrowser();

/** A dialog that is closed is in the page for a moment longer, and no key works in that. */
async function gone(page: Page): Promise<void> {
  await page.locator("dialog").waitFor({ state: "detached" });
}

test("the palette opens by Ctrl+K from the message field, and runs the action that a few letters find", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("half a message");
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await field.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").fill("mcp");
  await palette.getByRole("option", { name: /MCP servers/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "MCP servers" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await readValue(field, "half a message")).toBe("half a message");
});

test("the palette leads to other sessions, and writes a slash command into the message field", async () => {
  await host.createSession({ title: "The other greeting" });
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("/compact");
  // Before the commands are known, a search for the same text is offered.
  await palette.getByRole("option", { name: /^\/compact/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Message" });
  await gone(page);
  expect(await readValue(field, "/compact ")).toBe("/compact ");
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("oth greet");
  await palette.getByRole("option", { name: "The other greeting", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "The other greeting" }).waitFor();
});

test("the arrow keys choose in the palette, and Escape closes it without doing anything", async () => {
  const page = await browser.tab((await host.createSession()).id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  const chosen = () => palette.getByRole("option", { selected: true }).textContent();
  const first = await chosen();
  await page.keyboard.press("ArrowDown");
  expect(await chosen()).not.toBe(first);
  await page.keyboard.press("ArrowUp");
  expect(await chosen()).toBe(first);
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
});

test("the palette goes back to messages that were not loaded, once they are asked for", async () => {
  const page = await browser.tab((await resumeLong(host, 90)).id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").fill("rewind");
  await palette
    .getByRole("option", { name: "Back to an earlier message", selected: true })
    .waitFor();
  await page.keyboard.press("Enter");
  await palette.getByRole("combobox").fill("Question 35");
  const wanted = palette.getByRole("option", { name: "Question 35", exact: true });
  await palette.getByRole("option", { name: "Load older messages" }).waitFor();
  expect(await wanted.count()).toBe(0);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await wanted.click();
  await page.getByRole("dialog", { name: "Back to here" }).getByText("Question 35").waitFor();
});

test("a key that comes as soon as the way past the lists is seen is taken", async () => {
  const page = await browser.tab();
  await atFirstSight(page, ".skip-link", (link) => {
    link.ownerDocument.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
  });
  await page.reload();
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
});

test("a letter is a key of the page outside of text fields, and a letter in them", async () => {
  await host.createSession();
  const page = await browser.tab();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await page.waitForFunction(() => document.title.endsWith("Sessions · tugtalk"));
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await gone(page);
  await page.keyboard.press("w");
  await page.getByRole("dialog", { name: "New session" }).waitFor();
  await page.keyboard.press("Escape");
  await gone(page);
  const filter = page.getByRole("searchbox", { name: "Filter sessions" });
  await filter.focus();
  await page.keyboard.type("w?");
  expect(await readValue(filter, "w?")).toBe("w?");
  expect(await page.getByRole("dialog").count()).toBe(0);
});
