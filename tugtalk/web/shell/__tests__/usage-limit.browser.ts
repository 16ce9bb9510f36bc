/**
 * A session that the usage limit refuses, in Chromium: the notice, the choices, and the time after the limit.
 */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem, conversationOf, readUntil } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

/** A session whose only turn was refused. The limit is reset after `seconds`. */
async function refused(seconds: number): Promise<TestHostSession> {
  const resetsAt = Math.ceil(Date.now() / 1000) + seconds;
  const claudeEnv = { TUGTALK_SIM_LIMIT: `${resetsAt}` };
  const session = await host.createSession({ title: `Work of ${seconds} s`, claudeEnv });
  await session.finishTurn("Do the work");
  return session;
}

const line = (page: Page) => page.locator(".session-problem", { hasText: "usage limit" });
const byItself = (page: Page) => line(page).getByRole("checkbox", { name: "Go on by itself" });

test("the line above the composer says when the limit is reset, and once it is turned on when the session goes on, as does the board", async () => {
  const session = await refused(600);
  const page = await browser.tab(session.id);
  await line(page)
    .getByText(/^The usage limit is reached\. It is reset at \d.*\.$/)
    .waitFor();
  expect(await line(page).getByRole("button").count()).toBe(0);
  await byItself(page).check();
  await line(page)
    .getByText(/^Goes on at \d.*, after the usage limit$/)
    .waitFor();
  const board = await browser.tab();
  const card = board.getByRole("listitem").filter({ hasText: "Work of 600 s" });
  await card.getByText(/^Goes on at \d/).waitFor();
  await byItself(page).uncheck();
  await card.getByText(/^Goes on at/).waitFor({ state: "detached" });
  await line(page).getByText("The usage limit is reached.").waitFor();
});

test("Cancel is for this time: the line leaves, and the choice stays in the settings of the session", async () => {
  const session = await refused(600);
  const page = await browser.tab(session.id);
  await byItself(page).check();
  await line(page).getByRole("button", { name: "Cancel" }).click();
  await line(page).waitFor({ state: "detached" });
  expect((await session.run("session")).body).toMatchObject({ goes_on: true });
  await chooseItem(page, "Model and mode");
  const setting = page.getByRole("checkbox", { name: "Go on by itself once it is reset" });
  expect(await setting.isChecked()).toBe(true);
  await setting.uncheck();
  const read = async () => (await session.run("session")).body["goes_on"];
  expect(await readUntil(read, (isOn) => isOn === undefined)).toBeUndefined();
});

test("when it has gone on, the message of the person is there once, and the line is gone", async () => {
  const session = await refused(4);
  const page = await browser.tab(session.id);
  await byItself(page).check();
  const transcript = conversationOf(page);
  await transcript.getByText("Went on after the usage limit, with the same message").waitFor();
  await transcript.getByText("You said: Do the work").waitFor();
  await line(page).waitFor({ state: "detached" });
  expect(await transcript.getByText("Do the work", { exact: true }).count()).toBe(1);
});
