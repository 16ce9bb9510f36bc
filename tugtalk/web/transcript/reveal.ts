/** Brings an item of the transcript into the document, out of folded turns and closed cards. */
import type { Folds } from "../store/folds.ts";
import type { Hit } from "./find-hits.ts";

/** How many frames an opened part may take to be drawn. */
const MAX_FRAMES = 20;

/** The element of the item, or of the row that contains it; undefined if that is not drawn. */
export async function reveal(
  scroller: HTMLElement,
  folds: Folds,
  { entryKey, path }: Hit,
): Promise<Element | undefined> {
  // Far out of sight there is only room for it.
  scroller.querySelector(`[data-keys~="${CSS.escape(entryKey)}"]`)?.scrollIntoView();
  await drawn(() => childOf(scroller, "key", entryKey));
  if (childOf(scroller, "key", entryKey)?.matches(".folded") === true) folds.toggle(entryKey);
  let within = await drawn(() => childOf(scroller, "key", entryKey));
  for (const key of path) {
    const parent = within;
    const item = parent && (await drawn(() => childOf(parent, "item", key)));
    if (item === undefined) break;
    within = item;
    open(item, scroller);
  }
  return within;
}

function childOf(parent: Element, name: "key" | "item", key: string): Element | null {
  // An element that shows several calls as one has the keys of all of them.
  return parent.querySelector(`[data-${name}~="${CSS.escape(key)}"]`);
}

/** Opens the item, and the parts around it. */
function open(item: Element, scroller: Element): void {
  let element = item.querySelector("details") ?? item;
  while (element !== scroller) {
    if (element instanceof HTMLDetailsElement) element.open = true;
    element = element.parentElement ?? scroller;
  }
}

/** Waits for the elements that are about to be drawn. */
export async function drawn(find: () => Element | null): Promise<Element | undefined> {
  for (let frame = 0; frame < MAX_FRAMES; frame += 1) {
    const element = find();
    if (element !== null) return element;
    await new Promise(requestAnimationFrame);
  }
  return undefined;
}
