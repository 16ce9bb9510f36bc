/** The head of a session in Chromium: its texts, and the settings in it. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { TestBrowser } from "../../../testing/drivers/browser.ts";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { INIT, into, out, RESULT, SESSION } from "../../../testing/drivers/written-conversation.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem, say } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

function control(subtype: string) {
  return ({ type, request }: Readonly<Record<string, unknown>>) =>
    type === "control_request" && (request as { subtype?: unknown }).subtype === subtype;
}

/** The button of a picker, which has the chosen value in its name. */
function picker(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

test("the header has title, folder, state and cost, and they follow the session", async () => {
  const session = await host.createSession({ title: "Greeting" });
  const page = await browser.tab(session.id);
  await page.getByRole("heading", { level: 1, name: "Greeting" }).waitFor();
  await page.getByText(session.dir).waitFor();
  await page.locator(".session-state", { hasText: "Idle" }).waitFor();
  await page.getByRole("button", { name: "Cost: $0.00", exact: true }).waitFor();
  await say(page, "Hello");
  await page.getByRole("button", { name: /^Cost: \$0\.00\d+$/ }).waitFor();
  await session.run("update", { title: "Another greeting" });
  await page.getByRole("heading", { level: 1, name: "Another greeting" }).waitFor();
});

test("where there is no room the title is cut, and the state stays a word", async () => {
  const title = "A title that is much longer than any header of a session has room for ".repeat(3);
  const session = await host.createSession({ title });
  const page = await browser.tab(session.id);
  const state = page.locator(".session-state .truncate", { hasText: "Idle" });
  await state.waitFor();
  for (const width of [1280, 900, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await state.evaluate((word) => word.scrollWidth <= word.clientWidth)).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
  }
});

test("a prompt is a bell with a count, until it is answered", async () => {
  const session = await host.createSession({ conversation: askingTurn({ id: "ask" }) });
  const page = await browser.tab(session.id);
  await say(page, "Write");
  const bell = page.locator(".session-header").getByTitle("1 pending approval");
  await bell.waitFor();
  await session.run("approve", { requestId: "ask", decision: "allow" });
  await bell.waitFor({ state: "detached" });
  await page.locator(".session-state", { hasText: "Idle" }).waitFor();
});

test("a model is chosen from those that Claude offers, and shown once Claude has it", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await picker(page, "Model").click();
  await page.getByRole("menuitemradio", { name: /^Sonnet/ }).click();
  await picker(page, "Model: Sonnet 5.5").waitFor();
  await session.claudeHears(control("set_model"));
});

test("the model and the mode are named, and none of them as a default", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await say(page, "Hello");
  await picker(page, "Model: Opus 5.5").waitFor();
  await picker(page, "Permission mode: Ask first").waitFor();
  expect(await page.getByText(/^Default/).count()).toBe(0);
});

test("beside the model it is chosen how hard that thinks, which Claude is asked for", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await picker(page, "Thinking effort").click();
  const choice = (name: string) => page.getByRole("menuitemradio", { name, exact: true });
  await choice("medium").and(page.locator('[aria-checked="true"]')).waitFor();
  // These models always think.
  expect(await choice("off").count()).toBe(0);
  await choice("high").click();
  await session.claudeHears(
    (line) => control("apply_flag_settings")(line) && JSON.stringify(line).includes('"high"'),
  );
});

test("thinking is switched off for a model that can do without, and on again with an effort", async () => {
  const session = await host.createSession();
  const page = await browser.context.newPage();
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) =>
      socket.send(
        String(message).replaceAll('"supportsThinkingOff":false', '"supportsThinkingOff":true'),
      ),
    );
  });
  await browser.show(page, session.id);
  const thinking = (limit: string) => (line: Readonly<Record<string, unknown>>) =>
    control("set_max_thinking_tokens")(line) && JSON.stringify(line).includes(limit);
  await picker(page, "Thinking effort").click();
  await page.getByRole("menuitemradio", { name: "off", exact: true }).click();
  await session.claudeHears(thinking('"max_thinking_tokens":0'));
  await picker(page, "Thinking effort: off").click();
  await page.getByRole("menuitemradio", { name: "low", exact: true }).click();
  await session.claudeHears(thinking('"max_thinking_tokens":null'));
  await page.close();
});

test("a mode is chosen, and one that asks for nothing is confirmed before and refused by Claude in words", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await picker(page, "Permission mode").click();
  await page.getByRole("menuitemradio", { name: /^Plan/ }).click();
  await picker(page, "Permission mode: Plan").click();
  await session.claudeHears(control("set_permission_mode"));
  await page.getByRole("menuitemradio", { name: /^Bypass/ }).click();
  const dialog = page.getByRole("dialog", { name: "Bypass permissions?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await picker(page, "Permission mode: Plan").click();
  await page.getByRole("menuitemradio", { name: /^Bypass/ }).click();
  await dialog.getByRole("button", { name: "Bypass permissions" }).click();
  await page.locator(".toast-error", { hasText: /bypass/i }).waitFor();
  await picker(page, "Permission mode: Plan").waitFor();
});

test("before the host has said how a session is, its menu has nothing that depends on that", async () => {
  const page = await browser.context.newPage();
  // A host that does not answer.
  await page.routeWebSocket(/\/ws$/, () => undefined);
  await browser.show(page, (await host.createSession()).id);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("menuitem", { name: "Export" }).waitFor();
  const depending = page.getByRole("menuitem", { name: /^(?:Move|Archive|Bring back|End)\b/ });
  expect(await depending.count()).toBe(0);
  await page.close();
});

test("the menu is in groups, in which Delete is apart and red", async () => {
  const page = await browser.tab((await host.createSession()).id);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const menu = page.getByRole("menu", { name: "Menu" });
  const item = (name: string) => menu.getByRole("menuitem", { name, exact: true });
  await item("Delete").waitFor();
  const names = await menu.evaluate(({ children }) =>
    [...children].map(({ tagName, textContent }) => (tagName === "HR" ? "—" : textContent.trim())),
  );
  const groups = names.join().split(",—,");
  expect(groups.length).toBeGreaterThan(3);
  expect(groups).toContain("Delete");
  const colour = (name: string) =>
    item(name).evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0] = (await colour("Delete")).match(/\d+/g)?.map(Number) ?? [];
  expect(red).toBeGreaterThan(2 * green);
  expect(await colour("Rename")).not.toBe(await colour("Delete"));
});

test("the gauge of the context opens the list of its parts, and is refreshed by Claude", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await say(page, "Hello");
  await page.getByRole("button", { name: /^Context: [\d.]+ % used$/ }).click();
  const panel = page.getByRole("dialog", { name: "Context" });
  await panel.getByRole("cell", { name: "System prompt" }).waitFor();
  expect(await panel.locator("p").first().textContent()).toMatch(
    /^[\d.]+ % used: \S+ of \S+ tokens · claude-/,
  );
  await session.claudeHears(control("get_context_usage"));
  await panel.getByRole("button", { name: "Refresh" }).click();
  await panel.getByRole("button", { name: "Refresh" }).waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
});

test("the limits of a plan are in the panel of the costs", async () => {
  const info = { status: "allowed_warning", rateLimitType: "five_hour", utilization: 0.9 };
  const session = await host.createSession({
    conversation: [
      into({ type: "user" }),
      out(INIT),
      out({ type: "rate_limit_event", session_id: SESSION, rate_limit_info: info }),
      out(RESULT),
    ],
  });
  const page = await browser.tab(session.id);
  await say(page, "Hello");
  await page.getByRole("button", { name: /^Cost/ }).click();
  const panel = page.getByRole("dialog", { name: "Cost and limits" });
  await panel.getByText("90 % of the five hour limit is used.").waitFor();
});

test("the cost opens total, latest turn, durations and each model", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await say(page, "Hello");
  await page.getByRole("button", { name: /^Cost: \$0\.00\d+$/ }).click();
  const panel = page.getByRole("dialog", { name: "Cost and limits" });
  for (const name of ["This session", "Latest turn"])
    await panel.getByRole("term").filter({ hasText: name }).waitFor();
  expect(await panel.getByRole("definition").first().textContent()).toMatch(
    /^\$0\.00\d+ All sessions by day$/,
  );
  await panel.getByRole("cell", { name: /^claude-/ }).waitFor();
});

test("on a phone the menu leads to model and mode, and nothing is wider than the page", async () => {
  const phone = await TestBrowser.open(host, { width: 360, height: 640, isMobile: true });
  const session = await host.createSession({ title: "A title that is far too long for a phone" });
  const page = await phone.tab(session.id);
  await chooseItem(page, "Model and mode");
  const panel = page.getByRole("dialog", { name: "Model and mode" });
  await panel.getByRole("radio", { name: /^Opus/ }).click();
  await session.claudeHears(control("set_model"));
  await panel.getByRole("radio", { name: /^Accept edits/ }).click();
  await session.claudeHears(control("set_permission_mode"));
  await panel.getByRole("radio", { name: /^Accept edits/, checked: true }).waitFor();
  await panel.getByRole("radio", { name: "high", exact: true }).click();
  await session.claudeHears(control("apply_flag_settings"));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(360);
  expect(phone.problems).toEqual([]);
});
