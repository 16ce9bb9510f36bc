/** Which entry of a transcript is where. */

/** The entry at the top edge of the visible part. */
export function entryAtTop(scroller: HTMLElement): HTMLElement | undefined {
  const { top } = scroller.getBoundingClientRect();
  const chunks = scroller.querySelector(".entries")?.children;
  const chunk = chunks && lastAbove(chunks, top);
  const entry = chunk && lastAbove(chunk.children, top);
  return entry instanceof HTMLElement ? entry : undefined;
}

/** The last of the elements that begins above a height. They are in order from top to bottom. */
function lastAbove(elements: HTMLCollection, top: number): Element | undefined {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const begin = elements[middle]?.getBoundingClientRect().top ?? 0;
    if (begin <= top) low = middle + 1;
    else high = middle;
  }
  return elements[low - 1];
}
