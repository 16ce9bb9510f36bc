/** A page whose Claude, bridge or host is killed without warning, in each main state of a session. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { LOST_CONNECTION } from "../../testing/drivers/browser.ts";
import type { TestHostSession } from "../../testing/drivers/host-process.ts";
import { parentOf } from "../../testing/drivers/processes.ts";
import { chips, give } from "../composer/__tests__/support/given-files.ts";
import { openBrowser } from "./support/opened-browser.ts";
import {
  BACKGROUND_PROMPT,
  IDLE,
  PERMISSION,
  QUEUED,
  STREAMING,
  TOOL_RUNNING,
} from "./support/page-states.ts";
import {
  composerOf,
  leavesDraft,
  promptsOf,
  readBoth,
  readMain,
  readUntil,
  readValue,
} from "./support/shown.ts";

const { host, browser } = await openBrowser({}, LOST_CONNECTION);

const claudeOf = ({ claudes }: TestHostSession) => claudes.at(-1)?.pid;

/** Resolves when the host has noticed the end of Claude: a message that is sent earlier may fail visibly. */
async function killNoticed(session: TestHostSession, pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error("there is no process");
  const events = await session.events();
  process.kill(pid, "SIGKILL");
  await events.next("process_exit");
  events.close();
}

const VICTIMS: Readonly<Record<string, (session: TestHostSession) => Promise<unknown>>> = {
  Claude: (session) => killNoticed(session, claudeOf(session)),
  "its bridge": (session) => killNoticed(session, parentOf(claudeOf(session) ?? 0)),
  "the host, which is started again": (session) => session.host.restart(),
};

/** Each with words that are in its transcript. */
const STATES = [
  [IDLE, "What I would change"],
  [STREAMING, "The greeting is made in"],
  [TOOL_RUNNING, "while I edit"],
  [PERMISSION, "I build it anew"],
  [QUEUED, "The greeting is made in"],
  [BACKGROUND_PROMPT, "Both can go on"],
] as const;

/** A new tab of the same person shows the same. */
async function expectFresh(page: Page, id: string): Promise<void> {
  const fresh = await browser.tab(id);
  const [wanted, shown] = await readBoth(fresh, page);
  expect(shown).toBe(wanted);
  await fresh.close();
}

/** Neither the host nor the page has an open prompt. */
async function expectNoPrompt(page: Page, session: TestHostSession): Promise<void> {
  const pending = await readUntil(
    async () => (await session.run("session")).body["pending"],
    (count) => count === 0,
  );
  expect(pending).toBe(0);
  await promptsOf(page).waitFor({ state: "detached" });
}

/** The text in the composer is sent, and both Claude and the journal have it. */
async function expectAnswered(page: Page, session: TestHostSession, text: string): Promise<void> {
  await page.locator("button[type=submit]:enabled").waitFor();
  await composerOf(page).press("Enter");
  const isIt = (line: object) => JSON.stringify(line).includes(`"text":"${text}"`);
  await session.claudeHears((line) => line["type"] === "user" && isIt(line));
  const events = await session.events();
  const { data } = await events.next(
    ({ type, data }) => type === "user_text" && data["text"] === text,
  );
  await events.next(
    (event) => event.type === "turn_complete" && event.data["turn_id"] === data["turn_id"],
  );
  events.close();
}

for (const [victim, kill] of Object.entries(VICTIMS)) {
  for (const [{ name, reach }, words] of STATES) {
    test(`after kill -9 of ${victim} a page has lost nothing and goes on: ${name}`, async () => {
      const { sessionId = "", session } = await reach(host);
      if (session === undefined) throw new Error("there is no session");
      const page = await browser.tab(sessionId);
      await composerOf(page).fill("said afterwards");
      await page.getByText(words).first().waitFor();
      session.play([]);
      await kill(session);
      await expectNoPrompt(page, session);
      const shown = await readUntil(
        () => readMain(page),
        (text) => text.includes(words),
      );
      expect(shown).toContain(words);
      expect(await readValue(composerOf(page), "said afterwards")).toBe("said afterwards");
      await expectAnswered(page, session, "said afterwards");
      await page.getByText("said afterwards").last().waitFor();
      await leavesDraft(page, "said afterwards");
      await expectFresh(page, sessionId);
      await page.close();
    });
  }
}

test("a file that is dropped while the host is killed is attached once the host is back", async () => {
  const { id } = await host.createSession();
  const page = await browser.tab(id);
  await composerOf(page).waitFor();
  await host.kill();
  await give(page, "dragenter");
  await page.getByText("Drop files to attach them").waitFor();
  expect(await give(page, "dragover")).toBe(true);
  // An event that nobody takes would lead to the file in place of the page.
  expect(await give(page, "drop")).toBe(true);
  await host.start();
  await chips(page).first().waitFor();
  expect(await page.getByText("Drop files to attach them").count()).toBe(0);
  await page.close();
});
