/** What a tab of Chromium costs, and how late it shows what was written. */
import type { CDPSession, Page } from "playwright-core";

type Watched = typeof globalThis & { lags?: number[]; longTasks?: number[] };

/** Runs in the page before its scripts. */
export function watchPage(): void {
  const watched: Watched = globalThis;
  Object.assign(watched, { lags: [], longTasks: [] });
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
  new MutationObserver((mutations) => {
    const marks = [...(mutations.at(-1)?.target.textContent ?? "").matchAll(/@(\d+\.\d+);/g)];
    const mark = Number(marks.at(-1)?.[1] ?? 0);
    if (mark === 0) return;
    if (latest === 0) requestAnimationFrame(painted);
    latest = mark;
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

export type PageCost = {
  /** Milliseconds of the main thread. */
  readonly cpuMs: number;
  readonly longTasks: readonly number[];
  /** From a bridge's line to the frame after it is in the document. */
  readonly lagsMs: readonly number[];
};

/** What the page does while `act` runs. */
export async function costOf(page: Page, act: () => Promise<void>): Promise<PageCost> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable");
  await page.evaluate(() => Object.assign(globalThis, { lags: [], longTasks: [] }));
  const before = await taskSeconds(tools);
  await act();
  const cpuMs = ((await taskSeconds(tools)) - before) * 1000;
  const { lags = [], longTasks = [] } = await page.evaluate(() => {
    const { lags, longTasks }: Watched = globalThis;
    return { lags, longTasks };
  });
  return { cpuMs, longTasks, lagsMs: lags };
}

async function taskSeconds(tools: CDPSession): Promise<number> {
  const { metrics } = await tools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}
