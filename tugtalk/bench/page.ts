/**
 * The page in Chromium: the delay of a delta, the cost of a long stream, and whether a long transcript raises
 * either.
 */
import type { Page } from "playwright-core";
import { endBrowser, TestBrowser } from "../testing/drivers/browser.ts";
import type { TestHost, TestHostSession } from "../testing/drivers/host-process.ts";
import { atMost, emitted, type Finding, median, percentile, report } from "./findings.ts";
import { scriptFindings } from "./loaded-scripts.ts";
import { diffFindings } from "./opened-diff.ts";
import { costOf, type PageCost, watchPage } from "./page-watch.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { say, streamToClients, withStreamingHost } from "./streaming-host.ts";
import { walkFindings } from "./walked-transcript.ts";

const ROUNDS = 3;
const LONG_TURNS = 5000;
const PART: StreamPlan = {
  turns: 500,
  deltas: 2,
  chars: 200,
  tools: 1,
  perSecond: 0,
  text: "prose",
};
const SHORT: StreamPlan = {
  turns: 1,
  deltas: 1000,
  chars: 40,
  tools: 0,
  perSecond: 200,
  text: "prose",
};
const STREAM: StreamPlan = { ...SHORT, deltas: 10_000, perSecond: 1000 };
const PLAIN: StreamPlan = {
  turns: 1,
  deltas: 2,
  chars: 200,
  tools: 0,
  perSecond: 0,
  text: "plain",
};
const DIFF_LINES = 33_335;
const WALKED_TURNS = 1000;
/** The number of keys, pressed while Claude writes, for most of a `SHORT` stream. */
const KEYS = 40;
const KEY_MS = 100;
/**
 * The highest ratio of a delta's cost after thousands of turns to its cost in the first; more is not noise.
 */
const MAX_RATIO = 1.5;

/** Runs in the page: the latest ended turn, if it is another one. */
function latestEnded(before: string | undefined): string | undefined {
  const ended = document.querySelectorAll<HTMLElement>(".entry:has(.turn-footer)");
  const key = [...ended].at(-1)?.dataset["key"];
  return key === before ? undefined : key;
}

/** Has the bridge stream, and waits until the page shows the end. */
async function stream(session: TestHostSession, page: Page, plan: StreamPlan): Promise<void> {
  const before = await page.evaluate(latestEnded, undefined);
  await say(session, plan);
  await page.waitForFunction(latestEnded, before, { timeout: 120_000 });
}

async function open(browser: TestBrowser, session: TestHostSession): Promise<Page> {
  const page = await browser.tab(session.id);
  await page.locator(".composer").waitFor();
  return page;
}

/** The time from the start of the page to the frame with the latest turn. */
async function openingTime(browser: TestBrowser, session: TestHostSession): Promise<number> {
  const times: number[] = [];
  while (times.length < ROUNDS) {
    const page = await open(browser, session);
    await page.locator(".markdown").last().waitFor();
    times.push(await page.evaluate(() => performance.now()));
    await page.close();
  }
  return median(times);
}

/** The median CPU time of one delta, in ms. */
async function deltaCost(session: TestHostSession, page: Page): Promise<number> {
  const costs: number[] = [];
  while (costs.length < ROUNDS)
    costs.push((await costOf(page, () => stream(session, page, SHORT))).cpuMs / SHORT.deltas);
  return median(costs);
}

function streamFindings({ cpuMs, lagsMs, longTasks }: PageCost): Finding[] {
  return [
    emitted("a line of the bridge to pixels, p50, ms", percentile(lagsMs, 0.5).toFixed(1)),
    emitted("a line of the bridge to pixels, p95, ms", percentile(lagsMs, 0.95).toFixed(1)),
    emitted("a stream of 10,000 deltas, CPU, ms", cpuMs.toFixed(0)),
    emitted("a stream of 10,000 deltas, frames", lagsMs.length),
    emitted("a stream of 10,000 deltas, long tasks", longTasks.length),
    emitted("the longest of them, ms", Math.max(0, ...longTasks).toFixed(0)),
  ];
}

/** The times from keys to the frames that show them, while Claude writes. */
async function keyFindings(session: TestHostSession, page: Page): Promise<Finding[]> {
  await page.locator(".composer textarea").focus();
  const { keyLagsMs } = await costOf(page, async () => {
    const streamed = stream(session, page, SHORT);
    await page.keyboard.type("k".repeat(KEYS), { delay: KEY_MS });
    await streamed;
  });
  return [
    emitted("a key to its frame while streaming, p50, ms", percentile(keyLagsMs, 0.5).toFixed(1)),
    emitted("a key to its frame while streaming, p95, ms", percentile(keyLagsMs, 0.95).toFixed(1)),
  ];
}

/** The loaded scripts, a long change, and a long transcript, each in a session and a tab of its own. */
async function figures(host: TestHost, browser: TestBrowser): Promise<Finding[]> {
  const plans: readonly StreamPlan[] = [PLAIN, { ...PLAIN, diffLines: DIFF_LINES }];
  const [plain, changed, long] = await Promise.all([
    host.createSession(),
    host.createSession(),
    host.createSession(),
  ]);
  for (const [at, session] of [plain, changed].entries())
    await streamToClients(host, [session], plans[at] ?? PLAIN);
  for (let turns = 0; turns < WALKED_TURNS; turns += PART.turns)
    await streamToClients(host, [long], PART);
  const blank = await browser.context.newPage();
  const scripts = await scriptFindings(blank, () => browser.show(blank, plain.id));
  const diff = await diffFindings(await open(browser, changed), DIFF_LINES);
  const page = await open(browser, long);
  await page.locator(".markdown").last().waitFor();
  return [...scripts, ...diff, ...(await walkFindings(page, WALKED_TURNS))];
}

async function measure(host: TestHost): Promise<Finding[]> {
  const browser = await TestBrowser.open(host);
  await browser.context.addInitScript(watchPage);
  const first = await figures(host, browser);
  await browser.closeTabs();
  const [fresh, long] = [await host.createSession(), await host.createSession()];
  const early = await open(browser, fresh);
  await stream(fresh, early, { ...SHORT, deltas: 2 });
  const openingShort = await openingTime(browser, fresh);
  const earlyCost = await deltaCost(fresh, early);
  const streamed = await costOf(early, () => stream(fresh, early, STREAM));
  const keys = await keyFindings(fresh, early);
  await early.close();
  // Streamed in parts, so that no client falls behind too far.
  for (let turns = 0; turns < LONG_TURNS; turns += PART.turns)
    await streamToClients(host, [long], PART);
  const opening = await openingTime(browser, long);
  const lateCost = await deltaCost(long, await open(browser, long));
  return [
    ...first,
    ...keys,
    ...streamFindings(streamed),
    emitted("a delta in the first turn, CPU, ms", earlyCost.toFixed(2)),
    emitted(`a delta after ${LONG_TURNS} turns, CPU, ms`, lateCost.toFixed(2)),
    atMost("the second against the first", lateCost / earlyCost, MAX_RATIO, "times"),
    emitted("a session of one turn opens, ms", openingShort.toFixed(0)),
    emitted(`a session of ${LONG_TURNS} turns opens, ms`, opening.toFixed(0)),
  ];
}

try {
  report("the page", await withStreamingHost(measure));
} finally {
  await endBrowser();
}
