/**
 * A page at three hosts behind nginx, as in `examples/many-hosts`. Each request may go to another host, which
 * need not hold the session. Each host may be killed.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { launchChromium } from "../../../testing/drivers/browser.ts";
import type { TestHost, TestHostSession } from "../../../testing/drivers/host-process.ts";
import {
  byEvents,
  type Entry,
  JournalFollower,
} from "../../../testing/drivers/journal-follower.ts";
import {
  answered,
  asks,
  call,
  opened,
  permission,
  result,
  text,
} from "../../../web/__tests__/support/scene-lines.ts";
import {
  conversationOf,
  promptsOf,
  readBoth,
  readUntil,
  say,
} from "../../../web/__tests__/support/shown.ts";
import { BALANCING, BalancedHosts, type Balancing } from "./support/balanced-hosts.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

const shared = await SharedHosts.open();
afterAll(() => shared.end());

for (const balancing of Object.keys(BALANCING) as readonly Balancing[])
  describe(`at three hosts behind nginx, asked ${balancing},`, () => testBehind(balancing));

/** The words that Claude streams after its prompt, for some seconds. */
const WORDS = Array.from({ length: 120 }, (_, index) => `word${index + 1}`);
const STREAMED = `Words: ${WORDS.join(" ")}, and no more`;
const WRITE = { file_path: "/work/note", content: "a note" };

const ASKING_AND_STREAMING = [
  ...opened({ dir: "reply", msg: { content: [text("May I?"), call("tool1", "Write", WRITE)] } }),
  asks("prompt1", permission("tool1", "Write", WRITE)),
  answered("prompt1"),
  result("tool1", "written"),
  { dir: "reply", msg: { content: [text(STREAMED)], pieceChars: 8, delayMs: 40 } },
  { dir: "end", msg: {} },
];

function testBehind(balancing: Balancing): void {
  let balanced: BalancedHosts;
  let chromium: Browser | undefined;
  let context: BrowserContext;

  beforeAll(async () => {
    balanced = await BalancedHosts.open(shared, balancing);
    chromium = await launchChromium(balanced.chromium);
    context = await chromium.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(balanced.link());
    await page.getByRole("main").waitFor();
    await page.close();
  });
  afterEach(async () => {
    for (const page of context.pages()) await page.close();
    for (const host of balanced.hosts) if (!host.isRunning) await host.start();
  });
  afterAll(async () => {
    await chromium?.close();
    await balanced.end();
  });

  async function openBoard(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${balanced.origin}/`);
    await page.getByRole("main").waitFor();
    return page;
  }

  /** A tab whose document one host has served before its reload, and the host that has its WebSocket. */
  async function openReloaded(): Promise<{ readonly page: Page; readonly host: TestHost }> {
    const page = await openBoard();
    const before = balanced.hostOf("/");
    for (let further = 0; balanced.hostOf("/") === before; further += 1) {
      // nginx asks the hosts in turn, so the same host is next after this number of requests.
      for (let made = 0; made < further; made += 1)
        await page.evaluate(() => fetch("/api/health").then((answer) => answer.text()));
      await page.reload();
      await page.getByRole("main").waitFor();
    }
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    return { page, host: await balanced.socketHost() };
  }

  /** The tab shows a session that asks, and that another host holds. */
  async function openAsking() {
    const { page, host } = await openReloaded();
    const session = await balanced.thirdOf(host).createSession({
      conversation: ASKING_AND_STREAMING,
      claudeEnv: { TUGTALK_SIM_SPEED: "1" },
    });
    await page.evaluate((id) => location.assign(`#/s/${id}`), session.id);
    await say(page, "Write a note");
    await promptsOf(page).waitFor();
    return { page, host, session };
  }

  /** The tab, without a reload, shows the same as a new one. */
  async function expectSame(page: Page, session: TestHostSession): Promise<void> {
    expect(await page.evaluate(() => Object.hasOwn(window, "isSame"))).toBe(true);
    const fresh = await context.newPage();
    await fresh.goto(`${balanced.origin}/#/s/${session.id}`);
    const [wanted, shown] = await readBoth(fresh, page);
    expect(shown).toBe(wanted);
    await fresh.close();
  }

  test("a file of the page that one host does not have is asked of every other one", async () => {
    const page = await openBoard();
    await page.evaluate(() =>
      fetch("/assets/of-another-version.js").then((answer) => answer.text()),
    );
    const { status, ports } = await balanced.answerTo("/assets/of-another-version.js");
    expect(status).toBe(404);
    expect(new Set(ports)).toEqual(new Set(balanced.hosts.map(({ port }) => port)));
  });

  test("a page that was loaded again at another host answers a prompt of a session that a third one holds, and streams on while its own host is killed", async () => {
    const { page, host, session } = await openAsking();
    expect(session.host).not.toBe(host);
    await allow(page);
    await conversationOf(page).getByText("word9").waitFor();
    await host.kill();
    expect((await wordsOf(page)).length).toBeLessThan(WORDS.length);
    const next = await balanced.socketHost();
    await conversationOf(page).getByText("and no more").waitFor();
    expect(await wordsOf(page)).toEqual(WORDS);
    expect(await closingsAt(next, session)).toEqual(["control_request_resolved"]);
    expect(session.claudeInput.filter(isAnswer)).toHaveLength(1);
    expect(session.claudes).toHaveLength(1);
    await expectSame(page, session);
    expect(balanced.answered).toContainEqual({ path: "/ws", status: 101, ports: [host.port] });
  });

  test("a prompt that is answered as the host of the page is killed has one outcome, and Claude hears it once", async () => {
    const { page, host, session } = await openAsking();
    await allowAndKill(page, host);
    const next = await balanced.socketHost();
    // The client repeats a command that was not executed.
    const isHeard = () => session.claudeInput.some(isAnswer);
    await readUntil(async () => {
      await clickNow(allowButton(page));
    }, isHeard);
    await conversationOf(page)
      .getByText(WORDS.at(-1) ?? "")
      .waitFor();
    expect(await wordsOf(page)).toEqual(WORDS);
    expect(session.claudeInput.filter(isAnswer)).toHaveLength(1);
    expect(await closingsAt(next, session)).toEqual(["control_request_resolved"]);
    await expectSame(page, session);
  });

  test("the host that holds the session is killed as its prompt is answered: it has one outcome, and the page goes on with another Claude", async () => {
    const { page, host, session } = await openAsking();
    session.play([]);
    await allowAndKill(page, session.host);
    await promptsOf(page).waitFor({ state: "detached" });
    await goOn(page);
    const closings = await closingsAt(host, session);
    expect(closings).toHaveLength(1);
    expect(session.claudeInput.filter(isAnswer).length).toBeLessThanOrEqual(1);
    expect(session.claudes).toHaveLength(2);
    await expectSame(page, session);
  });

  test("the host that holds the session is killed as it streams: the received text stays, once, and the page goes on with another Claude", async () => {
    const { page, host, session } = await openAsking();
    session.play([]);
    await allow(page);
    await conversationOf(page).getByText("word9").waitFor();
    await session.host.kill();
    await goOn(page);
    const words = await wordsOf(page);
    expect(words.length).toBeGreaterThanOrEqual(9);
    // The last word may be incomplete.
    expect(WORDS.join(" ")).toStartWith(words.join(" "));
    expect(await closingsAt(host, session)).toEqual(["control_request_resolved"]);
    expect(session.claudes).toHaveLength(2);
    await expectSame(page, session);
  });

  test("a revocation at one host ends the pages of all hosts: each says how to sign in, and is there again once that is done", async () => {
    const pages: Page[] = [];
    while ((await balanced.socketHosts()).length < 2) pages.push(await openBoard());
    await balanced.hosts[0]?.run("revoke");
    for (const page of pages) await page.getByText("not signed in any more").waitFor();
    expect(await balanced.socketHosts()).toEqual([]);
    const signedIn = await context.newPage();
    await signedIn.goto(balanced.link());
    await signedIn.getByRole("main").waitFor();
    for (const page of pages) {
      await page.reload();
      await page.getByRole("main").waitFor();
      expect(await page.getByText("not signed in any more").count()).toBe(0);
    }
  });
}

/** A further message gets an answer, without a reload. */
async function goOn(page: Page): Promise<void> {
  await say(page, "said afterwards");
  await conversationOf(page).getByText("said afterwards").nth(1).waitFor();
}

function allow(page: Page): Promise<void> {
  return allowButton(page).click();
}

async function allowAndKill(page: Page, host: TestHost): Promise<void> {
  await page.getByRole("button", { name: /^Allow Y/, disabled: false }).waitFor();
  await Promise.all([clickNow(allowButton(page)), host.kill()]);
}

/** Does nothing if the button has gone. */
function clickNow(button: Locator): Promise<void> {
  return button.evaluateAll(([found]) => (found as HTMLElement | undefined)?.click());
}

function allowButton(page: Page): Locator {
  return promptsOf(page).getByRole("button", { name: /^Allow Y/ });
}

async function wordsOf(page: Page): Promise<readonly string[]> {
  return (await conversationOf(page).textContent())?.match(/\bword\d+\b/g) ?? [];
}

function isAnswer({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === "control_response";
}

/** The closings of the prompt, by all entries of the journal, of which none is missing or repeated. */
async function closingsAt(host: TestHost, session: TestHostSession): Promise<readonly string[]> {
  const follower = new JournalFollower(byEvents);
  const { url, authorization } = host;
  await follower.connect({ url, authorization, id: session.id });
  await follower.next("turn_complete");
  const { entries } = follower;
  follower.close();
  return entries.filter(isClosing).map(({ t }) => t);
}

function isClosing({ t, d }: Entry): boolean {
  return /^control_request_(?:resolved|cancel)$/.test(t) && d["request_id"] === "prompt1";
}
