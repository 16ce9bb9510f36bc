/** Rarer tasks of people, by keyboard alone, where each answer of the host takes a quarter of a second. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { git } from "../../testing/drivers/git.ts";
import { keptSession } from "../transcript/__tests__/support/kept-session.ts";
import { PERMISSION, QUESTION, SESSION_STATES } from "./support/page-states.ts";
import { Scene } from "./support/scene.ts";
import { reply, text, turn } from "./support/scene-lines.ts";
import { ANSWERED, FAILING, PLAN } from "./support/scenes.ts";
import { composerOf, readValue } from "./support/shown.ts";
import { choose, focusedIs, openSlowBrowser, walkTo } from "./support/slow-port.ts";

const { host, openSlowly } = await openSlowBrowser();

/** A tab whose card takes its keys. */
async function openPrompt(sessionId: string | undefined): Promise<Page> {
  const page = await openSlowly(sessionId);
  await page.locator("article[aria-busy=false]:focus").waitFor();
  return page;
}

/** Enter is pressed as soon as the dialog is gone, before time has passed for any other reason. */
const pressAsItCloses = (page: Page) =>
  page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector("dialog") !== null) return;
      observer.disconnect();
      const event = { key: "Enter", bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", event));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });

test("text that is typed while a dialog is loaded is for its field, and an Enter too many sends no draft", async () => {
  const scene = await Scene.open(host, { conversation: ANSWERED });
  await scene.exchange("one");
  const page = await openSlowly(scene.session.id);
  await focusedIs(page, "Message");
  await page.keyboard.type("half a draft");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("rename");
  await page.keyboard.press("Enter");
  await focusedIs(page, "What do you want to do?");
  await page.getByRole("option", { name: "Rename", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Another name");
  await focusedIs(page, "Title");
  expect(await readValue(page.getByLabel("Title"), "Another name")).toBe("Another name");
  await pressAsItCloses(page);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Another name" }).waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("greeting");
  await focusedIs(page, "Find in the conversation");
  await page.getByText(/^1 of/).waitFor();
  await page.keyboard.press("Escape");
  await focusedIs(page, "Message");
  expect(await composerOf(page).inputValue()).toBe("half a draft");
  expect(scene.session.claudeInput.filter(({ type }) => type === "user")).toHaveLength(1);
}, 60_000);

test("a conversation goes on from an earlier message in a new session, once, with the message in its composer", async () => {
  const session = await keptSession(host);
  const page = await openSlowly(session.id);
  await choose(page, "Back to an earlier message");
  await page.getByRole("option", { name: "Third", selected: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await focusedIs(page, "Files and conversation");
  await page.keyboard.press("ArrowDown");
  await focusedIs(page, "Conversation only");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await focusedIs(page, "In a new session");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.hash.includes(session.id));
  await focusedIs(page, "Message");
  expect(await readValue(composerOf(page), "Second")).toBe("Second");
  const { sessions } = (await host.run("sessions")).body;
  expect(JSON.stringify(sessions).split(`"dir":"${session.dir}"`)).toHaveLength(3);
}, 60_000);

test("a session is archived, found by its name and brought back", async () => {
  const title = "Put away";
  const scene = await Scene.open(host, { conversation: ANSWERED, title });
  await scene.exchange("one");
  const page = await openSlowly(scene.session.id);
  await choose(page, "Archive");
  await page.getByText("Archived. The next message brings it back.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await choose(page, title);
  await page.getByText("This session is archived.").waitFor();
  await focusedIs(page, "Message");
  await choose(page, "Bring back");
  await page.getByText("This session is archived.").waitFor({ state: "detached" });
  await focusedIs(page, "Message");
}, 60_000);

test("a session is deleted by Tab and Enter, and the keys are the board's then", async () => {
  const scene = await Scene.open(host, { conversation: ANSWERED, title: "Not needed" });
  await scene.exchange("one");
  const page = await openSlowly(scene.session.id);
  await choose(page, "Delete");
  const dialog = page.getByRole("dialog", { name: "Delete session?" });
  await dialog.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await dialog.locator(":focus").getByText("Deleting…").waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  expect((await host.run("session", { id: scene.session.id })).status).toBe(404);
  await page.keyboard.press("w");
  await focusedIs(page, "What should Claude do?");
}, 60_000);

test("a new session in a worktree is begun with its first message, once", async () => {
  const repository = join(host.projectDir, "repository");
  mkdirSync(repository);
  git(repository, "init", "--quiet");
  const page = await openSlowly();
  await page.keyboard.press("w");
  await page.keyboard.type("Work on the rows");
  await focusedIs(page, "What should Claude do?");
  await walkTo(page, "Folder", "Shift+Tab");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(repository);
  await walkTo(page, "More");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Git worktree" }).waitFor();
  await walkTo(page, "Git worktree");
  await page.keyboard.type("rows");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.locator("button:focus").getByText("Back", { exact: true }).waitFor();
  await walkTo(page, "Trust this folder");
  await page.keyboard.press("Enter");
  await page.locator(".user").getByText("Work on the rows", { exact: true }).waitFor();
  await focusedIs(page, "Message");
  const { sessions } = (await host.run("sessions")).body;
  const dir = join(repository, ".claude", "worktrees", "rows");
  expect(JSON.stringify(sessions).split(`"dir":"${dir}"`)).toHaveLength(2);
}, 60_000);

test("the changes against Git are reached by Tab, and Escape leads back to the composer", async () => {
  const scene = await Scene.open(host, { conversation: ANSWERED });
  await scene.exchange("one");
  const page = await openSlowly(scene.session.id);
  await choose(page, "Changed files");
  await page.getByRole("dialog").waitFor();
  await walkTo(page, "Against Git");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("6 files differ from the latest commit").waitFor();
  await walkTo(page, "src/greet.ts");
  await page.keyboard.press("Enter");
  await page.locator(".diff-added").first().waitFor();
  await page.keyboard.press("Escape");
  await focusedIs(page, "Message");
}, 60_000);

test("a session goes on after the limit, or does not, as the palette says", async () => {
  const { sessionId, session } = await reach("usage limit");
  const page = await openSlowly(sessionId);
  await page.getByText("The usage limit is reached.").waitFor();
  await choose(page, "Go on by itself after the limit");
  await page.keyboard.press("Enter");
  await page.getByText(/^Goes on at \d/).waitFor();
  await choose(page, "Cancel going on after the limit");
  await page.getByText(/^Goes on at \d/).waitFor({ state: "detached" });
  await focusedIs(page, "Message");
  const { goes_on, goes_on_at } = (await session?.run("session"))?.body ?? {};
  expect([goes_on, goes_on_at]).toEqual([true, undefined]);
}, 60_000);

test("a turn that has failed is tried again by the palette or its button, each time once", async () => {
  const scene = await Scene.open(host, {
    conversation: [...FAILING, ...FAILING, ...turn(reply(text("Hello.")))],
  });
  await scene.exchange("Say hello");
  const page = await openSlowly(scene.session.id);
  await page.getByRole("button", { name: "Retry" }).waitFor();
  await choose(page, "Retry");
  await page.keyboard.press("Enter");
  await page.locator(".outcome.failed").nth(1).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await walkTo(page, "Retry", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("Hello.", { exact: true }).first().waitFor();
  await focusedIs(page, "Message");
  expect(scene.session.claudeInput.filter(({ type }) => type === "user")).toHaveLength(3);
}, 60_000);

test("of several suggestions another one is ticked by Space, and A accepts them once", async () => {
  const { sessionId, session } = await PERMISSION.reach(host);
  const page = await openPrompt(sessionId);
  await walkTo(page, "Switch to the permission mode");
  await page.keyboard.press("Space");
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  await focusedIs(page, "Message");
  expect(await composerOf(page).inputValue()).toBe("");
  const answers = session?.claudeInput.filter(({ type }) => type === "control_response") ?? [];
  expect(answers).toHaveLength(1);
  expect(JSON.stringify(answers)).toMatch(/"addRules".*"setMode"/);
}, 60_000);

test.each([
  ["carried out", "a", "", "allow"],
  ["kept for more planning, with what should be different", "n", "Make it shorter", "deny"],
])(
  "a plan is %s",
  async (_name, key, reason, behavior) => {
    const scene = await Scene.open(host, { conversation: PLAN });
    await scene.say("Plan a greeting");
    await scene.until("control_request_forward");
    const page = await openPrompt(scene.session.id);
    await page.keyboard.press(key);
    if (reason === "") await page.keyboard.press(key);
    else await page.keyboard.type(reason);
    if (reason !== "") await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await focusedIs(page, "Message");
    expect(await composerOf(page).inputValue()).toBe("");
    const { claudeInput } = scene.session;
    const answers = claudeInput.filter(({ type }) => type === "control_response");
    expect(answers).toHaveLength(1);
    expect(JSON.stringify(answers)).toContain(`"behavior":"${behavior}"`);
    expect(JSON.stringify(answers)).toContain(reason);
  },
  60_000,
);

test("questions are answered one after the other by Enter, each in sight, with several answers and an own one", async () => {
  const { sessionId, session } = await QUESTION.reach(host);
  const page = await openPrompt(sessionId);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await focusedIs(page, "start");
  await page.keyboard.press("Enter");
  await focusedIs(page, "3000");
  await page.keyboard.press("Space");
  await walkTo(page, "Other answer to: Which ports");
  await page.keyboard.type("9000");
  await page.keyboard.press("Enter");
  await focusedIs(page, "Yes");
  expect(await isInSight(page)).toBe(true);
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await focusedIs(page, "Message");
  const answers = session?.claudeInput.filter(({ type }) => type === "control_response") ?? [];
  expect(answers).toHaveLength(1);
  expect(JSON.stringify(answers)).toContain(
    JSON.stringify({
      "What should the command be called?": "start",
      "Which ports may it use?": ["3000", "9000"],
      "Should it open a browser?": "Yes",
    }),
  );
}, 60_000);

async function reach(name: string) {
  const state = SESSION_STATES.find((one) => one.name === name);
  if (state === undefined) throw new Error(`there is no state "${name}"`);
  return await state.reach(host);
}

/** Nothing covers the element that has the focus. */
function isInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { activeElement } = document;
    const { left, top, width, height } = activeElement?.getBoundingClientRect() ?? new DOMRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === activeElement;
  });
}
