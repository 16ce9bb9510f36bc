/**
 * The page in the colours of its reader, which Chromium emulates. A state that has a colour also has a form of
 * its own, or a ground that differs from its surroundings.
 */
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openBrowser } from "./support/opened-browser.ts";
import {
  BOARD,
  DIALOG_STATES,
  IDLE,
  type PageState,
  PERMISSION,
  QUEUED,
  STREAMING,
  TOOL_CARDS,
  WORK,
} from "./support/page-states.ts";
import { composerOf, readSettled } from "./support/shown.ts";

const { host, browser } = await openBrowser();

async function open({ reach, show }: PageState): Promise<Page> {
  const { sessionId } = await reach(host);
  const page = await browser.tab(sessionId);
  await page.emulateMedia({ forcedColors: "active" });
  await page.locator("main").waitFor();
  await show?.(page, browser);
  await readSettled(page);
  return page;
}

/** How something is painted, without the colour of its text. */
function lookOf(shown: Locator): Promise<string> {
  return shown.evaluate((element) => {
    const style = getComputedStyle(element);
    const isFilled = !/^rgba\(.*, 0\)$/.test(style.backgroundColor);
    return [isFilled, style.borderTopWidth, style.borderRadius, style.rotate].join(" ");
  });
}

type Ground = { readonly own: string; readonly around: string; readonly text: string };

/** The colours behind the text of an element, and behind its parents. */
function groundOf(shown: Locator): Promise<Ground> {
  return shown.evaluate((element) => {
    const behind = (one: Element | null): string => {
      if (one === null) return "none";
      const { backgroundColor } = getComputedStyle(one);
      return /^rgba\(.*, 0\)$/.test(backgroundColor) ? behind(one.parentElement) : backgroundColor;
    };
    const { color } = getComputedStyle(element);
    return { own: behind(element), around: behind(element.parentElement), text: color };
  });
}

async function expectRaised(shown: Locator): Promise<void> {
  const { own, around, text } = await groundOf(shown.first());
  expect(own).not.toBe(around);
  expect(text).not.toBe(own);
}

test("the states of sessions in the list have forms of their own", async () => {
  await BOARD.reach(host);
  const page = await open(IDLE);
  const looks = new Map<string, string>();
  for (const state of ["Working", "Waits for you", "Idle"])
    looks.set(
      await lookOf(page.locator(".session-row").getByRole("img", { name: state }).first()),
      state,
    );
  expect(looks.size).toBe(3);
});

test("a dot of each kind has a form of its own", async () => {
  const page = await open(IDLE);
  const kinds = ["", "dot-working", "dot-waiting", "dot-done", "dot-failed"];
  await page.evaluate((names) => {
    for (const name of names) {
      const dot = document.createElement("span");
      dot.className = `dot ${name} sample`;
      document.querySelector("main")?.prepend(dot);
    }
  }, kinds);
  const samples = await page.locator(".sample").all();
  expect(new Set(await Promise.all(samples.map(lookOf))).size).toBe(kinds.length);
});

test("the open session differs from the others, and sessions that wait for a person are counted", async () => {
  const page = await open(PERMISSION);
  await expectRaised(page.locator(".session-row[aria-current]"));
  await expectRaised(page.locator(".pending-bell, .pending-badge"));
});

test("the spinner turns, and has a gap at any moment", async () => {
  const page = await open(WORK);
  const sides = await page
    .locator(".spinner")
    .first()
    .evaluate((element) => {
      const { borderTopColor, borderBottomColor } = getComputedStyle(element);
      return [borderTopColor, borderBottomColor];
    });
  expect(sides[0]).not.toBe(sides[1]);
  expect(sides[0]).toMatch(/^rgba\(.*, 0\)$/);
});

test("lines that come and go have signs, and the words that differ a ground", async () => {
  const page = await open(TOOL_CARDS);
  expect(await page.locator(".diff-added .diff-mark").first().textContent()).toBe("+");
  expect(await page.locator(".diff-removed .diff-mark").first().textContent()).toBe("−");
  await expectRaised(page.locator(".diff-row mark"));
  await page.locator(".tool-failed").getByText("Exit code 1").waitFor();
});

test("the message field has a ring while it has the focus", async () => {
  const page = await open(STREAMING);
  await composerOf(page).focus();
  const ring = await page
    .locator(".composer-box")
    .evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(ring).toBe("solid");
});

test("the choice that Enter takes differs from the others, with its icon and its keys", async () => {
  const page = await open(QUEUED);
  await page.keyboard.press("Control+k");
  const chosen = page.getByRole("option", { selected: true });
  await chosen.waitFor();
  await expectRaised(chosen);
  const { own } = await groundOf(chosen);
  const icon = await groundOf(chosen.locator(".icon"));
  expect(icon.own).not.toBe(own);
});

test("the parts of the context have grounds", async () => {
  const [context] = DIALOG_STATES.filter(({ name }) => name === "dialog Context");
  if (context === undefined) throw new Error("there is no such dialog");
  const page = await open(context);
  const parts = page.locator(".context-part");
  await parts.first().waitFor();
  for (const part of await parts.all()) {
    const { own, around } = await groundOf(part);
    expect(own).not.toBe(around);
  }
});

test("found texts differ from the rest, and the shown hit from the other hits", async () => {
  const page = await open(IDLE);
  const grounds = await page.evaluate(() => {
    const text = document.querySelector(".text") ?? document.body;
    return ["found", "found-current"].map(
      (name) => getComputedStyle(text, `::highlight(${name})`).backgroundColor,
    );
  });
  expect(new Set([...grounds, (await groundOf(page.locator(".text").first())).own]).size).toBe(3);
});
