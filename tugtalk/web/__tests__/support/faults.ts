/** Faults that make the page hard to use for some people, found in the present state of a tab. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** A phone, a tablet and a laptop. */
export const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
] as const;

type Axe = { readonly axe: { readonly run: typeof axe.run } };

/** By evaluation, since the policy of the page allows no other script. */
async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

/** All of it in both themes and at all widths, with where it was found. Ends in the last of them. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  await loadAxe(page);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const note = (where: string, found: readonly string[]) =>
      faults.push(...found.map((fault) => `${size.width} ${where}: ${fault}`));
    const overflow = await findOverflow(page);
    if (overflow > 0) note("overflow", [`${overflow} px`]);
    note("focus", await findRingless(page));
    await page.emulateMedia({ colorScheme: "light" });
    note("light", await findViolations(page, {}));
    await page.emulateMedia({ colorScheme: "dark" });
    note("dark", await findViolations(page, COLOR_RULES));
  }
  return faults;
}

/** The themes differ in colours alone, so the other rules need one of them. */
const COLOR_RULES: axe.RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** Texts that are hard to read as the page is now, with the focus where it is. */
export async function findPaleTexts(page: Page): Promise<readonly string[]> {
  await loadAxe(page);
  return await findViolations(page, COLOR_RULES);
}

/** The serious and critical findings of axe: the rule and the place. */
async function findViolations(page: Page, rules: axe.RunOptions): Promise<readonly string[]> {
  const options: axe.RunOptions = { resultTypes: ["violations"], ...rules };
  const { violations } = await page.evaluate(
    (wanted) => (globalThis as unknown as Axe).axe.run(document, wanted),
    options,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = "" }) => {
        const [, reason = ""] = failureSummary.split("\n");
        return `${id}: ${target.join(" ")}: ${reason.trim()}`;
      }),
    );
}

/** How many pixels of the document are beside the window. */
function findOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** How many stops of Tab are visited at most: a long transcript has hundreds, all alike. */
const MAX_STOPS = 60;

/** How many keys are pressed before the page is asked for the new focus. */
const KEYS = 10;

/** The elements that Tab reaches without a ring at them or around them. */
async function findRingless(page: Page): Promise<readonly string[]> {
  const walk = await page.evaluateHandle(startWalk);
  for (let before = 0; ; ) {
    await Promise.all(Array.from({ length: KEYS }, () => page.keyboard.press("Tab")));
    const { stops, isOver } = await walk.evaluate(({ stops, isOver }) => ({ stops, isOver }));
    if (isOver || stops === before || stops >= MAX_STOPS) break;
    before = stops;
  }
  return await walk.evaluate(({ end }) => end());
}

/** Runs in the page: from now on looks at each element that gets the focus, until one has it again. */
function startWalk() {
  const seen = new Set<Element>();
  const ringless = new Set<string>();
  const end = () => {
    document.removeEventListener("focusin", look);
    return [...ringless];
  };
  const walk = { stops: 0, isOver: false, end };
  function look(): void {
    const focused = document.activeElement;
    if (walk.isOver || !(focused instanceof HTMLElement) || focused === document.body) return;
    walk.isOver = seen.has(focused);
    if (walk.isOver) return;
    walk.stops = seen.add(focused).size;
    const words = focused.getAttribute("aria-label") ?? focused.textContent.trim();
    const name = `${focused.localName}.${focused.className} "${words.slice(0, 40)}"`;
    if (!hasRing(focused)) ringless.add(name);
  }
  function hasRing(focused: HTMLElement): boolean {
    const around = [focused, focused.parentElement, focused.parentElement?.parentElement];
    return around
      .filter((element) => element instanceof HTMLElement)
      .flatMap((element) => [getComputedStyle(element), getComputedStyle(element, "::after")])
      .some(({ outlineStyle, outlineWidth, boxShadow }) => {
        const hasOutline = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
        return hasOutline || / 0px 0px 0px [1-9]\d*px/.test(boxShadow);
      });
  }
  // Tab goes on from the last focus: the document gets it, so that Tab begins at its first element.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  document.addEventListener("focusin", look);
  return walk;
}
