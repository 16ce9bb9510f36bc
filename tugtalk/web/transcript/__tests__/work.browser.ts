/** Claude's work in the transcript: its tasks, its agents, and its work in the background. */
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import { REPORTED, WORKING } from "../../__tests__/support/work-scenes.ts";
import { wordsOf } from "../../tools/__tests__/support/shown-text.ts";

const { host, browser } = await openBrowser();

/** A list of tasks, an agent and a command, under way. */
async function atWork() {
  const scene = await Scene.open(host, { conversation: WORKING });
  const page = await browser.tab(scene.session.id);
  await scene.say("Greet by the time of day");
  await scene.until("task_progress");
  await agentOf(page).locator(".agent-line").waitFor();
  return { scene, page };
}

const agentOf = (page: Page) => page.locator(".tool").filter({ hasText: "Look at the sources" });

/** The tasks with their signs. */
async function tasksOf(page: Page): Promise<readonly string[]> {
  const todos = await page.locator(".checklist .todo").all();
  return await Promise.all(
    todos.map(async (todo) => {
      const sign = await todo.getByRole("img").getAttribute("aria-label");
      return `${sign}: ${await wordsOf(todo)}`;
    }),
  );
}

test("the calls that keep the list of tasks are one checklist with names, live and after a reload", async () => {
  const { page } = await atWork();
  const expected = [
    "Done: Read the sources",
    "In progress: Write the greeting…",
    "To do: Run all tests",
  ];
  expect(await tasksOf(page)).toEqual(expected);
  await page.locator(".checklist").getByText("1 of 3").waitFor();
  expect(await page.getByText(/TaskCreate|TaskUpdate/).count()).toBe(0);
  await page.reload();
  await page.locator(".checklist .todo").nth(2).waitFor();
  expect(await tasksOf(page)).toEqual(expected);
});

test("a task is found by its name, and marked in the checklist", async () => {
  const { page } = await atWork();
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox").fill("Run all tests");
  await page.getByText("1 of 1").waitFor();
  await page.waitForFunction(() => {
    const [range] = CSS.highlights.get("found-current") ?? [];
    return range?.startContainer.parentElement?.closest(".checklist") != null;
  });
});

test("a closed agent has its latest step, their number and its time, and an open agent has its prompt only once", async () => {
  const { page } = await atWork();
  const agent = agentOf(page);
  const line = await wordsOf(agent.locator(".agent-line"));
  expect(line).toMatch(
    /^Bash git log --oneline src\/greet\.ts 1[4-9] s · 2 tool calls · 9\.0k tokens$/,
  );
  await agent.locator(".tool-line").first().click();
  await agent.getByText("Find where the greeting is made").waitFor();
  const said = await wordsOf(agent);
  for (const once of [
    "Find where the greeting is made",
    "Look at the sources",
    "git log --oneline",
  ])
    expect([once, said.split(once).length - 1]).toEqual([once, 1]);
});

test("the time of an agent goes on between the reports about it", async () => {
  const { page } = await atWork();
  const line = agentOf(page).locator(".agent-line");
  await line.getByText(/1[5-9] s/).waitFor();
});

test("the work of a stopped turn is stopped: the task, the agent and the command", async () => {
  const { scene, page } = await atWork();
  await scene.session.run("interrupt");
  await page.locator(".outcome").getByText("Interrupted").waitFor();
  const states = await Promise.all((await page.locator(".tool").all()).map(wordsOf));
  expect(states).toEqual([
    expect.stringMatching(
      /^Agent Look at the sources Stopped Bash git log .* 1\d s · 2 tool calls/,
    ),
    "Bash $ bun test --watch src Stopped",
  ]);
  expect(await page.locator(".spinner").count()).toBe(0);
  await page.getByRole("button", { name: "1 of 3 · Write the greeting", exact: true }).waitFor();
  expect(await tasksOf(page)).toEqual([
    ...["Done: Read the sources", "Not finished: Write the greeting", "To do: Run all tests"],
  ]);
});

const reportOf = (page: Page): Locator => page.locator(".notice .report");

test("an agent in the background is said to be there once, and not that it was started where its steps are", async () => {
  const scene = await Scene.open(host, { conversation: REPORTED });
  const page = await browser.tab(scene.session.id);
  await scene.say("Who wrote it?");
  await reportOf(page).waitFor();
  const agent = page.locator(".tool").filter({ hasText: "Read the history" });
  await agent.locator(".tool-line").first().click();
  await agent.getByText("Who wrote the greeting?").waitFor();
  expect(await wordsOf(agent.locator(".tool-body"))).toBe(
    "Explore in the background Who wrote the greeting? Bash $ git log src/greet.ts Done",
  );
});

test("the report of an agent in the background is Markdown, under its prompt, and its card says that it has ended", async () => {
  const scene = await Scene.open(host, { conversation: REPORTED });
  const page = await browser.tab(scene.session.id);
  await scene.say("Who wrote it?");
  await reportOf(page).getByRole("table").waitFor();
  await page.getByText("Background task completed: Read the history").waitFor();
  expect(await reportOf(page).getByRole("heading").textContent()).toBe("The history");
  expect(await wordsOf(reportOf(page))).not.toMatch(/##|\*\*|`|\|/);
  const agent = page.locator(".tool").filter({ hasText: "Read the history" });
  expect(await wordsOf(agent)).toBe(
    "Agent Read the history Done 1 min 4 s · 3 tool calls · 12k tokens",
  );
});

test("a command that fails in the background has failed on its card, and says so once below it", async () => {
  const scene = await Scene.open(host, { conversation: REPORTED });
  const page = await browser.tab(scene.session.id);
  await scene.say("Who wrote it?");
  await page
    .getByText('Background command "make release" failed with exit code 2', { exact: true })
    .waitFor();
  const card = page.locator(".tool").filter({ hasText: "make release" });
  expect(await wordsOf(card)).toBe("Bash $ make release Failed");
});
