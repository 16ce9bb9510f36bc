/** Two tabs of one session, and tabs whose network is bad. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { TestBrowser } from "../../testing/drivers/browser.ts";
import { openBrowser } from "./support/opened-browser.ts";
import { IDLE, PERMISSION, QUESTION, QUEUED, STREAMING } from "./support/page-states.ts";
import { Scene } from "./support/scene.ts";
import { reply, text, turn } from "./support/scene-lines.ts";
import { composerOf, conversationOf, promptsOf, readBoth, readValue } from "./support/shown.ts";

const { host, browser } = await openBrowser();

for (const { name, reach } of [IDLE, STREAMING, PERMISSION, QUESTION, QUEUED]) {
  test(`two tabs show the same: ${name}`, async () => {
    const { sessionId } = await reach(host);
    const tabs = [await browser.tab(sessionId), await browser.tab(sessionId)] as const;
    const [one, other] = await readBoth(...tabs);
    expect(other).toBe(one);
    for (const tab of tabs) await tab.close();
  });
}

test("an answer in one tab closes the prompt in the other, in another browser too", async () => {
  const { session, sessionId } = await PERMISSION.reach(host);
  const other = await TestBrowser.open(host);
  const [first, second, third] = [
    await browser.tab(sessionId),
    await browser.tab(sessionId),
    await other.tab(sessionId),
  ];
  for (const page of [first, second, third]) await promptsOf(page).waitFor();
  await first
    .getByRole("button", { name: /^Allow/ })
    .first()
    .click();
  for (const page of [first, second, third]) {
    await promptsOf(page).waitFor({ state: "detached" });
    await conversationOf(page).getByText("The build is done.").waitFor();
  }
  await third.getByText("Allowed by Chrome").waitFor();
  const answers = session?.claudeInput.filter(({ type }) => type === "control_response");
  expect(answers).toHaveLength(1);
  expect(other.problems).toEqual([]);
  for (const tab of [first, second]) await tab.close();
  await other.close();
});

/** Turns with numbered answers. */
const COUNTED = Array.from({ length: 6 }, (_, at) =>
  turn(reply(text(`Answer number ${at + 1} of all.`))),
).flat();

const ANSWERS = (page: Page) =>
  conversationOf(page)
    .getByText(/^Answer number \d of all\.$/)
    .allTextContents();

const upTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `Answer number ${at + 1} of all.`);

test("a tab that was offline for a minute catches up without a hole or a repetition", async () => {
  const scene = await Scene.open(host, { conversation: COUNTED });
  await scene.exchange("one");
  // All tabs of a browser share the clock.
  const own = await TestBrowser.open(host);
  const page = await own.context.newPage();
  await page.clock.install();
  await page.goto(`${host.pageUrl}/#/s/${scene.session.id}`);
  await conversationOf(page).getByText("Answer number 1").waitFor();
  await composerOf(page).fill("typed before");
  await own.setNetwork(page, { isOffline: true });
  for (const words of ["two", "three"]) await scene.exchange(words);
  await page.clock.runFor(60_000);
  await page.getByText("The host cannot be reached").waitFor();
  expect(await ANSWERS(page)).toEqual(upTo(1));
  await scene.exchange("four");
  await own.setNetwork(page, {});
  await page.clock.runFor(15_000);
  await conversationOf(page).getByText("Answer number 4").waitFor();
  await page.getByText("The host cannot be reached").waitFor({ state: "detached" });
  expect(await ANSWERS(page)).toEqual(upTo(4));
  expect(await readValue(composerOf(page), "typed before")).toBe("typed before");
  await composerOf(page).press("Enter");
  await conversationOf(page).getByText("Answer number 5").waitFor();
  expect(await ANSWERS(page)).toEqual(upTo(5));
  expect(own.otherProblems).toEqual([]);
  await own.close();
});

test("on a slow network a page loads, streams and answers, with each text once", async () => {
  const scene = await Scene.open(host, { conversation: COUNTED });
  await scene.exchange("one");
  const own = await TestBrowser.open(host);
  const page = await own.context.newPage();
  await own.setNetwork(page, { latencyMs: 400, bytesPerSecond: 50_000 });
  await page.goto(`${host.pageUrl}/#/s/${scene.session.id}`);
  await conversationOf(page).getByText("Answer number 1").waitFor();
  for (const count of [2, 3]) {
    await composerOf(page).fill(`message ${count}`);
    await composerOf(page).press("Enter");
    await conversationOf(page).getByText(`Answer number ${count}`).waitFor();
  }
  expect(await ANSWERS(page)).toEqual(upTo(3));
  expect(own.problems).toEqual([]);
  await own.close();
});
