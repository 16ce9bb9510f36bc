/** The composer, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import { LOST_CONNECTION, TestBrowser } from "../../../testing/drivers/browser.ts";
import type { NewTestSession } from "../../../testing/drivers/host-process.ts";
import { atFirstSight } from "../../__tests__/support/first-sight.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { leavesDraft, readUntil, readValue } from "../../__tests__/support/shown.ts";
import {
  field,
  fieldHas,
  heard,
  hears,
  openComposer,
  sendButton,
} from "./support/composer-page.ts";

const tested = await openBrowser({}, LOST_CONNECTION);
const { host, browser } = tested;

const opened = (options?: NewTestSession) => openComposer(tested, options);

test("a message is sent with Enter or the button, trimmed, and the composer is empty after that", async () => {
  const { session, page } = await opened();
  await page.getByPlaceholder("Send the first message...", { exact: true }).waitFor();
  expect(await field(page).getAttribute("rows")).toBe("1");
  expect(await sendButton(page).isDisabled()).toBe(true);
  await field(page).fill("   ");
  expect(await sendButton(page).isDisabled()).toBe(true);
  await field(page).fill("  First message ");
  await page.keyboard.press("Enter");
  await hears(session, "First message");
  expect(await readValue(field(page), "")).toBe("");
  await page.getByPlaceholder("Send a follow-up message...", { exact: true }).waitFor();
  await page.keyboard.type("Two lines");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("of text");
  await sendButton(page).click();
  await hears(session, "Two lines\nof text");
  expect(await readValue(field(page), "")).toBe("");
});

test("text that is typed while the code that sends is still loaded belongs to the next message", async () => {
  const { session, page } = await opened();
  await page.waitForLoadState("networkidle");
  const loading = Promise.withResolvers<void>();
  await page.route("**/assets/*", async (route) => {
    await loading.promise;
    await route.continue();
  });
  await field(page).fill("First");
  await page.keyboard.press("Enter");
  expect(await readValue(field(page), "")).toBe("");
  await field(page).fill("Second");
  loading.resolve();
  await hears(session, "First");
  expect(await readValue(field(page), "Second")).toBe("Second");
});

test("a page that came over plain HTTP from another machine sends messages, and says why it cannot copy", async () => {
  const session = await host.createSession();
  const page = await browser.context.newPage();
  // A browser withholds these from a page of an insecure origin.
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "isSecureContext", { value: false });
    Object.defineProperty(crypto, "randomUUID", { value: undefined });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await page.goto(`${host.pageUrl}/#/s/${session.id}`);
  await sendButton(page).waitFor();
  await field(page).fill("From afar");
  await page.keyboard.press("Enter");
  await hears(session, "From afar");
  await page.getByRole("button", { name: "Copy message" }).click();
  await page.getByText("The browser lets a page copy only over HTTPS").waitFor();
});

test("the field grows from 36 to 200 pixels with its text", async () => {
  const { page } = await opened();
  const height = (isWanted: (height: number) => boolean) =>
    readUntil(async () => (await field(page).boundingBox())?.height ?? 0, isWanted);
  expect(await height((now) => now === 36)).toBe(36);
  await field(page).fill("one\ntwo\nthree");
  expect(await height((now) => now > 60)).toBeGreaterThan(60);
  await field(page).fill("line\n".repeat(40));
  expect(await height((now) => now === 200)).toBe(200);
  await page.getByRole("button", { name: "Show the whole text" }).click();
  expect(await height((now) => now > 400)).toBeGreaterThan(400);
  await field(page).fill("");
  expect(await height((now) => now === 36)).toBe(36);
});

test("above the keyboard of a phone a long draft leaves its buttons and the header in sight", async () => {
  const session = await host.createSession();
  await session.finishTurn();
  const phone = await TestBrowser.open(host, { width: 360, height: 640, isMobile: true });
  const page = await phone.tab(session.id);
  await sendButton(page).waitFor();
  await field(page).fill("line\n".repeat(40));
  // The keyboard lies over the rest of the page.
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, "height", { value: 300 });
    visualViewport?.dispatchEvent(new Event("resize"));
  });
  const bottom = async () => {
    const box = await sendButton(page).boundingBox();
    return (box?.y ?? Infinity) + (box?.height ?? 0);
  };
  expect(await readUntil(bottom, (now) => now <= 300)).toBeLessThanOrEqual(300);
  await page.getByRole("button", { name: "Show the whole text" }).click();
  await page.locator(".composer-field.is-tall").waitFor();
  expect(await bottom()).toBeLessThanOrEqual(300);
  const pickers = await page.locator(".foot-line").boundingBox();
  const header = await page.locator(".session-header").boundingBox();
  expect(pickers?.y).toBeGreaterThanOrEqual((header?.y ?? Infinity) + (header?.height ?? 0));
  expect(phone.problems).toEqual([]);
  await phone.close();
});

test("Enter that ends the composition of a word does not send", async () => {
  const { session, page } = await opened();
  await field(page).focus();
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", {
    text: "にほん",
    selectionStart: 3,
    selectionEnd: 3,
  });
  await page.evaluate(() => {
    const event = { key: "Enter", isComposing: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", event));
  });
  await input.send("Input.insertText", { text: "日本" });
  expect(await readValue(field(page), "日本")).toBe("日本");
  expect(heard(session)).toEqual([]);
  await page.keyboard.press("Enter");
  await hears(session, "日本");
  expect(heard(session)).toHaveLength(1);
});

test("on a touch keyboard Enter begins a new line, and the button sends", async () => {
  const session = await host.createSession();
  const phone = await TestBrowser.open(host, { width: 390, height: 780, isMobile: true });
  const page = await phone.tab(session.id);
  await sendButton(page).waitFor();
  await field(page).tap();
  await page.locator(".composer-field:focus").waitFor();
  await page.keyboard.type("One");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Two");
  await fieldHas(page, "One\nTwo");
  await sendButton(page).tap();
  await hears(session, "One\nTwo");
  expect(phone.problems).toEqual([]);
  await phone.close();
});

test("drafts survive a reload and belong to their session", async () => {
  const { session, page } = await opened();
  const other = await host.createSession();
  await field(page).fill("half a thought");
  await page.goto(`${host.pageUrl}/#/s/${other.id}`);
  await fieldHas(page, "");
  await field(page).fill("another one");
  await page.reload();
  await fieldHas(page, "another one");
  await page.goto(`${host.pageUrl}/#/s/${session.id}`);
  await fieldHas(page, "half a thought");
});

test("a draft is in the field as soon as that is seen", async () => {
  const { page } = await opened();
  await field(page).fill("half a thought");
  await atFirstSight(page, ".composer-field", (element) => {
    document.documentElement.dataset["seen"] = (element as HTMLTextAreaElement).value;
  });
  await page.reload();
  await fieldHas(page, "half a thought");
  const seen = await page.evaluate(() => document.documentElement.dataset["seen"]);
  expect(seen).toBe("half a thought");
});

test("messages before the first connection of the page are sent when it is connected, in their order", async () => {
  const session = await host.createSession();
  const own = await TestBrowser.open(host);
  const connected = Promise.withResolvers<void>();
  await own.context.routeWebSocket(/\/ws$/, async (socket) => {
    await connected.promise;
    socket.connectToServer();
  });
  const page = await own.tab(session.id);
  for (const message of ["first", "second"]) {
    await field(page).fill(message);
    await page.keyboard.press("Enter");
  }
  await page.getByText('Waits for the connection: "second"').waitFor();
  connected.resolve();
  await hears(session, "second");
  expect(heard(session)).toEqual(["first", "second"]);
  expect(await readValue(field(page), "")).toBe("");
  expect(own.problems).toEqual([]);
  await own.close();
});

for (const { name, isForwarded } of [
  { name: "whose answer is lost", isForwarded: true },
  { name: "that is lost on its way", isForwarded: false },
])
  test(`a message ${name} is sent again after the connection is back, and Claude reads it once`, async () => {
    const session = await host.createSession();
    const own = await TestBrowser.open(host);
    let isCut = false;
    await own.context.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        const isCutting = !isCut && message.includes('"cmd":"message"');
        if (!isCutting || isForwarded) server.send(message);
        if (!isCutting) return;
        isCut = true;
        void socket.close();
      });
    });
    const page = await own.tab(session.id);
    await sendButton(page).waitFor();
    await field(page).fill("once");
    await page.keyboard.press("Enter");
    await hears(session, "once");
    await leavesDraft(page, "once");
    await field(page).fill("and then");
    await sendButton(page).click();
    await hears(session, "and then");
    expect(heard(session)).toHaveLength(2);
    expect(await readValue(field(page), "")).toBe("");
    expect(own.problems).toEqual([]);
    await own.close();
  });

test("a page without a connection keeps the draft and says why it is not sent", async () => {
  const { session, page } = await opened();
  const other = await host.createSession();
  await page.getByPlaceholder("Send the first message...", { exact: true }).waitFor();
  await host.kill();
  await page.getByText("Connecting again").waitFor();
  expect(await field(page).getAttribute("placeholder")).toContain("Not connected");
  await field(page).fill("later");
  expect(await page.getByRole("button", { name: "Send message" }).isDisabled()).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByText("Not connected. What you write is kept here.").waitFor();
  expect(await readValue(field(page), "later")).toBe("later");
  await page.goto(`${host.pageUrl}/#/s/${other.id}`);
  await page.getByPlaceholder("No active session").waitFor();
  expect(await field(page).isDisabled()).toBe(true);
  await page.goto(`${host.pageUrl}/#/s/${session.id}`);
  await host.start();
  await sendButton(page).waitFor();
  await sendButton(page).click();
  await hears(session, "later");
});
