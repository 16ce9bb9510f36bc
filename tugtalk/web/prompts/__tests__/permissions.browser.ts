/** Permissions at the composer, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type AskedTool, askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { readValue } from "../../__tests__/support/shown.ts";
import { answerTo, askingSession, cardOf, Wire } from "./support/asking.ts";

const { host, browser } = await openBrowser();

const RULE = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "npm run build" }],
  behavior: "allow",
  destination: "localSettings",
};
const FOLDER = { type: "addDirectories", directories: ["/work/outside"], destination: "session" };
const BUILD = {
  id: "build",
  name: "Bash",
  input: { command: "npm run build" },
  request: { description: "Build the project", permission_suggestions: [RULE] },
};
const ALLOWED = { behavior: "allow", updatedInput: BUILD.input };

async function asked(...tools: readonly AskedTool[]) {
  const session = await askingSession(host, { conversation: askingTurn(...tools) }, tools.length);
  return { session, page: await browser.tab(session.id) };
}

/** Where the focus is in no field. */
const leaveComposer = (page: Page) => page.locator(".composer textarea").blur();

const allow = (page: Page) => cardOf(page).getByRole("button", { name: /^Allow Y/ });
/** It has been there for a moment. */
const ready = (page: Page) => allow(page).and(page.locator(":enabled")).waitFor();
const deny = (page: Page) => cardOf(page).getByRole("button", { name: /^Deny( N)?$/ });

/** The end of each hue in degrees, and its name for people. */
const HUES = [
  [20, "red"],
  [65, "yellow"],
  [170, "green"],
  [250, "blue"],
  [360, "red"],
] as const;

/** Each property of an element, a colour by the name of its hue. */
async function looks(shown: Locator, ...names: readonly string[]): Promise<string[]> {
  const values = await shown.evaluate(
    (element, wanted) => wanted.map((name) => getComputedStyle(element).getPropertyValue(name)),
    names,
  );
  return values.map((value) => (value.startsWith("rgb") ? hueName(value) : value));
}

function hueName(colour: string): string {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  const angle = Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue);
  const degrees = ((angle * 180) / Math.PI + 360) % 360;
  return HUES.find(([below]) => degrees < below)?.[1] ?? "red";
}

test("Allow is green, Deny red, Send blue, a waiting session yellow, each with its icon, and the bell pulses", async () => {
  const { session, page } = await asked(BUILD);
  await session.message("also this");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "no-preference" });
    await allow(page).locator(".icon-shield-check").waitFor();
    await deny(page).locator(".icon-shield-x").waitFor();
    const send = page.getByRole("button", { name: "Send message" });
    const strip = page.getByRole("listitem").filter({ hasText: 'Message queued: "also this"' });
    const bell = page.locator(".pending-bell");
    expect(await looks(allow(page), "background-color")).toEqual(["green"]);
    expect(await looks(deny(page), "color")).toEqual(["red"]);
    expect(await looks(send, "background-color")).toEqual(["blue"]);
    expect(await looks(strip, "background-color")).toEqual(["yellow"]);
    expect(await looks(bell, "background-color")).toEqual(["yellow"]);
    const pulse = ["breathe", "infinite"];
    const animation = ["animation-name", "animation-iteration-count"];
    expect(await looks(bell.locator(".icon-bell"), ...animation)).toEqual(pulse);
  }
});

test("a permission shows tool, purpose, reasons and the exact input, and Allow lets Claude run it as it was", async () => {
  const hostile = "rm -rf \u202e/tmp\u200b <img src=x onerror=alert(1)>";
  const request = {
    description: "Clean\u202e up",
    decision_reason: "It deletes.",
    blocked_path: "/tmp",
  };
  const { session, page } = await asked({
    id: "p",
    name: "Bash",
    input: { command: hostile },
    request,
  });
  const card = cardOf(page);
  await card.getByText("Bash", { exact: true }).waitFor();
  await card.getByText("Clean\\u{202e} up", { exact: true }).waitFor();
  await card.getByText("It deletes.").waitFor();
  await card.getByText("/tmp", { exact: true }).waitFor();
  const shown = "rm -rf \\u{202e}/tmp\\u{200b} <img src=x onerror=alert(1)>";
  expect(await card.getByRole("region", { name: "Input" }).textContent()).toBe(`$${shown}`);
  await allow(page).click();
  const answer = { behavior: "allow", updatedInput: { command: hostile } };
  expect(await answerTo(session, "p")).toEqual(answer);
  await card.waitFor({ state: "detached" });
});

test("a path is shown from the folder of the session, and called outside only where it is", async () => {
  const session = await askingSession(host, {
    conversation: (dir) => {
      const path = `${dir}/src/greet.ts`;
      const request = { blocked_path: path };
      return askingTurn({ id: "inside", name: "Read", input: { file_path: path }, request });
    },
  });
  const page = await browser.tab(session.id);
  const input = cardOf(page).getByRole("region", { name: "Input" });
  expect(await input.textContent()).toBe("src/greet.ts");
  expect(await page.getByText("Outside of what Claude may use").count()).toBe(0);
});

/** The card of a tool that is asked for in a folder with the file `a.txt`. */
async function askedForFile(name: string, file: string, text: string, input: object) {
  const session = await askingSession(host, {
    conversation: (dir) => {
      writeFileSync(join(dir, "a.txt"), text);
      return askingTurn({ id: "p", name, input: { file_path: join(dir, file), ...input } });
    },
  });
  const page = await browser.tab(session.id);
  const change = cardOf(page).getByRole("region", { name: "Input" });
  return { session, change };
}

const NUMBERED = Array.from({ length: 12_000 }, (_, at) => `line ${at + 1}\n`).join("");

test("an overwrite shows the text that it replaces, which is kept from the journal", async () => {
  const text = "kept\nold\nkept, too\n";
  const content = "kept\nnew\nkept, too\n";
  const { session, change } = await askedForFile("Write", "a.txt", text, { content });
  await change.getByText("Replaces 3 lines", { exact: true }).waitFor();
  const rows = await change.locator(".diff-row").allTextContents();
  expect(rows).toEqual(["11 kept", "2−old", "2+new", "33 kept, too"]);
  // The host's answer is in the journal before the events from here on.
  const events = await session.events();
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next("turn_complete");
  expect(events.events.map(({ type }) => type)).not.toContain("control_result");
  events.close();
});

test("a file that is not there is called a new one, and its lines are not drawn as replaced ones", async () => {
  const { change } = await askedForFile("Write", "b.txt", "", { content: "one\ntwo\n" });
  await change.getByText("New file, or one that Claude may not read").waitFor();
  expect(await change.locator(".file-line").allTextContents()).toEqual(["1one", "2two"]);
});

test("a file that Claude may not read, outside of the folder, is not called a new one", async () => {
  const { change } = await askedForFile("Write", "../b.txt", "", { content: "one\n" });
  await change.getByText("Writes, perhaps over what is there", { exact: true }).waitFor();
});

test("an edit has the numbers of the lines of the file, with five digits in full", async () => {
  const input = { old_string: "line 11999", new_string: "line -1" };
  const { change } = await askedForFile("Edit", "a.txt", NUMBERED, input);
  await change.getByText("Changes", { exact: true }).waitFor();
  const removed = change.locator(".diff-removed");
  expect(await removed.textContent()).toBe("11999−line 11999");
  const number = removed.locator(".diff-number").first();
  expect(await number.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true);
  expect(await change.locator(".diff-row").count()).toBe(6);
});

test("an override of the direction of text is visible in the names of server, tool and file", async () => {
  const hostile = "/work/\u202efdp.exe";
  const { page } = await asked(
    { id: "tool", name: "mcp__or\u202eders__pay\u2066", input: {} },
    { id: "read", name: "Read", input: { file_path: hostile } },
  );
  const card = page.locator(".tool").first();
  await card.getByText("or\\u{202e}ders", { exact: true }).waitFor();
  await card.getByText("pay\\u{2066}", { exact: true }).waitFor();
  await page.locator(".tool").last().getByText("\\u{202e}fdp.exe", { exact: true }).waitFor();
  expect(await page.locator("main").textContent()).not.toMatch(/[\u202e\u2066]/);
});

test("an input of many lines can be scrolled and shown whole", async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `echo ${at}`);
  const { page } = await asked({ id: "p", name: "Bash", input: { command: lines.join("\n") } });
  const input = cardOf(page).getByRole("region", { name: "Input" });
  const goesOn = cardOf(page).getByText("Goes on below");
  await goesOn.waitFor();
  await input.getByRole("button", { name: /^Show all/ }).click();
  expect(await input.getByText(/^echo \d+$/).allTextContents()).toEqual(lines);
  expect((await input.boundingBox())?.height).toBeLessThanOrEqual(15 * 16);
  await input.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await goesOn.waitFor({ state: "detached" });
});

test("the first Deny asks for a reason, and Enter sends it", async () => {
  const { session, page } = await asked(BUILD);
  await deny(page).click();
  const reason = page.getByPlaceholder("Reason for denial (optional)");
  expect(await reason.evaluate((field) => field.matches(":focus"))).toBe(true);
  await reason.fill("Not on a Friday");
  await reason.press("Enter");
  expect(await answerTo(session, "build")).toMatchObject({
    behavior: "deny",
    message: "Not on a Friday",
  });
  await page.locator(".tool-denied").waitFor();
});

test("the second Deny sends a denial without a reason", async () => {
  const { session, page } = await asked(BUILD);
  await deny(page).click();
  await deny(page).click();
  expect(await answerTo(session, "build")).toMatchObject({ behavior: "deny" });
});

test("Escape closes the reason and denies nothing; the typed text is there again", async () => {
  const { session, page } = await asked(BUILD);
  await deny(page).click();
  await page.keyboard.type("Wait");
  await page.keyboard.press("Escape");
  const reason = page.getByPlaceholder("Reason for denial (optional)");
  await reason.waitFor({ state: "detached" });
  await page.keyboard.press("n");
  expect(await readValue(reason, "Wait")).toBe("Wait");
  expect((await session.run("pending")).body).toMatchObject({ pending: [{ requestId: "build" }] });
});

test("Deny and stop ends the turn with the denial", async () => {
  const { session, page } = await asked(BUILD);
  await deny(page).click();
  await cardOf(page).getByRole("button", { name: "Deny and stop" }).click();
  expect(await answerTo(session, "build")).toMatchObject({ behavior: "deny", interrupt: true });
});

test("a suggestion is accepted in its own words, and every tab shows the written rule, its file and how to revoke it", async () => {
  const { session, page } = await asked(BUILD);
  const other = await browser.tab(session.id);
  await cardOf(other).waitFor();
  const words =
    "Always allow the Bash command npm run build in this project, saved in .claude/settings.local.json for you";
  await cardOf(page).getByRole("button", { name: words }).click();
  expect(await answerTo(session, "build")).toEqual({ ...ALLOWED, updatedPermissions: [RULE] });
  for (const tab of [page, other]) {
    const receipt = tab.getByRole("list", { name: "Allowed for good" });
    expect(await receipt.textContent()).toContain(
      "Accepted by Chrome: Allow the Bash command npm run build in this project, saved in .claude/settings.local.json for you. To take it back: Remove Bash(npm run build) from permissions.allow in .claude/settings.local.json.",
    );
  }
  await page.reload();
  await page.getByRole("list", { name: "Allowed for good" }).waitFor();
});

const ticked = (page: Page) => cardOf(page).getByRole("button", { name: /^Allow, with what is/ });

test("of several suggestions those that are ticked are accepted, at first the first one, with the key A", async () => {
  const request = { permission_suggestions: [RULE, { type: "new kind" }, FOLDER] };
  const { session, page } = await asked({ ...BUILD, request });
  await ready(page);
  const boxes = cardOf(page).getByRole("checkbox");
  expect(await boxes.count()).toBe(2);
  expect(await boxes.first().isChecked()).toBe(true);
  await boxes.first().uncheck();
  expect(await ticked(page).isDisabled()).toBe(true);
  await cardOf(page).getByRole("checkbox", { name: "Let Claude work in /work/outside" }).check();
  await page.reload();
  await ticked(page).and(page.locator(":enabled")).waitFor();
  expect(await boxes.last().isChecked()).toBe(true);
  await boxes.first().check();
  // The focus is in a box, which takes no letter.
  await page.keyboard.press("a");
  expect(await answerTo(session, "build")).toEqual({
    ...ALLOWED,
    updatedPermissions: [RULE, FOLDER],
  });
});

test("beside ticked suggestions the key Y allows this once", async () => {
  const request = { permission_suggestions: [RULE, FOLDER] };
  const { session, page } = await asked({ ...BUILD, request });
  await ready(page);
  await cardOf(page).getByRole("checkbox").last().check();
  await page.keyboard.press("y");
  expect(await answerTo(session, "build")).toEqual(ALLOWED);
});

test("the key A answers where the focus is in no field", async () => {
  const { session, page } = await asked(BUILD);
  await ready(page);
  await leaveComposer(page);
  await page.keyboard.press("a");
  expect(await answerTo(session, "build")).toEqual({ ...ALLOWED, updatedPermissions: [RULE] });
});

test("from the message field Shift+Tab leads to the prompt, where the keys answer", async () => {
  const { session, page } = await asked(BUILD);
  writeFileSync(join(session.dir, "notes.txt"), "");
  const composer = page.locator(".composer textarea");
  await ready(page);
  await composer.fill("Then the tests");
  await page.keyboard.press("Enter");
  await page.getByText('Message queued: "Then the tests"').waitFor();
  await page.keyboard.type("@");
  // The completion is loaded, and its keys count.
  await page.getByRole("listbox", { name: "Completions" }).waitFor();
  await composer.fill("a draft");
  await page.keyboard.press("Shift+Tab");
  expect(await cardOf(page).evaluate((card) => card.matches(":focus-within"))).toBe(true);
  await page.keyboard.press("y");
  expect(await answerTo(session, "build")).toEqual(ALLOWED);
  expect(await readValue(composer, "a draft")).toBe("a draft");
});

test("the key N opens the reason, which takes the letters of the keys", async () => {
  const { session, page } = await asked(BUILD);
  await ready(page);
  await leaveComposer(page);
  await page.keyboard.press("n");
  await page.keyboard.type("nay");
  await page.keyboard.press("Enter");
  expect(await answerTo(session, "build")).toMatchObject({ behavior: "deny", message: "nay" });
});

/** In the page: Y is pressed again and again while a card is new, however late the next press comes. */
function pressAsItAppears(): void {
  let appearedAt: number | undefined;
  new MutationObserver(() => {
    if (document.querySelector("article") !== null) appearedAt ??= performance.now();
  }).observe(document.body, { childList: true, subtree: true });
  const look = () => {
    if (appearedAt !== undefined && performance.now() - appearedAt > 200) return;
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "y", bubbles: true }));
    setTimeout(look, 10);
  };
  look();
}

test("a prompt takes no key from a person who types", async () => {
  const { session, page } = await asked(BUILD);
  const composer = page.locator(".composer textarea");
  await composer.fill("m");
  await ready(page);
  await page.keyboard.type("any");
  expect(await readValue(composer, "many")).toBe("many");
  expect((await session.run("pending")).body).toMatchObject({ pending: [{ requestId: "build" }] });
});

test("a prompt that has just appeared takes no key that was meant for something else", async () => {
  const session = await host.createSession({ conversation: askingTurn(BUILD) });
  const page = await browser.tab(session.id);
  await page.locator(".composer textarea").waitFor();
  await page.evaluate(pressAsItAppears);
  await session.message("go");
  await ready(page);
  expect((await session.run("pending")).body).toMatchObject({ pending: [{ requestId: "build" }] });
});

test("a failure is shown, and the card can be used again", async () => {
  const session = await askingSession(host, { conversation: askingTurn(BUILD) });
  const [page, wire] = await Wire.tab(browser, session.id);
  wire.refused.add("approve");
  await allow(page).click();
  await cardOf(page).getByRole("alert").getByText("the disk is full").waitFor();
  wire.refused.clear();
  await allow(page).click();
  expect(await answerTo(session, "build")).toEqual(ALLOWED);
  await cardOf(page).waitFor({ state: "detached" });
  await page.close();
});

test("while an answer is on its way no other can be given, and one that is lost can be given again", async () => {
  const session = await askingSession(host, { conversation: askingTurn(BUILD) });
  const [page, wire] = await Wire.tab(browser, session.id);
  wire.held.add("approve");
  await allow(page).click();
  await cardOf(page).and(page.locator('[aria-busy="true"]')).waitFor();
  for (const button of await cardOf(page).getByRole("button").all())
    expect(await button.isDisabled()).toBe(true);
  wire.held.clear();
  await wire.cut();
  await cardOf(page).getByRole("alert").getByText("lost before it answered").waitFor();
  wire.mend();
  await allow(page).click();
  expect(await answerTo(session, "build")).toEqual(ALLOWED);
  await page.close();
});

test("the focus stays with the prompts, so that the keys answer one after the other", async () => {
  const { session, page } = await asked(BUILD, { id: "write" });
  await ready(page);
  await allow(page).press("Enter");
  await answerTo(session, "build");
  await cardOf(page).getByText("Write", { exact: true }).waitFor();
  await ready(page);
  expect(await page.locator(".prompts").evaluate((region) => region.matches(":focus-within"))).toBe(
    true,
  );
  await page.keyboard.press("y");
  expect(await answerTo(session, "write")).toMatchObject({ behavior: "allow" });
});

test("without a connection nothing can be answered, and the card says why; a reason survives", async () => {
  const session = await askingSession(host, { conversation: askingTurn(BUILD) });
  const [page, wire] = await Wire.tab(browser, session.id);
  await deny(page).click();
  await page.keyboard.type("Later");
  await wire.cut();
  await cardOf(page).getByText("The host cannot be reached.").waitFor();
  expect(await allow(page).isDisabled()).toBe(true);
  wire.mend();
  await ready(page);
  await deny(page).click();
  expect(await answerTo(session, "build")).toMatchObject({ behavior: "deny", message: "Later" });
  await page.close();
});

test("the answer of another client removes the card and is shown with its name", async () => {
  const { session, page } = await asked(BUILD);
  await cardOf(page).waitFor();
  const phone = await host.socket();
  await phone.run("hello", { name: "a phone" });
  await phone.run("approve", { s: session.id, requestId: "build", decision: "allow" });
  await page.getByText("Allowed by a phone").waitFor();
  expect(await cardOf(page).count()).toBe(0);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("Allowed by a phone").waitFor({ state: "detached" });
});

test("a person whose answer comes too late sees who was first", async () => {
  const session = await askingSession(host, { conversation: askingTurn(BUILD) });
  const [page, wire] = await Wire.tab(browser, session.id);
  await ready(page);
  wire.isDeaf = true;
  const phone = await host.socket();
  await phone.run("hello", { name: "a phone" });
  await phone.run("approve", { s: session.id, requestId: "build", decision: "deny" });
  await allow(page).click();
  await cardOf(page).getByRole("alert").getByText("Answered by a phone already").waitFor();
  expect(await allow(page).isDisabled()).toBe(true);
  await page.close();
});

test("Claude's end while it asks cancels the prompt, and the page says so", async () => {
  const { session, page } = await asked(BUILD);
  await cardOf(page).waitFor();
  process.kill(session.claudes.at(-1)?.pid ?? 0, "SIGKILL");
  await page.getByText("Not answered: Claude ended").waitFor();
  expect(await cardOf(page).count()).toBe(0);
});

test("of several prompts the first is shown and the others are counted, approvals before questions", async () => {
  const question = { question: "Which?", header: "Which", options: [{ label: "A" }] };
  const ask = { id: "q", name: "AskUserQuestion", input: { questions: [question] } };
  const { session, page } = await asked(ask, BUILD, { id: "write" });
  await cardOf(page).getByText("Build the project").waitFor();
  await page.getByText("2 more").click();
  await page.getByRole("button", { name: "Question from Claude Which?" }).click();
  await page.getByLabel("Other answer to: Which?").fill("B");
  await session.run("approve", { requestId: "write", decision: "allow" });
  await page.getByText("1 more").waitFor();
  expect(await readValue(page.getByLabel("Other answer to: Which?"), "B")).toBe("B");
  await page.getByRole("button", { name: /Build the project/ }).click();
  await allow(page).click();
  await cardOf(page, "Question from Claude").waitFor();
  expect(await readValue(page.getByLabel("Other answer to: Which?"), "B")).toBe("B");
  await page.getByRole("button", { name: "Submit Answers" }).click();
  expect(await answerTo(session, "q")).toMatchObject({
    updatedInput: { answers: { "Which?": "B" } },
  });
});
