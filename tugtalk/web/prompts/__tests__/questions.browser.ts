/** Questions of Claude, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { QUESTION } from "../../__tests__/support/scenes.ts";
import { readValue } from "../../__tests__/support/shown.ts";
import { answerTo, askingSession, cardOf } from "./support/asking.ts";

const { host, browser } = await openBrowser();

const DATABASE = {
  question: "Which database?",
  header: "Database",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "PostgreSQL", description: "A server" },
  ],
  multiSelect: false,
};
const PORTS = {
  question: "Which ports?",
  header: "Ports",
  options: [{ label: "3000" }, { label: "8080" }, { label: "Sea, green" }],
  multiSelect: true,
};
const LAYOUT = {
  question: "Which layout?",
  header: "Layout",
  options: [
    { label: "List", preview: "**one** line each" },
    { label: "Cards", preview: "a picture" },
  ],
  multiSelect: false,
};
const NAME = { question: "What name?", header: "Name", options: [], multiSelect: false };

const asking = (...questions: readonly object[]) => {
  const input = { questions };
  return { conversation: askingTurn({ id: "ask", name: "AskUserQuestion", input }) };
};

async function asked(...questions: readonly object[]) {
  const session = await askingSession(host, asking(...questions));
  return { session, page: await browser.tab(session.id) };
}

const form = (page: Page) => cardOf(page, "Question from Claude");
const submit = (page: Page) => form(page).getByRole("button", { name: "Submit Answers" });

test("questions have radios or checkboxes by kind, each with free text, and cannot be submitted before all are answered", async () => {
  const { session, page } = await asked(DATABASE, PORTS, NAME);
  expect(await form(page).getByText("Database", { exact: true }).textContent()).toBe("Database");
  expect(await form(page).getByText("One file").textContent()).toBe("One file");
  const [database, ports, name] = ["Which database?", "Which ports?", "What name?"].map((text) =>
    form(page).getByRole("group", { name: text }),
  );
  expect(await database?.getByRole("radio").count()).toBe(3);
  expect(await ports?.getByRole("checkbox").count()).toBe(4);
  expect(await name?.getByRole("radio").count()).toBe(0);
  await database?.getByRole("radio", { name: "PostgreSQL" }).check();
  await ports?.getByRole("checkbox", { name: "Sea, green" }).check();
  await ports?.getByRole("checkbox", { name: "3000" }).check();
  await ports?.getByPlaceholder("Type your answer...").fill("9000");
  expect(await submit(page).isDisabled()).toBe(true);
  await name?.getByPlaceholder("Type your answer...").fill("  tug ");
  await submit(page).click();
  expect(await answerTo(session, "ask")).toMatchObject({
    behavior: "allow",
    updatedInput: {
      answers: {
        "Which database?": "PostgreSQL",
        "Which ports?": ["3000", "Sea, green", "9000"],
        "What name?": "tug",
      },
    },
  });
  await form(page).waitFor({ state: "detached" });
});

test("after the submission each question is one line with its answer", async () => {
  const session = await askingSession(host, { conversation: QUESTION });
  const page = await browser.tab(session.id);
  await form(page).getByRole("radio", { name: "serve" }).check();
  for (const name of ["8080", "3000"]) await form(page).getByRole("checkbox", { name }).check();
  await form(page).getByLabel("Other answer to: Should it open a browser?").fill("Ask me");
  await submit(page).click();
  const lines = page.getByRole("listitem").filter({ hasText: "Selected:" });
  await lines.nth(2).waitFor();
  expect(await lines.allTextContents()).toEqual([
    'NameSelected: "serve"',
    'PortsSelected: "3000, 8080"',
    'BrowserSelected: "Ask me"',
  ]);
  expect(await lines.getByRole("img", { name: "Answered" }).count()).toBe(3);
});

test("Other takes the place of a choice, needs a text, and a choice takes its place", async () => {
  const { session, page } = await asked(DATABASE);
  const other = form(page).getByLabel("Other answer to: Which database?");
  await form(page).getByRole("radio", { name: "SQLite" }).check();
  await form(page).getByRole("radio", { name: "Other" }).check();
  expect(await form(page).getByRole("radio", { name: "SQLite" }).isChecked()).toBe(false);
  expect(await submit(page).isDisabled()).toBe(true);
  await other.fill("DuckDB");
  await form(page).getByRole("radio", { name: "SQLite" }).check();
  await form(page).getByRole("radio", { name: "Other" }).check();
  await submit(page).and(page.locator(":enabled")).waitFor();
  await other.press("Enter");
  expect(await answerTo(session, "ask")).toMatchObject({
    updatedInput: { answers: { "Which database?": "DuckDB" } },
  });
});

test("options can be compared by their previews", async () => {
  const { page } = await asked(LAYOUT);
  await form(page).getByText("a picture").waitFor();
  await form(page).locator(".markdown strong").first().waitFor();
  expect(await form(page).locator(".markdown strong").allTextContents()).toEqual(["one"]);
});

test("choices and typed texts survive a reload", async () => {
  const { page } = await asked(DATABASE, PORTS);
  await form(page).getByRole("checkbox", { name: "8080" }).check();
  await form(page).getByLabel("Other answer to: Which database?").fill("DuckDB");
  await page.reload();
  const other = form(page).getByLabel("Other answer to: Which database?");
  expect(await readValue(other, "DuckDB")).toBe("DuckDB");
  expect(await form(page).getByRole("checkbox", { name: "8080" }).isChecked()).toBe(true);
  await submit(page).and(page.locator(":enabled")).waitFor();
});

test("a question can be refused with a reason", async () => {
  const { session, page } = await asked(DATABASE);
  await form(page).getByRole("button", { name: "Deny N" }).click();
  await page.keyboard.type("Decide yourself");
  await page.keyboard.press("Enter");
  expect(await answerTo(session, "ask")).toMatchObject({
    behavior: "deny",
    message: "Decide yourself",
  });
});

test("a question that Stop ends is cancelled, and one that nobody answers in time expires", async () => {
  for (const [options, words] of [
    [{}, "Not answered: the turn was stopped"],
    [{ options: { prompt_timeout_ms: 10_000 } }, "Not answered: nobody answered in time"],
  ] as const) {
    const session = await host.createSession({ ...asking(DATABASE), ...options });
    const page = await browser.tab(session.id);
    await page.getByTitle("Send message").waitFor();
    // The time of the second one begins here.
    await session.message("go");
    await form(page).waitFor();
    if (words.endsWith("stopped")) await session.run("interrupt");
    await page.getByText(words).waitFor();
    expect(await form(page).count()).toBe(0);
  }
});
