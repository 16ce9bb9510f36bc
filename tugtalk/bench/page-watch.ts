/** The cost of a tab of Chromium, and its delay until it shows a text. */
import type { CDPSession, Page } from "playwright-core";

type Watched = typeof globalThis & {
  lags?: number[];
  longTasks?: number[];
  keyLags?: number[];
  marks?: MutationObserver;
};

/** Runs in the page before its scripts. */
export function watchPage(): void {
  const watched: Watched = globalThis;
  Object.assign(watched, { lags: [], longTasks: [], keyLags: [] });
  let latest = 0;
  new PerformanceObserver((list) => {
    watched.longTasks?.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask" });
  const painted = () => {
    const { port1, port2 } = new MessageChannel();
    const written = latest;
    latest = 0;
    port1.onmessage = () =>
      watched.lags?.push(performance.timeOrigin + performance.now() - written);
    port2.postMessage(undefined);
  };
  addEventListener("keydown", ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => watched.keyLags?.push(performance.now() - timeStamp);
      port2.postMessage(undefined);
    });
  });
  watched.marks = new MutationObserver((mutations) => {
    const marks = [...(mutations.at(-1)?.target.textContent ?? "").matchAll(/@(\d+\.\d+);/g)];
    const mark = Number(marks.at(-1)?.[1] ?? 0);
    if (mark === 0) return;
    if (latest === 0) requestAnimationFrame(painted);
    latest = mark;
  });
  watched.marks.observe(document, { subtree: true, childList: true, characterData: true });
}

/** Stops the search for time marks in the page: in a long list it takes longer than the drawing. */
export async function ignoreMarks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { marks }: Watched = globalThis;
    marks?.disconnect();
  });
}

export type PageCost = {
  /** Milliseconds of the main thread. */
  readonly cpuMs: number;
  readonly longTasks: readonly number[];
  /** From a bridge's line to the frame that shows it in the document. */
  readonly lagsMs: readonly number[];
  /** From a key to the frame after it. */
  readonly keyLagsMs: readonly number[];
};

/** The cost of the page while `act` runs. */
export async function costOf(page: Page, act: () => Promise<void>): Promise<PageCost> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable");
  await page.evaluate(() => Object.assign(globalThis, { lags: [], longTasks: [], keyLags: [] }));
  const before = await taskSeconds(tools);
  await act();
  const cpuMs = ((await taskSeconds(tools)) - before) * 1000;
  const {
    lags = [],
    longTasks = [],
    keyLags = [],
  } = await page.evaluate(() => {
    const { lags, longTasks, keyLags }: Watched = globalThis;
    return { lags, longTasks, keyLags };
  });
  return { cpuMs, longTasks, lagsMs: lags, keyLagsMs: keyLags };
}

async function taskSeconds(tools: CDPSession): Promise<number> {
  const { metrics } = await tools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}
