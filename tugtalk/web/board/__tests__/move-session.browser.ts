/** The dialog that lets a session go on at another place, in Chromium, through to how Claude is started there. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { CHECKED_COMMAND } from "../../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../../testing/drivers/claudes.ts";
import {
  mirroredSession,
  transcriptIn,
  writeTranscript,
} from "../../../testing/drivers/mirrored-session.ts";
import { claudesIn } from "../../../testing/drivers/recorded-claudes.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import { ANSWERED, STREAMING } from "../../__tests__/support/scenes.ts";
import {
  chooseItem,
  composerOf,
  conversationOf,
  readValue,
  say,
} from "../../__tests__/support/shown.ts";
import { choose, focusedIs } from "../../__tests__/support/slow-port.ts";

const root = mkdtempSync(join(tmpdir(), "move-session-"));
afterAll(() => rmSync(root, { recursive: true }));
const farConfig = join(root, ".claude");

/** This machine, with another folder for Claude's transcripts and with this Claude. */
const place = (name: string, claude: string) => {
  const variables = `CLAUDE_CONFIG_DIR=${farConfig} TUGTALK_CLAUDE=${claude}`;
  const started = `shift; ${variables} exec ${CHECKED_COMMAND.join(" ")} "$@"`;
  return { name, command: ["sh", "-c", started, name] };
};
const places = join(root, "places.json");
const PLACES = [
  place("box", STAND_IN),
  place("bare", "/no/claude"),
  { name: "lost", command: ["false"] },
];
writeFileSync(places, JSON.stringify({ places: PLACES }));
const { host, browser } = await openBrowser({ args: [`--places=${places}`] });

const ENTRY = "Move to another place";
const dialog = (page: Page, name = "Move session") => page.getByRole("dialog", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Presses a key until this has the focus. */
async function walkTo(page: Page, wanted: Locator, key: string): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if (await wanted.evaluate((element) => element.matches(":focus"))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead there`);
}

/** A message that is sent from here on reaches Claude at the place that the page shows. */
async function goesOnIn(page: Page, dir: string): Promise<void> {
  await page.locator("header").getByTitle(dir, { exact: true }).waitFor();
  await composerOf(page).pressSequentially("Are you there?");
  await page.keyboard.press("Enter");
  await conversationOf(page).getByText("You said: Are you there?").waitFor();
}

test("by keyboard alone a session goes from its menu to another folder, which is shown before it is trusted", async () => {
  const { session, conversation } = await mirroredSession(host);
  const dir = host.newFolder();
  const page = await browser.tab(session.id);
  await focusedIs(page, "Message");
  await walkTo(page, button(page, "Menu"), "Tab");
  await page.keyboard.press("Enter");
  const entry = page.getByRole("menuitem", { name: ENTRY });
  await entry.waitFor();
  await walkTo(page, entry, "ArrowDown");
  await page.keyboard.press("Enter");
  await focusedIs(page, "Folder");
  await dialog(page).getByText("Claude ends where it is, and goes on there").waitFor();
  await page.keyboard.type(dir);
  await page.keyboard.press("Enter");
  const question = dialog(page, "Trust this folder?");
  await question.getByText(dir).waitFor();
  expect(claudesIn(dir)).toEqual([]);
  await walkTo(page, button(page, "Trust this folder"), "Tab");
  await page.keyboard.press("Enter");
  await page.getByText(`The session goes on in ${dir}.`).waitFor();
  await focusedIs(page, "Menu");
  await walkTo(page, composerOf(page), "Tab");
  await goesOnIn(page, dir);
  expect(claudesIn(dir).map(({ args }) => args)).toEqual([
    expect.arrayContaining([`--resume=${conversation}`]),
  ]);
});

test("a session goes on at another place, where nobody has read the grants of the folder", async () => {
  const { session, conversation, text } = await mirroredSession(host);
  const dir = host.newFolder();
  const page = await browser.tab(session.id);
  await button(page, "Menu").waitFor();
  await choose(page, ENTRY);
  const where = dialog(page).getByRole("combobox", { name: "Place" });
  await where.selectOption("box");
  expect(await where.getByRole("option").allTextContents()).toEqual([
    "This machine",
    ...["box", "bare", "lost"],
  ]);
  await dialog(page).getByLabel("Folder on box").fill(dir);
  await button(page, "Move").click();
  await page.getByText("What it grants and starts on box was not read.").waitFor();
  await button(page, "Trust this folder").click();
  await page.locator("header").getByText("box", { exact: true }).waitFor();
  await goesOnIn(page, dir);
  expect(await Bun.file(transcriptIn(farConfig, dir, conversation)).text()).toBe(text);
});

test("a session at work moves only once a person says so, and goes on with the turns that have ended", async () => {
  const conversation = [...ANSWERED, ...STREAMING];
  const { session } = await mirroredSession(host, { conversation });
  const page = await browser.tab(session.id);
  await say(page, "And then?");
  await button(page, "Stop").waitFor();
  await chooseItem(page, ENTRY);
  await dialog(page).getByRole("combobox", { name: "Folder" }).fill(host.projectDir);
  await button(page, "Move").click();
  const question = dialog(page, "Claude is at work");
  await question.getByText("Claude works, asks something, or has a task").waitFor();
  await button(page, "Back").click();
  const folder = dialog(page).getByRole("combobox", { name: "Folder" });
  expect(await readValue(folder, host.projectDir)).toBe(host.projectDir);
  expect((await session.run("session")).body).toMatchObject({ dir: session.dir, state: "running" });
  await button(page, "Move").click();
  await button(page, "Move anyway").click();
  await question.waitFor({ state: "detached" });
  await goesOnIn(page, host.projectDir);
});

test("a missing part of the conversation is named, and the session moves without it only when a person agrees", async () => {
  const { session, conversation } = await mirroredSession(host);
  const own = transcriptIn(join(host.home, ".claude"), session.dir, conversation);
  // Its only line is longer than the bridge reads.
  writeTranscript(
    join(own.replace(/\.jsonl$/, ""), "subagents", "agent-1.jsonl"),
    `${"x".repeat(31 * 1024 * 1024)}\n`,
  );
  await session.finishTurn("and now?");
  await session.run("delete", { keep: true });
  const page = await browser.tab(session.id);
  await chooseItem(page, ENTRY);
  await dialog(page).getByRole("combobox", { name: "Folder" }).fill(host.projectDir);
  await button(page, "Move").click();
  const question = dialog(page, "Not the whole conversation");
  await question.getByText("Claude goes on with what there is").waitFor();
  await question.getByText("what the host keeps of the conversation is not whole").waitFor();
  expect((await session.run("session")).body).toMatchObject({ dir: session.dir });
  await button(page, "Move anyway").click();
  await goesOnIn(page, host.projectDir);
});

test("a move that fails is reported in the dialog, which stays as it was, and so does the session", async () => {
  const { session, conversation } = await mirroredSession(host);
  const page = await browser.tab(session.id);
  await chooseItem(page, ENTRY);
  const isSaid = (words: string) => dialog(page).getByRole("alert").getByText(words).waitFor();
  await button(page, "Move").click();
  await isSaid("already");
  const folder = dialog(page).getByRole("combobox", { name: "Folder" });
  const missing = join(root, "missing");
  await folder.fill(missing);
  await button(page, "Move").click();
  await isSaid(`no such folder, or it may not be read: ${missing}`);
  expect(await folder.inputValue()).toBe(missing);

  const dir = host.newFolder();
  const other = transcriptIn(join(host.home, ".claude"), dir, conversation);
  writeTranscript(other, `${JSON.stringify({ sessionId: conversation, text: "other" })}\n`);
  await folder.fill(dir);
  await button(page, "Move").click();
  await button(page, "Trust this folder").click();
  await isSaid("the conversation cannot be put there");

  for (const [name, words] of [
    ["bare", "/no/claude"],
    ["lost", "cannot reach lost"],
  ] as const) {
    await dialog(page).getByRole("combobox", { name: "Place" }).selectOption(name);
    await dialog(page).getByLabel(`Folder on ${name}`).fill(dir);
    await button(page, "Move").click();
    await button(page, "Trust this folder").click();
    await isSaid(words);
  }
  await page.keyboard.press("Escape");
  await goesOnIn(page, session.dir);
});

test("only a session whose conversation the host keeps can be moved, and not while it is archived", async () => {
  const scene = await Scene.open(host);
  await scene.untilState("idle");
  scene.close();
  const { session } = await mirroredSession(host);
  const page = await browser.tab(scene.session.id);
  const items = async (id: string) => {
    await browser.show(page, id);
    // The host has said how the sessions are.
    await page.locator(".session-row[aria-current=page]").waitFor();
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: "Export" }).waitFor();
    return page.getByRole("menuitem", { name: ENTRY }).count();
  };
  expect(await items(scene.session.id)).toBe(0);
  expect(await items(session.id)).toBe(1);
  await session.run("update", { archived: true });
  expect(await items(session.id)).toBe(0);
});
