/** Where the focus is while Claude asks, in Chromium, and the effect of the keys there. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type AskedTool, askingTurn } from "../../../testing/drivers/host-conversations.ts";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { findPaleTexts } from "../../__tests__/support/faults.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { readUntil, readValue } from "../../__tests__/support/shown.ts";
import { answerTo, askingSession, cardOf } from "./support/asking.ts";

const { host, browser } = await openBrowser();

const RULE = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "npm run build" }],
  behavior: "allow",
  destination: "session",
};
const FOLDER = { type: "addDirectories", directories: ["/work/outside"], destination: "session" };
const BUILD = {
  id: "build",
  name: "Bash",
  input: { command: "npm run build" },
  request: { permission_suggestions: [RULE, FOLDER] },
};
const QUESTION = { question: "Which?", header: "Which", options: [{ label: "A" }, { label: "B" }] };
const ASK = { id: "ask", name: "AskUserQuestion", input: { questions: [QUESTION] } };

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Resolves when the card itself has the focus. */
const focused = (page: Page, name?: string) =>
  cardOf(page, name).and(page.locator(":focus")).waitFor();

async function isPending(session: TestHostSession): Promise<boolean> {
  const { body } = await session.run("pending");
  return (body["pending"] as readonly unknown[]).length > 0;
}

async function asked(...tools: readonly AskedTool[]) {
  const session = await askingSession(host, { conversation: askingTurn(...tools) }, tools.length);
  return { session, page: await browser.tab(session.id) };
}

test("over an empty composer the focus goes to the prompt that opens, and back when it is answered", async () => {
  const session = await host.createSession({ conversation: askingTurn(BUILD) });
  const page = await browser.tab(session.id);
  await page.getByTitle("Send message").waitFor();
  await page.keyboard.type("go");
  await page.keyboard.press("Enter");
  await focused(page);
  const ring = await cardOf(page).evaluate((card) => getComputedStyle(card).outlineStyle);
  expect(ring).toBe("solid");
  await page.keyboard.press("y");
  expect(await answerTo(session, "build")).toMatchObject({ behavior: "allow" });
  await composer(page).and(page.locator(":focus")).waitFor();
});

test("a prompt leaves the focus to who writes, dims its keys, and says the way to it", async () => {
  const session = await host.createSession({ conversation: askingTurn(BUILD) });
  const page = await browser.tab(session.id);
  await page.getByTitle("Send message").waitFor();
  await composer(page).fill("half a thought");
  await session.message("go");
  const way = cardOf(page).getByText("leads here");
  await way.waitFor();
  await cardOf(page)
    .getByRole("button", { name: /^Allow Y/ })
    .and(page.locator(":enabled"))
    .waitFor();
  const opacity = () =>
    cardOf(page)
      .locator("kbd")
      .last()
      .evaluate((key) => Number(getComputedStyle(key).opacity));
  const dimmed = await opacity();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findPaleTexts(page)).toEqual([]);
  }
  await page.keyboard.type("!y");
  expect(await readValue(composer(page), "half a thought!y")).toBe("half a thought!y");
  expect(await isPending(session)).toBe(true);
  await page.keyboard.press("Shift+Tab");
  await focused(page);
  expect(await way.isVisible()).toBe(false);
  expect(await opacity()).toBeGreaterThan(dimmed);
  await page.keyboard.press("y");
  expect(await answerTo(session, "build")).toMatchObject({ behavior: "allow" });
});

test("the focus does not move while keys come, and a letter that is no key of the prompt is written", async () => {
  const { session, page } = await asked(BUILD);
  await page.evaluate(() => {
    const field = document.querySelector<HTMLElement>(".composer-box .composer-field");
    const until = performance.now() + 1_500;
    document.documentElement.dataset["moved"] = "";
    document.addEventListener("focusin", ({ target }) => {
      const isCard = target instanceof Element && target.matches(".prompt");
      if (isCard) document.documentElement.dataset["moved"] = String(performance.now() > until);
    });
    const press = () => {
      field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
      if (performance.now() < until) setTimeout(press, 50);
    };
    press();
  });
  await focused(page);
  const moved = () => page.evaluate(() => document.documentElement.dataset["moved"]);
  expect(await readUntil(moved, (value) => value !== "")).toBe("true");
  await page.keyboard.type("what if");
  expect(await readValue(composer(page), "what if")).toBe("what if");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await isPending(session)).toBe(true);
});

test("Shift+Tab from behind the prompt leads to the prompt, never to the button that allows the most", async () => {
  const { session, page } = await asked(BUILD);
  await focused(page);
  await session.message("Later");
  await page.getByRole("listitem").filter({ hasText: "Later" }).waitFor();
  await page.getByRole("button", { name: "Allow, with what is ticked" }).focus();
  await page.keyboard.press("Tab");
  expect(await cardOf(page).evaluate((card) => card.matches(":focus-within"))).toBe(false);
  await page.keyboard.press("Shift+Tab");
  await focused(page);
  await page.keyboard.press("Space");
  expect(await isPending(session)).toBe(true);
});

test("Escape leaves a field of a prompt, and stops the turn only from there", async () => {
  const { session, page } = await asked(ASK);
  await focused(page, "Question from Claude");
  await page.getByLabel("Other answer to: Which?").fill("C");
  await page.keyboard.press("Escape");
  await focused(page, "Question from Claude");
  expect(await isPending(session)).toBe(true);
  await page.getByRole("radio", { name: "A" }).focus();
  await page.keyboard.press("Escape");
  await focused(page, "Question from Claude");
  expect(await isPending(session)).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByText("What Claude asked was not answered").waitFor();
});

test("a prompt that opens under a dialog leaves the focus there, and its keys answer nothing", async () => {
  const session = await host.createSession({ conversation: askingTurn(BUILD) });
  const page = await browser.tab(session.id);
  await page.getByTitle("Send message").waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "What do you want to do?" });
  await field.waitFor();
  await session.message("go");
  await cardOf(page).locator("button:enabled").first().waitFor({ state: "attached" });
  await page.keyboard.type("ya");
  expect(await readValue(field, "ya")).toBe("ya");
  expect(await isPending(session)).toBe(true);
});
