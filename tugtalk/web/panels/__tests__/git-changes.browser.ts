/** The differences from Git, in the panel of the changed files, in Chromium. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { INIT, into, out, RESULT } from "../../../testing/drivers/written-conversation.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { reply, text, turn } from "../../__tests__/support/scene-lines.ts";
import { chooseItem } from "../../__tests__/support/shown.ts";
import { wordsOf } from "../../tools/__tests__/support/shown-text.ts";

const { host, browser } = await openBrowser();

const isAsked = ({ request }: Readonly<Record<string, unknown>>) =>
  Object(request)["subtype"] === "get_workspace_diff";

/** A session in which Claude has answered, with the panel open. */
async function opened(conversation?: readonly object[]) {
  const session = await host.createSession(conversation && { conversation });
  const events = await session.events();
  await session.message("go");
  await events.next("turn_complete");
  events.close();
  const page = await browser.tab(session.id);
  await chooseItem(page, "Changed files");
  const dialog = page.getByRole("dialog", { name: "Changed files" });
  await dialog.getByText("No file was changed by Claude's editing tools.").waitFor();
  return { session, page, dialog };
}

const choose = (page: Page) => page.getByRole("button", { name: "Against Git" }).click();

/** Claude is asked, and has these fields in its answer. */
const answer = (id: string, response: object, subtype = "get_workspace_diff") => [
  into({ type: "control_request", request_id: id, request: { subtype } }),
  out({ type: "control_response", response: { subtype: "success", request_id: id, response } }),
];

test("the difference from Git is asked for when it is chosen, with the lines of each file or why it lacks them, and is in no journal", async () => {
  const { session, page, dialog } = await opened();
  expect(session.claudeInput.some(isAsked)).toBe(false);
  await choose(page);
  await dialog.getByText("6 files differ from the latest commit: +200003 −3").waitFor();
  const files = dialog.locator(".changed-file > summary");
  expect(await Promise.all((await files.all()).map(wordsOf))).toEqual([
    "logo.png binary",
    "src/ greet.ts +3 −1",
    "src/ old.ts deleted −1",
    "times.txt renamed",
    "words.csv +200000 −1",
    "src/ greet.test.ts new not in Git yet",
  ]);
  for (const file of await files.all()) await file.click();
  await dialog.locator(".diff-added").first().waitFor();
  for (const text of [
    "A binary file, of which no lines are shown.",
    "It was notes.txt.",
    "No line differs.",
    "Too much differs for Claude to give the lines.",
    "Git does not know this file yet, and Claude gives no lines of it.",
  ])
    await dialog.getByText(text).waitFor();
  const { body } = await session.run("export", { format: "json" });
  expect(JSON.stringify(body)).not.toContain("greet.ts");
});

test("a missing repository, files that are left out and changes meanwhile are named, and Refresh asks again", async () => {
  const file = { path: "a.txt", added: 1, removed: 0, status: "modified" };
  const diff = (files: number, exact: boolean) => ({
    diff: { stats: {}, perFileStats: [file], hunks: [], omitted: { files, exact } },
  });
  const { page, dialog } = await opened([
    ...turn(reply(text("Hello."))),
    ...answer("one", { diff: null, noDiffReason: "no-repository" }),
    ...answer("two", diff(455, false)),
    ...answer("three", diff(2, true)),
  ]);
  await choose(page);
  await dialog.getByText("The folder is in no Git repository.").waitFor();
  const refresh = dialog.getByRole("button", { name: "Refresh" });
  await refresh.click();
  await dialog.getByText("at least 455 more differ").waitFor();
  await dialog.getByText("1 file differs from the latest commit").waitFor();
  await refresh.click();
  await dialog.getByText(": 2 more differ").waitFor();
});

test("a Claude that cannot compare with Git says which one can, and one that does not run is not started", async () => {
  const { session, page, dialog } = await opened([
    ...answer("start", { commands: [], models: [] }, "initialize"),
    into({ type: "user" }),
    out({ ...INIT, claude_code_version: "2.1.197" }),
    out(RESULT),
  ]);
  await choose(page);
  await dialog.getByText("Claude Code 2.1.197 cannot say this; 2.1.330 can.").waitFor();
  expect(session.claudeInput.some(isAsked)).toBe(false);
  await page.keyboard.press("Escape");
  await session.run("delete", { keep: true });
  await chooseItem(page, "Changed files");
  await choose(page);
  await dialog.getByText("Claude does not run, and was not asked.").waitFor();
  expect(session.claudes).toHaveLength(1);
});
