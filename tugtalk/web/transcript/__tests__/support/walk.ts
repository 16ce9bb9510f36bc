/** Walks through a transcript, as a person scrolls. */
import type { Page } from "playwright-core";

export async function walkToFirst(page: Page): Promise<void> {
  await page.locator(".transcript-scroller").evaluate(async (scroller) => {
    const end = performance.now() + 20_000;
    while (document.querySelector(".older") !== null) {
      const { length } = document.querySelectorAll(".entry");
      if (performance.now() > end) throw new Error(`there are ${length} turns`);
      scroller.scrollTop = 0;
      await new Promise(requestAnimationFrame);
    }
    scroller.scrollTop = 0;
  });
}

export type Walk = {
  /** The messages of a person, in the order in which they were seen. */
  readonly questions: readonly string[];
  /** How far anything in sight has moved by itself, at most. */
  readonly moved: number;
  /** The height of all, at each step. */
  readonly heights: readonly number[];
};

/** From the first turn to the last one, most of a window at a time. */
export async function walkToEnd(page: Page): Promise<Walk> {
  return await page.locator(".transcript-scroller").evaluate(async (scroller) => {
    const frames = async (count: number) => {
      for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
    };
    const seen = () => {
      const { top, bottom } = scroller.getBoundingClientRect();
      return [...scroller.querySelectorAll(".user")]
        .map((element) => ({ element, at: element.getBoundingClientRect() }))
        .filter(({ at }) => at.bottom > top && at.top < bottom);
    };
    const questions = new Set<string>();
    const heights = new Set<number>();
    let moved = 0;
    scroller.scrollTop = 0;
    for (let before = -1; before < scroller.scrollTop; ) {
      await frames(2);
      const there = seen();
      for (const { element } of there) questions.add(element.textContent);
      heights.add(scroller.scrollHeight);
      before = scroller.scrollTop;
      scroller.scrollTop += scroller.clientHeight * 0.8;
      const by = scroller.scrollTop - before;
      await frames(2);
      for (const { element, at } of there)
        moved = Math.max(moved, Math.abs(element.getBoundingClientRect().top - at.top + by));
      if (by === 0) break;
    }
    return { questions: [...questions], moved, heights: [...heights] };
  });
}
