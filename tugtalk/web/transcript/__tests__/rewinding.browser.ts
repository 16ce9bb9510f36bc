/**
 * Going back to before a message in Chromium: the texts and effects of the dialog, by pointer and by
 * keyboard.
 */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { composerOf, readValue } from "../../__tests__/support/shown.ts";
import { keptSession } from "./support/kept-session.ts";

const { host, browser } = await openBrowser();

/** A tab with a session of three turns, of which the second one has changed a file. */
async function opened(): Promise<{ readonly session: TestHostSession; readonly page: Page }> {
  const session = await keptSession(host);
  const page = await browser.tab(session.id);
  await page.getByText("Answer to Third.").first().waitFor();
  return { session, page };
}

const asked = (page: Page, text: string) => page.locator(".asked").filter({ hasText: text });
const back = (page: Page, text: string) =>
  asked(page, text).getByRole("button", { name: "Back to here" });
const dialog = (page: Page, name = "Back to here") => page.getByRole("dialog", { name });
const choice = (page: Page, name: string) => page.getByRole("radio", { name });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("label")?.textContent?.trim());

async function openDialog(page: Page, text: string): Promise<void> {
  await asked(page, text).hover();
  await back(page, text).click();
  await dialog(page).getByText("What goes back to before this message").waitFor();
}

test("files and conversation go back by keyboard, and the turns that Claude forgets stay in sight, folded", async () => {
  const { session, page } = await opened();
  await back(page, "Second").focus();
  await page.keyboard.press("Enter");
  await dialog(page).getByText("1 file: 1 line comes back, 2 lines go.").waitFor();
  expect(await dialog(page).locator(".path").textContent()).toBe("src/poem.txt");
  await dialog(page).getByText("What only commands have changed").waitFor();
  expect(await focused(page)).toBe("Files and conversation");
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  await page.getByText("Back to before “Second”: 1 file was put back").waitFor();
  expect(await readValue(composerOf(page), "Second")).toBe("Second");
  await page.waitForFunction(() => document.activeElement?.matches(".composer-field"));
  const folded = page.locator(".entry.folded");
  await folded.nth(1).waitFor();
  expect(await folded.count()).toBe(2);
  await folded.first().getByText("forgotten by Claude").waitFor();
  expect(session.claudes.at(-1)?.args).toEqual(expect.arrayContaining(["--resume-session-at=a1"]));

  await page.reload();
  await folded.nth(1).waitFor();
  await folded.first().getByRole("button").click();
  await page.getByText("Answer to Second.").first().waitFor();
  expect(await back(page, "Second").count()).toBe(0);
  expect(await back(page, "First").count()).toBe(1);
});

test("Escape leaves the dialog, stops nothing, and the focus is where it was", async () => {
  const { session, page } = await opened();
  await back(page, "Third").focus();
  await page.keyboard.press("Enter");
  await dialog(page).getByText("Conversation only").waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
    "Back to here",
  );
  expect(
    session.claudeInput.filter(({ request }) => Object(request).subtype === "interrupt"),
  ).toEqual([]);
});

test("where no file was changed since, the conversation alone goes back, and the dialog says why", async () => {
  const { page } = await opened();
  await openDialog(page, "Third");
  expect(await choice(page, "Files and conversation").isDisabled()).toBe(true);
  expect(await choice(page, "Files only").isDisabled()).toBe(true);
  await dialog(page).getByText("have changed no file since").first().waitFor();
  await dialog(page).getByRole("button", { name: "Go back" }).click();
  await page.getByText("Back to before “Third”: Claude no longer knows").waitFor();
  await page.locator(".entry.folded").first().waitFor();
  expect(await page.locator(".entry.folded").count()).toBe(1);
});

test("files alone go back, and the conversation stays", async () => {
  const { session, page } = await opened();
  await openDialog(page, "Second");
  await choice(page, "Files only").check();
  expect(await choice(page, "In a new session").count()).toBe(0);
  await dialog(page).getByRole("button", { name: "Go back" }).click();
  await page.getByText("Back to before “Second”: 1 file was put back").waitFor();
  expect(await page.locator(".entry.folded").count()).toBe(0);
  expect(session.claudes).toHaveLength(1);
});

test("a new session goes on from there, and this one keeps its conversation", async () => {
  const { session, page } = await opened();
  await openDialog(page, "Second");
  await choice(page, "In a new session").check();
  await dialog(page).getByText("Both have the same folder.").waitFor();
  await dialog(page).getByRole("button", { name: "Go back" }).click();
  await page.waitForURL((url) => !url.hash.includes(session.id));
  await asked(page, "First").waitFor();
  expect(await readValue(composerOf(page), "Second")).toBe("Second");
  await page.goBack();
  await page.getByText("Answer to Third.").first().waitFor();
  expect(await page.locator(".entry.folded").count()).toBe(0);
});

test("Edit and try again offers the files that were changed since", async () => {
  const { session, page } = await opened();
  await asked(page, "Second").hover();
  await asked(page, "Second").getByRole("button", { name: "Edit and try again" }).click();
  await dialog(page, "Edit and try again").getByText("1 file:").waitFor();
  expect(await choice(page, "In a new session").isChecked()).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.hash.includes(session.id));
  expect(await readValue(composerOf(page), "Second")).toBe("Second");
});

test("Claude is stopped first if it is at work, and its refusal is shown in the dialog", async () => {
  const { session, page } = await opened();
  const hold = [
    { dir: "in", msg: { type: "user" } },
    { dir: "open" },
    { dir: "in", msg: { type: "never" } },
  ];
  await session.run("delete", { keep: true });
  session.play(hold);
  await session.message("Fourth");
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  await openDialog(page, "Third");
  await dialog(page).getByText("it is stopped first").waitFor();
  await choice(page, "Conversation only").check();
  await dialog(page).getByRole("button", { name: "Stop and go back" }).click();
  await page.getByText("Back to before “Third”: Claude no longer knows").waitFor();
});
