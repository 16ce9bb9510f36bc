/** Messages that wait, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { TestBrowser } from "../../../testing/drivers/browser.ts";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { startHost, type TestHostSession } from "../../../testing/drivers/host-process.ts";
import { atFirstSight } from "../../__tests__/support/first-sight.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { reply, text, turn } from "../../__tests__/support/scene-lines.ts";
import { readValue } from "../../__tests__/support/shown.ts";
import {
  field,
  fieldHas,
  heard,
  hears,
  rows,
  send,
  sendButton,
  stopButton,
} from "./support/composer-page.ts";

const { host, browser } = await openBrowser();

const row = (page: Page, message: string) => rows(page).filter({ hasText: message });
const button = (page: Page, message: string, name: string) =>
  row(page, message).getByRole("button", { name });

/** A turn that goes on until a permission is given, and one for each message after it. */
const BUSY = [
  ...askingTurn({ id: "wait" }),
  ...turn(reply(text("Done."))),
  ...turn(reply(text("Done."))),
  ...turn(reply(text("Done."))),
];

async function finish(session: TestHostSession): Promise<void> {
  const { body } = await session.run("pending");
  const [prompt] = body["pending"] as readonly { readonly requestId: string }[];
  await session.run("approve", { requestId: prompt?.requestId, decision: "allow" });
}

/** A session with an open turn, and a tab with it. */
async function busy() {
  const session = await host.createSession({ conversation: BUSY });
  await session.message("go");
  const page = await browser.tab(session.id);
  await page.getByRole("article").waitFor();
  return { session, page };
}

test("a message that is sent while Claude works waits in a strip above the input, in every tab", async () => {
  const { session, page } = await busy();
  const other = await browser.tab(session.id);
  await send(page, "Then the tests");
  await row(page, 'Message queued: "Then the tests"').waitFor();
  await row(other, 'Message queued: "Then the tests"').waitFor();
  await send(other, "And the docs");
  await row(page, 'Message queued: "And the docs"').waitFor();
  expect(heard(session)).toEqual(["go"]);
  await finish(session);
  await hears(session, "And the docs");
  expect(heard(session)).toEqual(["go", "Then the tests", "And the docs"]);
  await rows(page).first().waitFor({ state: "detached" });
  await rows(other).first().waitFor({ state: "detached" });
});

test("a double click drops one message, and not the one that moves to its place", async () => {
  const { page } = await busy();
  await send(page, "Then the tests");
  await send(page, "And the docs");
  await button(page, "And the docs", "Drop").dblclick({ delay: 200 });
  await row(page, "And the docs").waitFor({ state: "detached" });
  await send(page, "And the changelog");
  await row(page, "And the changelog").waitFor();
  expect(await rows(page).count()).toBe(2);
  expect(await page.locator(".toast").count()).toBe(0);
});

test("a message that waits is changed in place, by one tab for all", async () => {
  const { session, page } = await busy();
  const other = await browser.tab(session.id);
  await send(page, "Then the");
  await button(other, "Then the", "Edit").click();
  const editor = other.getByRole("textbox", { name: "Queued message" });
  expect(await readValue(editor, "Then the")).toBe("Then the");
  await other.keyboard.type(" tests");
  await other.keyboard.press("Enter");
  await row(page, 'Message queued: "Then the tests"').waitFor();
  await row(other, 'Message queued: "Then the tests"').waitFor();
  await button(page, "Then the tests", "Edit").click();
  await page.getByRole("textbox", { name: "Queued message" }).fill("nothing");
  await page.keyboard.press("Escape");
  await row(page, 'Message queued: "Then the tests"').waitFor();
  await finish(session);
  await hears(session, "Then the tests");
});

test("Escape closes the field of a message that waits as soon as that is seen, and stops nothing", async () => {
  const { session, page } = await busy();
  await send(page, "Then the tests");
  await row(page, "Then the tests").waitFor();
  await atFirstSight(page, "textarea[aria-label='Queued message']", () => {
    const init = { key: "Escape", bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", init));
  });
  await page.reload();
  await button(page, "Then the tests", "Edit").click();
  await row(page, 'Message queued: "Then the tests"').waitFor();
  await finish(session);
  await hears(session, "Then the tests");
});

test("a change to a message that is sent meanwhile goes into the composer", async () => {
  const { session, page } = await busy();
  await send(page, "Then the tests");
  await button(page, "Then the tests", "Edit").click();
  await page.getByRole("textbox", { name: "Queued message" }).fill("Then all the tests");
  await finish(session);
  await hears(session, "Then the tests");
  await fieldHas(page, "Then all the tests");
});

test("a message that waits is dropped, and ArrowUp brings its text back", async () => {
  const { session, page } = await busy();
  await send(page, "First");
  await send(page, "Second");
  // Its row moves the other one up, and the mouse would be let go beside it.
  await row(page, "Second").waitFor();
  await button(page, "First", "Drop").click();
  await row(page, "First").waitFor({ state: "detached" });
  await field(page).focus();
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "First");
  await finish(session);
  await hears(session, "Second");
  expect(heard(session)).toEqual(["go", "Second"]);
});

test("a message that waits is sent next, or added to the turn that runs", async () => {
  const { session, page } = await busy();
  for (const message of ["First", "Second", "Third"]) await send(page, message);
  await button(page, "Third", "Send next").click();
  await rows(page).first().filter({ hasText: "Third" }).waitFor();
  expect(await button(page, "Second", "Send now").count()).toBe(0);
  await button(page, "Second", "Add to this turn").click();
  await hears(session, "Second");
  await finish(session);
  await hears(session, "First");
  expect(heard(session)).toEqual(["go", "Second", "Third", "First"]);
});

test("Ctrl+Enter stops the turn and sends the draft, before messages that wait; without a turn it sends like Enter", async () => {
  const { session, page } = await busy();
  await send(page, "Then the tests");
  await row(page, "Then the tests").waitFor();
  await field(page).fill("No, the docs");
  await page.keyboard.press("Control+Enter");
  await hears(session, "Then the tests");
  expect(heard(session)).toEqual(["go", "No, the docs", "Then the tests"]);
  expect(await readValue(field(page), "")).toBe("");
  await sendButton(page).waitFor();
  await stopButton(page).waitFor({ state: "detached" });
  await field(page).fill("And the changelog");
  await page.keyboard.press("Control+Enter");
  await hears(session, "And the changelog");
});

test("a button stops the turn and sends the draft, and a button beside a message that waits sends that message", async () => {
  const { session, page } = await busy();
  const sendNow = page.locator(".composer-box").getByRole("button", { name: "Stop and send" });
  for (const message of ["First", "Second"]) await send(page, message);
  await row(page, "Second").waitFor();
  expect(await sendNow.count()).toBe(0);
  await field(page).fill("Now");
  await sendNow.click();
  await hears(session, "Second");
  expect(heard(session)).toEqual(["go", "Now", "First", "Second"]);
  await sendNow.waitFor({ state: "detached" });

  const { session: other, page: tab } = await busy();
  for (const message of ["First", "Second"]) await send(tab, message);
  await button(tab, "Second", "Stop and send").click();
  await hears(other, "First");
  expect(heard(other)).toEqual(["go", "Second", "First"]);
});

test("a queue that is held says so after a restart of the host, and goes on with Send now", async () => {
  const own = await startHost();
  const tabs = await TestBrowser.open(own);
  const session = await own.createSession({ conversation: BUSY });
  await session.message("go");
  const page = await tabs.tab(session.id);
  await send(page, "First");
  await send(page, "Second");
  await row(page, "Second").waitFor();
  session.play([...turn(reply(text("Done."))), ...turn(reply(text("Done.")))]);
  await own.restart();
  await page.getByText("The queue waits for you").waitFor();
  await button(page, "Second", "Send now").click();
  await hears(session, "First");
  expect(heard(session)).toEqual(["go", "Second", "First"]);
  await page.getByText("The queue waits for you").waitFor({ state: "detached" });
  expect(tabs.otherProblems).toEqual([]);
});
