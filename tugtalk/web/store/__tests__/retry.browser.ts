/** An earlier message is edited and tried again in Chromium, with a transcript as Claude keeps it. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { folderNamesOf } from "../../../src/history/transcript-folder.ts";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { answered, said } from "../../../testing/drivers/past-sessions.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { readValue } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

const field = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const asked = (page: Page, text: string) => page.locator(".asked").filter({ hasText: text });

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const IMAGE = { filename: "dot.png", content: PNG, media_type: "image/png" };
const NOTES = { filename: "notes.md", content: "notes.md:\n\nOne.", media_type: "text/plain" };

/** A session with two turns, which its Claude has kept. */
async function opened(): Promise<{ readonly session: TestHostSession; readonly page: Page }> {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  const ids: string[] = [];
  for (const [message, attachments] of [
    ["First", []],
    ["Second", [IMAGE, NOTES]],
  ] as const) {
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    ids.push(String((await session.message(message, { attachments })).body["message_id"]));
    await page.getByText(`You said: ${message}`).first().waitFor();
  }
  const id = String((await session.run("session")).body["claude_session_id"]);
  const folder = join(host.home, ".claude", "projects", folderNamesOf(session.dir).usual);
  mkdirSync(folder, { recursive: true });
  const [first = "", second = ""] = ids;
  const lines = [
    said(first, null, "First"),
    answered("a1", first, "You said: First"),
    said(second, "a1", "Second"),
    answered("a2", second, "You said: Second"),
  ];
  const text = lines.map((line) => `${JSON.stringify({ ...line, sessionId: id })}\n`).join("");
  writeFileSync(join(folder, `${id}.jsonl`), text);
  return { session, page };
}

async function countSessions(): Promise<number> {
  return Number((await host.run("health")).body["sessions"]);
}

test("a message is edited and tried again in a new session, which goes on from before it", async () => {
  const { session, page } = await opened();
  await asked(page, "Second").hover();
  const before = await countSessions();
  await asked(page, "Second").getByRole("button", { name: "Edit and try again" }).dblclick();
  await page.waitForURL((url) => !url.hash.includes(session.id));
  await asked(page, "First").waitFor();
  expect(await countSessions()).toBe(before + 1);
  expect(await readValue(field(page), "Second")).toBe("Second");
  expect(await asked(page, "Second").count()).toBe(0);
  const files = page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
  await files.nth(1).waitFor();
  expect(await files.allTextContents()).toEqual(["image-1", "notes.md"]);
  await field(page).fill("Another");
  await page.keyboard.press("Enter");
  await page.getByText("You said: Another").first().waitFor();
  const message = session.claudeInput.findLast(({ type }) => type === "user")?.["message"];
  expect(message).toMatchObject({
    content: [
      { type: "text", text: "Another" },
      { type: "image", source: { data: PNG } },
      { type: "text", text: NOTES.content },
    ],
  });
  const claude = session.claudes.at(-1);
  expect(claude?.args).toEqual(
    expect.arrayContaining(["--fork-session", "--resume-session-at=a1"]),
  );
  await page.goBack();
  await page.getByText("You said: Second").first().waitFor();
});

test("a copy of a conversation that cannot be made says why", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await page.getByTitle("Send message").waitFor();
  await field(page).fill("Only here");
  await page.keyboard.press("Enter");
  await page.getByText("You said: Only here").first().waitFor();
  await asked(page, "Only here").hover();
  await page.getByRole("button", { name: "Edit and try again" }).click();
  await page.getByText("no transcript of the conversation").waitFor();
  expect(page.url()).toContain(session.id);
});
