/** Marks the found texts without a change of the document, by custom highlights of the browser. */

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

/** Marks one match; returns the element that it is in. */
export function markCurrent(element: Element, pattern: RegExp, nth: number): Element {
  const ranges = rangesIn(element, pattern);
  const range = ranges[nth] ?? ranges.at(-1);
  const highlight = new Highlight(...(range === undefined ? [] : [range]));
  highlight.priority = 1;
  CSS.highlights.set(CURRENT, highlight);
  return range?.startContainer.parentElement ?? element;
}

/** The text of that match was drawn anew. */
export function isCurrentLost(): boolean {
  return [...(CSS.highlights.get(CURRENT) ?? [])].some(({ collapsed }) => collapsed);
}

export function clearMarks(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

/** The ranges of all matches in the text of an element, in order. */
export function rangesIn(element: Element, pattern: RegExp): readonly Range[] {
  const nodes = textNodesIn(element);
  const text = nodes.map(({ data }) => data).join("");
  return [...text.matchAll(pattern)].map((match) =>
    rangeOf(nodes, match.index, match.index + match[0].length),
  );
}

function textNodesIn(element: Element): readonly Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text) nodes.push(node);
  return nodes;
}

function rangeOf(nodes: readonly Text[], start: number, end: number): Range {
  const range = new Range();
  let offset = 0;
  for (const node of nodes) {
    const { length } = node.data;
    if (start >= offset && start < offset + length) range.setStart(node, start - offset);
    if (end > offset && end <= offset + length) range.setEnd(node, end - offset);
    offset += length;
  }
  return range;
}
