/** Finding a text in the conversation, and the announcements of hits to screen readers. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { atFirstSight } from "../../__tests__/support/first-sight.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import {
  call,
  cutReply,
  HOLD,
  opened,
  reply,
  result,
  text,
  thought,
  turn,
} from "../../__tests__/support/scene-lines.ts";
import { readUntil } from "../../__tests__/support/shown.ts";
import { resumeLong } from "./support/past-session.ts";

const { host, browser } = await openBrowser();

const BASH = call("$toolu_1", "Bash", { command: "cat notes.txt" });

const CONVERSATION = [
  ...turn(reply(thought("A pelican, perhaps."), text("The **peli**can is a bird."))),
  ...turn(reply(BASH), result("$toolu_1", "one pelican in a file"), reply(text("Done."))),
];

/** The text of the match that is shown. */
function currentMatch(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [range] = CSS.highlights.get("found-current") ?? [];
    return range instanceof Range ? range.toString() : "";
  });
}

async function openFind(page: Page, query: string) {
  // The keys of the page are there with the way past the lists.
  await page.locator(".skip-link").waitFor({ state: "attached" });
  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Find in the conversation" });
  await field.fill(query);
  return field;
}

/** How many ranges are marked. */
function countMarks(page: Page): Promise<number> {
  return page.evaluate(() => [...CSS.highlights.values()].reduce((sum, { size }) => sum + size, 0));
}

test("the marks of an earlier query go with it", async () => {
  const scene = await Scene.open(host, { conversation: CONVERSATION });
  await scene.exchange("Tell me of a bird");
  const page = await browser.tab(scene.session.id);
  await page.getByText("is a bird").waitFor();
  const field = await openFind(page, "pelican");
  await page.waitForFunction(() => CSS.highlights.has("found-current"));
  expect(await countMarks(page)).toBeGreaterThan(0);
  await field.fill("penguin");
  await page.getByText("Not found").waitFor();
  expect(await countMarks(page)).toBe(0);
});

test("find counts the hits, goes through them, and opens the parts that have them", async () => {
  const scene = await Scene.open(host, { conversation: CONVERSATION });
  await scene.exchange("Tell me of a bird");
  await scene.exchange("And a file");
  const page = await browser.tab(scene.session.id);
  await page.locator(".text").getByText("Done.").waitFor();
  await page.waitForLoadState("networkidle");
  await page.locator("textarea").focus();
  const field = await openFind(page, "PELICAN");
  await page.getByText("1 of 3").waitFor();
  await page.locator(".thinking[open]").getByText("A pelican, perhaps.").waitFor();
  const first = await readUntil(
    () => currentMatch(page),
    (match) => match === "pelican",
  );
  expect(first).toBe("pelican");
  await field.press("Enter");
  await page.getByText("2 of 3").waitFor();
  await page.waitForFunction(() => {
    const [range] = CSS.highlights.get("found-current") ?? [];
    return range instanceof Range && range.startContainer.parentElement?.tagName === "STRONG";
  });
  expect(await currentMatch(page)).toBe("pelican");
  await field.press("Enter");
  await page.getByText("one pelican in a file").waitFor();
  await page.waitForFunction(() => {
    const [range] = CSS.highlights.get("found-current") ?? [];
    return range instanceof Range && range.startContainer.textContent?.includes("in a file");
  });
  await field.press("Shift+Enter");
  await page.getByText("2 of 3").waitFor();
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.waitForFunction(() => CSS.highlights.size === 0);
  await page.locator("textarea:focus").waitFor();
});

test("a hit in the first message is not behind the bar", async () => {
  const scene = await Scene.open(host, { conversation: CONVERSATION });
  await scene.exchange("Tell me of a heron");
  const page = await browser.tab(scene.session.id);
  await page.getByText("is a bird").waitFor();
  await openFind(page, "heron");
  await page.waitForFunction(() => CSS.highlights.has("found-current"));
  // A line of the bar comes with its keys.
  await page.locator(".find-keys").waitFor();
  const message = await page.locator(".user").boundingBox();
  const bar = await page.locator(".find-bar").boundingBox();
  expect(message?.y).toBeGreaterThanOrEqual((bar?.y ?? Infinity) + (bar?.height ?? 0));
});

test("the field to find in has the focus as soon as it is seen", async () => {
  const page = await browser.tab((await host.createSession()).id);
  await atFirstSight(page, ".find-bar input", (input) => {
    input.dataset["focused"] = String(input === document.activeElement);
  });
  await page.reload();
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Find in the conversation" });
  expect(await field.getAttribute("data-focused")).toBe("true");
});

test("find offers older messages until something is found in them, and keeps the keys", async () => {
  const session = await resumeLong(host, 130);
  const page = await browser.tab(session.id);
  await page.locator(".user").getByText("Question 130", { exact: true }).waitFor();
  await openFind(page, "Question 12");
  await page.getByText(/ of 10$/).waitFor();
  await openFind(page, "Question 7 ");
  await page.getByText("Not found").waitFor();
  await openFind(page, "Answer 17");
  await page.getByText("Not found").waitFor();
  await page.getByRole("button", { name: "Search older messages" }).click();
  await page.getByText("1 of 1").waitFor();
  await page.locator(".text").getByText("Answer 17", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("search").waitFor({ state: "detached" });
});

test("the field to find in does not stay where another session is opened", async () => {
  const scene = await Scene.open(host, { conversation: CONVERSATION });
  const other = await host.createSession();
  const page = await browser.tab(scene.session.id);
  const field = await openFind(page, "pelican");
  await page.evaluate((id) => {
    location.hash = `#/s/${id}`;
  }, other.id);
  await field.waitFor({ state: "detached" });
});

test("a screen reader gets finished paragraphs and the end of a turn, and not each delta", async () => {
  const words = "The first paragraph.\n\nThe second one is not at its end";
  const scene = await Scene.open(host, {
    conversation: [...turn(reply(text("Short."))), ...opened(cutReply(2, text(words))), HOLD],
  });
  const page = await browser.tab(scene.session.id);
  await page.getByRole("region", { name: "Conversation" }).waitFor();
  const announced = page.locator(".announcer");
  await announced.waitFor({ state: "attached" });
  await scene.exchange("One");
  await announced.getByText("Claude has finished").waitFor();
  expect(await announced.locator("p").allTextContents()).toEqual(["Short.", "Claude has finished"]);
  await scene.say("Two");
  await announced.getByText("The first paragraph.").waitFor();
  expect(await announced.getByText("The second one").count()).toBe(0);
  expect(await announced.getAttribute("aria-live")).toBe("polite");
});
