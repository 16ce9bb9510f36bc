/**
 * The page in Chromium: its sizes, its first paint, how late it shows a delta, what a long stream costs,
 * and whether a long transcript makes any of that dearer.
 */
import type { Page } from "playwright-core";
import { buildPage } from "../host/page/build-page.ts";
import { endBrowser, TestBrowser } from "../testing/drivers/browser.ts";
import { startHost, type TestHost, type TestHostSession } from "../testing/drivers/host-process.ts";
import { atMost, emitted, type Finding, median, percentile, report } from "./findings.ts";
import { STREAMING_BRIDGE } from "./load-targets.ts";
import { measurePage, sum } from "./page-sizes.ts";
import { costOf, firstPaint, loadedScript, type PageCost, watchPage } from "./page-watch.ts";
import type { StreamPlan } from "./streamed-turns.ts";

const ROUNDS = 3;
const LONG: StreamPlan = {
  turns: 5000,
  deltas: 2,
  chars: 200,
  tools: 1,
  perSecond: 0,
  isProse: true,
};
const SHORT: StreamPlan = {
  turns: 1,
  deltas: 1000,
  chars: 40,
  tools: 0,
  perSecond: 200,
  isProse: true,
};
const STREAM: StreamPlan = { ...SHORT, deltas: 10_000, perSecond: 1000 };
const KB = 1000;
/** What a delta may cost after thousands of turns, against one in the first; more is not noise. */
const MAX_RATIO = 1.5;

async function sizes(): Promise<Finding[]> {
  const { eager, colours, lazy, styles } = measurePage((await buildPage()).files);
  return [
    atMost("script before the first block of code, gzip", eager / KB, 45, "kB"),
    atMost("that and all languages", (eager + sum(colours)) / KB, 75, "kB"),
    emitted(`other parts, ${lazy.length}, the largest`, `${((lazy[0] ?? 0) / KB).toFixed(1)} kB`),
    emitted("styles", `${(styles / KB).toFixed(1)} kB`),
  ];
}

/** Has the bridge stream, and waits until the page shows the end of it. */
async function stream(session: TestHostSession, page: Page, plan: StreamPlan): Promise<void> {
  const turns = await page.locator(".turn-footer").count();
  await session.message(JSON.stringify(plan));
  await page.waitForFunction(
    (before) => document.querySelectorAll(".turn-footer").length > before,
    turns,
    { timeout: 120_000 },
  );
}

/** Has the bridge stream a long conversation that nobody watches. */
async function fill(session: TestHostSession): Promise<void> {
  const events = await session.events();
  await session.message(JSON.stringify(LONG));
  for (let turn = 0; turn < LONG.turns; turn += 1) await events.next("turn_complete");
  events.close();
}

async function open(browser: TestBrowser, session?: TestHostSession) {
  const page = await browser.tab(session?.id);
  await page
    .locator(session === undefined ? ".board, main" : ".composer")
    .first()
    .waitFor();
  return { page, paint: await firstPaint(page) };
}

async function firstPaints(browser: TestBrowser, session?: TestHostSession): Promise<number> {
  const paints: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page, paint } = await open(browser, session);
    paints.push(paint);
    await page.close();
  }
  return median(paints);
}

/** From the start of the page to the frame with the latest turn. */
async function openingTime(browser: TestBrowser, session: TestHostSession): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page } = await open(browser, session);
    await page.locator(".markdown").last().waitFor();
    times.push(await page.evaluate(() => performance.now()));
    await page.close();
  }
  return median(times);
}

/** The median CPU time of one delta, in ms. */
async function deltaCost(session: TestHostSession, page: Page): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
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

async function measure(host: TestHost, browser: TestBrowser): Promise<Finding[]> {
  const [fresh, long] = [await host.createSession(), await host.createSession()];
  const board = await firstPaints(browser);
  const early = await open(browser, fresh);
  await stream(fresh, early.page, { ...SHORT, deltas: 2 });
  const script = await loadedScript(early.page);
  const openingShort = await openingTime(browser, fresh);
  const earlyCost = await deltaCost(fresh, early.page);
  const streamed = await costOf(early.page, () => stream(fresh, early.page, STREAM));
  await early.page.close();
  await fill(long);
  const opening = await openingTime(browser, long);
  const late = await open(browser, long);
  const lateCost = await deltaCost(long, late.page);
  return [
    emitted(
      "script that a session with a text has loaded in all",
      `${(script / KB).toFixed(1)} kB`,
    ),
    emitted("first paint of the board, ms", board.toFixed(0)),
    emitted("first paint of a session, ms", early.paint.toFixed(0)),
    ...streamFindings(streamed),
    emitted("a delta in the first turn, CPU, ms", earlyCost.toFixed(2)),
    emitted(`a delta after ${LONG.turns} turns, CPU, ms`, lateCost.toFixed(2)),
    atMost("the second against the first", lateCost / earlyCost, MAX_RATIO, "times"),
    emitted("a session of one turn opens, ms", openingShort.toFixed(0)),
    emitted(`a session of ${LONG.turns} turns opens, ms`, opening.toFixed(0)),
  ];
}

const host = await startHost({ env: { TUGTALK_BRIDGE: STREAMING_BRIDGE } });
try {
  const browser = await TestBrowser.open(host);
  await browser.context.addInitScript(watchPage);
  report("the page", [...(await sizes()), ...(await measure(host, browser))]);
} finally {
  await endBrowser();
  await host.kill();
}
