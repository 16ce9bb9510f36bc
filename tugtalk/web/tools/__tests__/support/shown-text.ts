/** The text of an element. */
import type { Locator } from "playwright-core";

/** The texts of an element in their order, with one blank between two. */
export async function wordsOf(shown: Locator): Promise<string> {
  const texts = await shown.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode() !== null) found.push(walker.currentNode.nodeValue ?? "");
    return found;
  });
  return texts.join(" ").replace(/\s+/g, " ").trim();
}
