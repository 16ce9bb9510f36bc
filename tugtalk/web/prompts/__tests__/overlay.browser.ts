/** Prompts of other sessions, on every route, and prompts of agents. */
import { afterEach, expect, test } from "bun:test";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import {
  agentReply,
  agentResult,
  answered,
  asks,
  call,
  permission,
  reply,
  result,
  turn,
} from "../../__tests__/support/scene-lines.ts";
import { BACKGROUND_ASKING } from "../../__tests__/support/scenes.ts";
import { answerTo, askingSession, cardOf } from "./support/asking.ts";

const { host, browser } = await openBrowser();
const sessions: TestHostSession[] = [];

afterEach(async () => {
  for (const page of browser.context.pages()) await page.close();
  for (const session of sessions.splice(0)) await session.run("delete");
});

async function asking(title: string, conversation: readonly object[], prompts = 1) {
  const session = await askingSession(host, { title, conversation }, prompts);
  sessions.push(session);
  return session;
}

const BUILD = { id: "build", name: "Bash", input: { command: "npm run build" } };
const QUESTION = { question: "Which?", header: "Which", options: [{ label: "A" }] };
const ASK = { id: "ask", name: "AskUserQuestion", input: { questions: [QUESTION] } };

test("on the board prompts are answered in a dialog, approvals before questions, the next when one is resolved", async () => {
  const first = await asking("First", askingTurn(ASK));
  const second = await asking("Second", askingTurn(BUILD));
  const page = await browser.tab();
  await page.getByTitle("1 pending approval").nth(1).waitFor();
  await page.getByRole("button", { name: "Answer here" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("link", { name: "Second" }).waitFor();
  await dialog.getByText(second.dir).waitFor();
  await dialog.getByText("npm run build").waitFor();
  await cardOf(page)
    .getByRole("button", { name: /^Allow/ })
    .click();
  expect(await answerTo(second, "build")).toMatchObject({ behavior: "allow" });
  await dialog.getByRole("link", { name: "First" }).waitFor();
  await dialog.getByRole("radio", { name: "A" }).check();
  await dialog.getByRole("button", { name: "Submit Answers" }).click();
  expect(await answerTo(first, "ask")).toMatchObject({
    updatedInput: { answers: { "Which?": "A" } },
  });
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Answer here" }).waitFor({ state: "detached" });
});

test("in a session the key P opens prompts of other sessions, keys answer there only, and the link leads to the session", async () => {
  const shown = await asking("Shown", askingTurn(BUILD));
  const other = await asking("Other", askingTurn(BUILD, { id: "write" }), 2);
  const page = await browser.tab(shown.id);
  await page.getByRole("main").getByTitle("1 pending approval").waitFor();
  await page.getByRole("button", { name: "1 other needs you" }).waitFor();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("p");
  const dialog = page.getByRole("dialog");
  const allow = dialog.getByRole("button", { name: /^Allow Y/ }).and(page.locator(":enabled"));
  await allow.waitFor();
  await page.keyboard.press("y");
  expect(await answerTo(other, "build")).toMatchObject({ behavior: "allow" });
  await dialog.getByText("Write", { exact: true }).waitFor();
  await allow.waitFor();
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  expect(await dialog.getByPlaceholder("Reason for denial (optional)").count()).toBe(0);
  expect((await shown.run("pending")).body).toMatchObject({ pending: [{ requestId: "build" }] });
  await dialog.getByRole("link", { name: "Other" }).click();
  await dialog.waitFor({ state: "detached" });
  await cardOf(page).getByText("Write", { exact: true }).waitFor();
  await page.getByRole("button", { name: "1 other needs you" }).waitFor();
});

test("a new prompt, an answer elsewhere and the end of a session change the list of sessions that need a person", async () => {
  const page = await browser.tab((await host.createSession()).id);
  const others = page.getByRole("button", { name: /needs? you/ });
  const one = await asking("One", askingTurn(BUILD));
  await page.getByRole("button", { name: "1 other needs you" }).waitFor();
  const two = await asking("Two", askingTurn(BUILD));
  await page.getByRole("button", { name: "2 others need you" }).waitFor();
  await one.run("approve", { requestId: "build", decision: "allow" });
  await page.getByRole("button", { name: "1 other needs you" }).waitFor();
  await two.run("delete", { keep: true });
  await others.waitFor({ state: "detached" });
});

test("the prompt of an agent in the background names the agent, and can be answered after the turn", async () => {
  const session = await asking("Agents", BACKGROUND_ASKING);
  const page = await browser.tab(session.id);
  await cardOf(page).getByText("for Read the history").waitFor();
  await cardOf(page)
    .getByRole("button", { name: /^Allow/ })
    .click();
  const { requestId } = await pendingOf(session);
  expect(await answerTo(session, requestId)).toMatchObject({ behavior: "allow" });
});

test("an agent in an agent asks, and a permission for good is shown although its calls are folded away", async () => {
  const rule = { toolName: "Bash", ruleContent: "ls" };
  const suggestion = { type: "addRules", rules: [rule], behavior: "allow", destination: "session" };
  const request = permission(
    "toolu_3",
    "Bash",
    { command: "ls" },
    { permission_suggestions: [suggestion] },
  );
  const nested = turn(
    reply(call("toolu_1", "Agent", { description: "Outer", prompt: "go" })),
    agentReply("toolu_1", call("toolu_2", "Agent", { description: "Inner", prompt: "go" })),
    agentReply("toolu_2", call("toolu_3", "Bash", { command: "ls" })),
    asks("ask", request),
    answered("ask"),
    agentResult("toolu_2", "toolu_3", "a"),
    agentResult("toolu_1", "toolu_2", "a"),
    result("toolu_1", "a"),
  );
  const session = await asking("Nested", nested);
  const page = await browser.tab(session.id);
  await cardOf(page).getByText("for a subagent").waitFor();
  await cardOf(page)
    .getByRole("button", { name: /^Always allow/ })
    .click();
  expect(await answerTo(session, "ask")).toMatchObject({ updatedPermissions: [suggestion] });
  await page.getByText("Accepted by Chrome: Allow the Bash command ls for this session").waitFor();
});

async function pendingOf(session: TestHostSession): Promise<{ readonly requestId: string }> {
  const events = await session.events();
  const { data } = await events.next(({ type }) => type === "control_request_forward");
  events.close();
  return { requestId: String(data["request_id"]) };
}
