/** Marks what was found, without a change of the document: custom highlights of the browser. */
import { rangesIn } from "./find-ranges.ts";

const [ALL, CURRENT] = ["found", "found-current"];

/** More are not marked at once. */
const MAX_MARKS = 2_000;

/** Marks all matches in these elements. */
export function markAll(elements: readonly Element[], pattern: RegExp): void {
  const ranges: Range[] = [];
  for (const element of elements) {
    if (ranges.length > MAX_MARKS) break;
    ranges.push(...rangesIn(element, pattern));
  }
  CSS.highlights.set(ALL, new Highlight(...ranges));
}

/** Marks one match, and scrolls to it. */
export function markCurrent(element: Element, pattern: RegExp, nth: number): void {
  const ranges = rangesIn(element, pattern);
  const range = ranges[nth] ?? ranges.at(-1);
  const highlight = new Highlight(...(range === undefined ? [] : [range]));
  highlight.priority = 1;
  CSS.highlights.set(CURRENT, highlight);
  (range?.startContainer.parentElement ?? element).scrollIntoView({ block: "center" });
}

export function clearMarks(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}
