/** The board, in Chromium, with sessions in every column. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { askingTurn, endingTurn } from "../../../testing/drivers/host-conversations.ts";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { atFirstSight } from "../../__tests__/support/first-sight.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";

const { host, browser } = await openBrowser();

const column = (page: Page, name: string) => page.getByRole("region", { name });
const card = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title });

/** A session that has asked twice, with a message that waits. */
async function asking(title: string, at = host): Promise<TestHostSession> {
  const conversation = askingTurn({ id: `${title}-1` }, { id: `${title}-2` });
  const session = await at.createSession({ title, model: "opus", conversation });
  const events = await session.events();
  await session.message("go");
  await events.next("control_request_forward");
  await events.next("control_request_forward");
  events.close();
  await session.message("later");
  return session;
}

/** Resolves when a turn of its own has ended. */
async function talk(session: TestHostSession): Promise<void> {
  const events = await session.events();
  await session.message("go");
  await events.next("turn_complete");
  events.close();
}

async function chooseAction(page: Page, title: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions of ${title}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("a card has title, folder, model, cost, age, its request and a badge of the open prompts, and moves to another column when they are answered", async () => {
  const session = await asking("Two questions");
  const page = await browser.tab();
  const shown = column(page, "Needs you").locator(card(page, "Two questions"));
  await shown.getByTitle("2 pending approvals", { exact: true }).waitFor();
  await shown.getByTitle(session.dir, { exact: true }).waitFor();
  for (const word of ["Waits for you", "1 queued", "$0.00", "opus", "just now"])
    await shown.filter({ hasText: word }).waitFor();
  expect(await shown.textContent()).not.toContain("local");
  // The stand-in waits for the answer to the last one first.
  for (const request of ["Two questions-2", "Two questions-1"])
    await session.run("approve", { requestId: request, decision: "allow" });
  await page
    .getByRole("region", { name: /Idle|Asleep/ })
    .getByText("Two questions")
    .waitFor();
});

test("a card has at once the last text of Claude, as plain words, and the last failure", async () => {
  const [talking, failing] = [
    await host.createSession({ title: "Talking" }),
    await host.createSession({
      title: "Failing",
      conversation: [{ dir: "exit", msg: { code: 3, signal: null } }],
    }),
  ];
  const page = await browser.tab();
  await talking.message("Say **this** in `code`, [here](a.md):\n\n| a | b |\n|---|---|\n| c | d |");
  await column(page, "Idle")
    .locator(card(page, "Talking"))
    .getByText("You said: Say this in code, here: a · b c · d", { exact: true })
    .waitFor();
  await failing.message("go");
  await column(page, "Asleep").locator(card(page, "Failing")).locator(".card-failure").waitFor();
});

test("the arrows and j and k go from card to card, and Enter opens the session", async () => {
  const session = await host.createSession({ title: "Keyboard one" });
  const later = await host.createSession({ title: "Keyboard two" });
  // The session that has changed last is the first.
  for (const one of [session, later]) await talk(one);
  const page = await browser.tab();
  await page.getByRole("link", { name: "Keyboard two" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("keyboard");
  await page.getByRole("link", { name: "Talking" }).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  const focused = (name: string) =>
    page
      .locator(":focus")
      .and(page.getByRole("link", { name, exact: true }))
      .waitFor();
  await focused("Keyboard two");
  await page.keyboard.press("j");
  await focused("Keyboard one");
  await page.keyboard.press("k");
  await focused("Keyboard two");
  await page.keyboard.press("ArrowDown");
  await focused("Keyboard one");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/#/s/${session.id}`);
});

test("a key that comes as soon as the board is seen is taken", async () => {
  await host.createSession();
  const page = await browser.tab();
  await atFirstSight(page, "main.board .board-filter", (filter) => {
    filter.ownerDocument.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
  });
  await page.reload();
  await page.locator(".board-filter:focus").waitFor();
});

test("a session is renamed, forked and ended by the menu of its card", async () => {
  const session = await host.createSession({ title: "Old name" });
  await session.message("Hello");
  const page = await browser.tab();
  await card(page, "Old name").getByText("You said").waitFor();
  await chooseAction(page, "Old name", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("New name");
  await page.keyboard.press("Enter");
  await card(page, "New name").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await chooseAction(page, "New name", "End");
  await column(page, "Asleep").getByText("New name").waitFor();
  await chooseAction(page, "New name", "Fork");
  await page.waitForURL((url) => url.hash.startsWith("#/s/") && !url.hash.includes(session.id));
  await page.getByRole("heading", { level: 1, name: "New name (Fork)" }).waitFor();
  const copy = new URL(page.url()).hash.slice("#/s/".length);
  expect((await host.run("session", { id: copy })).body).toMatchObject({
    title: "New name (Fork)",
  });
  expect(session.claudes.at(-1)?.args).toContain("--fork-session");
});

test("a session is deleted after a question that names the loss, and goes from every tab", async () => {
  const session = await asking("Doomed");
  const [other, page] = [await browser.tab(session.id), await browser.tab()];
  await card(page, "Doomed").waitFor();
  await chooseAction(page, "Doomed", "Delete");
  const question = page.getByRole("dialog", { name: "Delete session?" });
  await question.getByText("a message that waits").waitFor();
  await question.getByText("its question stays unanswered").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await card(page, "Doomed").waitFor();
  await chooseAction(page, "Doomed", "Delete");
  await question.getByRole("button", { name: "Delete" }).click();
  await card(page, "Doomed").waitFor({ state: "detached" });
  await other.getByText("There is no such session").waitFor();
  expect((await session.run("session")).status).toBe(404);
});

test("a limit of dollars is set while a session runs, shown on its card and at its composer, and raised", async () => {
  const conversation = endingTurn({ total_cost_usd: 0.5 });
  const session = await host.createSession({ title: "Costly", conversation });
  const page = await browser.tab();
  await column(page, "Idle").locator(card(page, "Costly")).waitFor();
  await chooseAction(page, "Costly", "Limit");
  await page.getByRole("textbox", { name: "US dollars" }).fill("0.5");
  await page.getByRole("button", { name: "Save" }).click();
  await card(page, "Costly").getByText("$0.00 of $0.50").waitFor();
  await page.getByRole("link", { name: "Costly" }).click();
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("Spend it");
  await page.keyboard.press("Enter");
  await page.getByText("This session has cost its limit of $0.50").waitFor();
  await composer.fill("More");
  await page.keyboard.press("Enter");
  await page.getByText("the session has cost its limit of $0.5").waitFor();
  session.play(endingTurn({ total_cost_usd: 0.1 }));
  await page.getByRole("button", { name: "Raise the limit" }).click();
  await page.getByRole("textbox", { name: "US dollars" }).fill("1");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This session has cost its limit").waitFor({ state: "detached" });
  // The refused text is in the composer again.
  await composer.press("Enter");
  await session.claudeHears((line) => JSON.stringify(line).includes('"More"'));
  expect(session.claudes.at(-1)?.args).toContain("--max-budget-usd=0.5");
});

test("a person goes from session to session that needs one, and to others by the list beside it", async () => {
  // No session of another test needs a person there.
  const own = await openBrowser();
  for (const title of ["First in need", "Second in need"]) {
    const session = await asking(title, own.host);
    expect((await session.run("session")).body).toMatchObject({ state: "requires_action" });
  }
  const quiet = await own.host.createSession({ title: "Quiet" });
  const page = await own.browser.tab(quiet.id);
  const list = page.getByRole("navigation", { name: "Sessions" });
  await list.getByRole("link", { name: "Quiet", exact: false }).waitFor();
  await page.getByRole("button", { name: "others need you" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "First in need" }).click();
  const heading = (name: string) => page.getByRole("heading", { level: 1 }).getByText(name);
  await heading("First in need").waitFor();
  await page.keyboard.press("Control+.");
  await heading("Second in need").waitFor();
  await page.keyboard.press("Control+.");
  await heading("First in need").waitFor();
  await list.getByRole("link", { name: "Quiet" }).click();
  await heading("Quiet").waitFor();
});
