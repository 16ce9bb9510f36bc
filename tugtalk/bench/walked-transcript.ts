/** A walk through a long transcript in Chromium to its first turn, and the size of the page after it. */
import type { Page } from "playwright-core";
import { atMost, emitted, type Finding } from "./findings.ts";

/** Half of the size with all turns in the document. */
const MAX_HEAP_MB = 21.4;
const MAX_NODES = 43_410;

/** Walks to the first of this number of turns. */
export async function walkFindings(page: Page, turns: number): Promise<readonly Finding[]> {
  const opened = await sizeOf(page);
  await walkToFirst(page);
  const walked = await sizeOf(page);
  return [
    emitted("heap of a session that was opened, MB", opened.heapMb.toFixed(1)),
    emitted("and its nodes", opened.nodes),
    atMost(`heap after a walk to the first of ${turns} turns`, walked.heapMb, MAX_HEAP_MB, "MB"),
    atMost("nodes after that", walked.nodes, MAX_NODES, "nodes"),
  ];
}

/** The size of a tab after its garbage is collected. */
type PageSize = { readonly heapMb: number; readonly nodes: number };

async function sizeOf(page: Page): Promise<PageSize> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable");
  await tools.send("HeapProfiler.collectGarbage");
  const { metrics } = await tools.send("Performance.getMetrics");
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value;
  await tools.detach();
  return {
    heapMb: (metric("JSHeapUsedSize") ?? Number.NaN) / 1e6,
    nodes: metric("Nodes") ?? Number.NaN,
  };
}

/** Scrolls like a person who wants to see the first turn. */
async function walkToFirst(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const scroller = document.querySelector(".transcript-scroller");
      scroller?.dispatchEvent(new Event("wheel"));
      scroller?.scrollTo({ top: 0, behavior: "instant" });
      return (
        document.querySelector(".entries") !== null && document.querySelector(".older") === null
      );
    },
    undefined,
    { timeout: 300_000, polling: "raf" },
  );
}
