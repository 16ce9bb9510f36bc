/** Actions of a person as soon as something is seen. */
import type { Page } from "playwright-core";

/** In each document that the tab loads from now on, `act` runs once the element is there, before it is painted. */
export async function atFirstSight(
  page: Page,
  selector: string,
  act: (element: HTMLElement) => void,
): Promise<void> {
  await page.addInitScript(`{
    const observer = new MutationObserver(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (element === null) return;
      observer.disconnect();
      (${act})(element);
    });
    observer.observe(document, { childList: true, subtree: true });
  }`);
}
