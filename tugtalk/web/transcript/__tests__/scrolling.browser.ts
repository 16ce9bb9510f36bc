/**
 * Where a person is in the transcript: it follows its end, or keeps the text that the person reads in place.
 */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import { cutReply, HOLD, opened, reply, text, turn } from "../../__tests__/support/scene-lines.ts";
import { resumeLong } from "./support/past-session.ts";
import { walkToEnd, walkToFirst } from "./support/walk.ts";

const { host, browser } = await openBrowser();

const PARAGRAPHS = Array.from({ length: 60 }, (_, at) => `Paragraph ${at + 1} of many.`).join(
  "\n\n",
);

function scrollerOf(page: Page) {
  return page.locator(".transcript-scroller");
}

/** How far the end is below the visible part. */
function distanceOf(page: Page): Promise<number> {
  return scrollerOf(page).evaluate(
    ({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop,
  );
}

async function untilAtEnd(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const scroller = document.querySelector(".transcript-scroller");
    if (scroller === null) return false;
    return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < 2;
  });
}

test("a transcript opens at its end, and follows it while Claude writes", async () => {
  const scene = await Scene.open(host, {
    conversation: [
      ...turn(reply(text(PARAGRAPHS))),
      ...opened(cutReply(20, text(PARAGRAPHS))),
      HOLD,
    ],
  });
  await scene.exchange("Write a lot");
  const page = await browser.tab(scene.session.id);
  await page.getByText("Paragraph 60 of many.").waitFor();
  await untilAtEnd(page);
  await scene.say("Write more");
  await page.locator(".text.streaming").getByText("Paragraph 30").waitFor();
  await untilAtEnd(page);
  expect(await page.getByRole("button", { name: "New messages" }).count()).toBe(0);
});

test("a person who has scrolled up stays there, hears of news, and comes back by a button", async () => {
  const scene = await Scene.open(host, {
    conversation: [...turn(reply(text(PARAGRAPHS))), ...turn(reply(text(PARAGRAPHS)))],
  });
  await scene.exchange("Write a lot");
  const page = await browser.tab(scene.session.id);
  await page.getByText("Paragraph 60 of many.").waitFor();
  await untilAtEnd(page);
  await page.waitForLoadState("networkidle");
  await scrollerOf(page).hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole("button", { name: "To the end" }).waitFor();
  const place = await page.getByText("Paragraph 45 of many.").first().boundingBox();
  await scene.exchange("Write more");
  const news = page.getByRole("button", { name: "New messages" });
  await news.waitFor();
  expect(await page.getByText("Paragraph 45 of many.").first().boundingBox()).toEqual(place);
  await news.click();
  await untilAtEnd(page);
  await news.waitFor({ state: "detached" });
});

test("the question of the turn that a person reads stays at the top, and leads back to its message", async () => {
  const scene = await Scene.open(host, { conversation: turn(reply(text(PARAGRAPHS))) });
  await scene.exchange("What is the answer?\nPlease.");
  const page = await browser.tab(scene.session.id);
  const question = page.getByTitle("To this question");
  await question.click();
  await question.waitFor({ state: "detached" });
  await page.locator(".user").waitFor();
  expect(await distanceOf(page)).toBeGreaterThan(500);
});

test("the question at the top stays within a transcript that has less room than it", async () => {
  const scene = await Scene.open(host, { conversation: turn(reply(text(PARAGRAPHS))) });
  await scene.exchange("What is the answer?");
  const page = await browser.tab(scene.session.id);
  await page.getByTitle("To this question").waitFor();
  await page.setViewportSize({ width: 360, height: 160 });
  const bottomOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    return box === null ? Infinity : box.y + box.height;
  };
  expect(await bottomOf(".question-bar")).toBeLessThanOrEqual(await bottomOf(".transcript"));
});

/** In the page: goes to the beginning; resolves, when the turn before it is there, to how far `first` has moved. */
async function movedBy(first: number): Promise<number> {
  const asked = async (number: number) => {
    const end = performance.now() + 20_000;
    for (;;) {
      const users = [...document.querySelectorAll(".entry .user")];
      const found = users.find((user) => user.textContent?.trim() === `Question ${number}`);
      if (found !== undefined) return found;
      if (performance.now() > end) throw new Error(`there is no question ${number}`);
      await new Promise(requestAnimationFrame);
    }
  };
  document.querySelector(".transcript-scroller")?.scrollTo({ top: 0 });
  // It has left the document while it was far out of sight.
  const read = await asked(first);
  const top = read.getBoundingClientRect().top;
  await asked(first - 1);
  for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
  return read.getBoundingClientRect().top - top;
}

test("older turns come in front when a person scrolls to the first one, and the visible text stays in place", async () => {
  const session = await resumeLong(host, 120);
  const page = await browser.tab(session.id);
  await page.locator(".user").getByText("Question 120", { exact: true }).waitFor();
  await untilAtEnd(page);
  // With the last ones the line goes that led to them.
  for (const first of [71, 21]) {
    expect(Math.abs(await page.evaluate(movedBy, first))).toBeLessThan(2);
    expect(await page.getByText(`Question ${first}`, { exact: true }).first().isVisible()).toBe(
      true,
    );
  }
  await walkToFirst(page);
  const { questions } = await walkToEnd(page);
  expect(questions).toEqual(Array.from({ length: 120 }, (_, at) => `Question ${at + 1}`));
});
