/** Dialogs over the page and panels beside it, by keyboard alone, where each answer of the host takes a quarter of a second. */
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { objectOf } from "../../client/claude-value.ts";
import { isLoading, TestBrowser } from "../../testing/drivers/browser.ts";
import { IDLE } from "./support/page-states.ts";
import { composerOf, readUntil, readValue } from "./support/shown.ts";
import { choose, focusedIs, openSlowBrowser } from "./support/slow-port.ts";

const { host, openSlowly } = await openSlowBrowser();

/** Resolves when it has the focus. */
function focusedIn(page: Page, target: Locator): Promise<void> {
  return target.and(page.locator(":focus")).waitFor();
}

test("a menu that Escape closes gives the focus back to its button, and End and Home lead to its ends", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  await page.getByRole("button", { name: "Menu", exact: true }).focus();
  await page.keyboard.press("Enter");
  await focusedIn(page, page.getByRole("menuitem", { name: "Find in the conversation" }));
  await page.keyboard.press("End");
  await focusedIn(page, page.getByRole("menuitem").last());
  await page.keyboard.press("Home");
  await focusedIn(page, page.getByRole("menuitem").first());
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "hidden" });
  await focusedIs(page, "Menu");
}, 60_000);

test("who removes an attachment by its button is in the message field", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  const remove = page.getByRole("button", { name: "Remove notes.txt" });
  await page.getByRole("button", { name: "Attach files" }).focus();
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("A note") };
  await (await chooser).setFiles([file]);
  await remove.waitFor();
  await focusedIs(page, "Message");
  await remove.focus();
  await page.keyboard.press("Enter");
  await remove.waitFor({ state: "detached" });
  await focusedIs(page, "Message");
}, 60_000);

test("a panel that is refreshed by two Enters keeps the focus, and asks Claude once", async () => {
  const { sessionId, session } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  await choose(page, "MCP servers");
  const refresh = page.getByRole("dialog").getByRole("button", { name: "Refresh" });
  const asked = () =>
    session?.claudeInput.filter(({ request }) => objectOf(request)?.["subtype"] === "mcp_status");
  await refresh.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Asking Claude…" }).waitFor();
  await refresh.waitFor();
  await focusedIn(page, refresh);
  expect(asked()).toHaveLength(2);
}, 60_000);

test("a copy that cannot be made leaves the focus on the button that asked for it", async () => {
  // Its Claude has kept nothing.
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  const edit = page.getByRole("button", { name: "Edit and try again" });
  await edit.focus();
  await page.keyboard.press("Enter");
  await page.getByText("no transcript of the conversation").waitFor();
  await focusedIn(page, edit);
}, 60_000);

test("Tab leads from the message field to the Undo of a change by key, and back", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  const undo = page.getByRole("button", { name: "Undo" });
  await focusedIs(page, "Message");
  await page.keyboard.press("Shift+Tab");
  await undo.waitFor();
  await page.keyboard.press("Tab");
  await focusedIs(page, "Attach files");
  await page.keyboard.press("Tab");
  await focusedIn(page, undo);
  await page.keyboard.press("Enter");
  await undo.waitFor({ state: "detached" });
  await focusedIs(page, "Message");
  await page.getByRole("button", { name: "Permission mode: Ask first" }).waitFor();
}, 60_000);

test("a message that Escape has cleared comes back by Undo", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  await page.getByTitle("Send message").waitFor();
  await page.keyboard.type("a long thought");
  await page.keyboard.press("Escape");
  await page.getByText("The message field was cleared.").waitFor();
  expect(await composerOf(page).inputValue()).toBe("");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await focusedIs(page, "Message");
  expect(await readValue(composerOf(page), "a long thought")).toBe("a long thought");
}, 60_000);

test("text that is typed at once after Escape has closed the palette is in the message field, each of ten times", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  await page.getByTitle("Send message").waitFor();
  for (let count = 1; count <= 10; count += 1) {
    await page.keyboard.press("Control+k");
    await focusedIs(page, "What do you want to do?");
    await page.keyboard.press("Escape");
    await page.keyboard.type("abc");
    const wanted = "abc".repeat(count);
    expect(await readValue(composerOf(page), wanted)).toBe(wanted);
  }
}, 60_000);

test("Escape takes back a dialog that is on its way, and is for nothing else", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  await page.getByTitle("Send message").waitFor();
  await page.keyboard.type("a draft");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("for the palette");
  await page.keyboard.press("Escape");
  await page.keyboard.type(" goes on");
  await choose(page, "Search in all sessions");
  await page.keyboard.press("Escape");
  await page.keyboard.type(" and on");
  await readUntil(
    async () => isLoading(page),
    (isBusy) => !isBusy,
  );
  expect(await composerOf(page).inputValue()).toBe("a draft goes on and on");
  expect(await page.getByRole("dialog").count()).toBe(0);
}, 60_000);

test("text that is typed after Escape has cleared the message stays, while the code for it is loaded", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly(sessionId);
  await page.getByTitle("Send message").waitFor();
  await page.keyboard.type("wrong");
  await page.keyboard.press("Escape");
  await page.keyboard.type("right");
  await page.getByText("The message field was cleared.").waitFor();
  expect(await composerOf(page).inputValue()).toBe("right");
}, 60_000);

test("J, K and the arrows lead through the list of sessions beside the one that is shown", async () => {
  const [{ sessionId: first }, { sessionId: second }] = [
    await IDLE.reach(host),
    await IDLE.reach(host),
  ];
  const page = await openSlowly(second);
  const rows = page.getByRole("navigation", { name: "Sessions" }).locator(".session-row");
  await rows.nth(1).waitFor();
  await rows.first().focus();
  await page.keyboard.press("k");
  await focusedIn(page, rows.first());
  await page.keyboard.press("j");
  await focusedIn(page, rows.nth(1));
  await page.keyboard.press("ArrowUp");
  await focusedIn(page, rows.first());
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.hash === `#/s/${first}`);
  await focusedIs(page, "Message");
}, 60_000);

test("the page about signing in has the paper of the page, light and dark", async () => {
  const papers = ["light", "dark"] as const;
  for (const colorScheme of papers) {
    const signedIn = await TestBrowser.open(host, { colorScheme });
    const page = await signedIn.tab();
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const wanted = await paper();
    await signedIn.context.clearCookies();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await paper()).toBe(wanted);
    await signedIn.close();
  }
}, 60_000);

test("an MCP server that is switched off by two strokes of Enter is asked once, and its button keeps the focus", async () => {
  const session = await host.createSession({ claudeEnv: { TUGTALK_SIM_SCENARIO: "mcp" } });
  const page = await openSlowly(session.id);
  await choose(page, "MCP servers");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Disable files").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await focusedIn(page, button("Disable files"));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await focusedIn(page, button("Enable files"));
  const asked = session.claudeInput.filter(
    ({ request }) => objectOf(request)?.["subtype"] === "mcp_toggle",
  );
  expect(asked).toHaveLength(1);
}, 60_000);

test("Escape empties the filter of the board, then leaves it, and the keys of the board are at hand", async () => {
  const { sessionId } = await IDLE.reach(host);
  const page = await openSlowly();
  const cards = page.locator(".card-link");
  await cards.first().waitFor();
  await page.keyboard.press("/");
  await focusedIs(page, "Filter sessions");
  await page.keyboard.type("nothing like it");
  await cards.first().waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await cards.first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await focusedIn(page, cards.first());
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.hash === `#/s/${sessionId}`);
  await focusedIs(page, "Message");
}, 60_000);
