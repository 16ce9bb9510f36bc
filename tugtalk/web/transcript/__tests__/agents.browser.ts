/** The work of agents, inside the calls that started them: agents in agents, live and after a reload. */
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import {
  agentReply,
  agentResult,
  call,
  HOLD,
  opened,
  reply,
  result,
  system,
  text,
  turn,
} from "../../__tests__/support/scene-lines.ts";

const { host, browser } = await openBrowser();

const [OUTER, INNER, GREP] = ["$toolu_1", "$toolu_2", "$toolu_3"];

const agent = (id: string, description: string) =>
  call(id, "Agent", { description, prompt: `${description}.`, subagent_type: "general-purpose" });

const NESTED = opened(
  reply(text("An agent shall look."), agent(OUTER, "Look at the sources")),
  agentReply(OUTER, text("I pass it on."), agent(INNER, "Look at one file")),
  agentReply(INNER, call(GREP, "Grep", { pattern: "greet" })),
  agentResult(INNER, GREP, "src/greet.ts"),
  agentReply(INNER, text("It is in one file.")),
  agentResult(OUTER, INNER, "It is in one file."),
  HOLD,
);

/** The card of a call, opened. */
async function openCard(within: Page | Locator, name: string): Promise<Locator> {
  const card = within.locator("[data-item]").filter({ hasText: name }).last();
  await card.locator("summary").first().click();
  return card;
}

async function expectNested(page: Page): Promise<void> {
  const outer = await openCard(page, "Look at the sources");
  await outer.getByText("I pass it on.").waitFor();
  const inner = await openCard(outer, "Look at one file");
  await inner.getByText("It is in one file.").first().waitFor();
  expect(await inner.getByText("Grep", { exact: true }).count()).toBe(1);
  // The message, the text of Claude, and the call.
  expect(await page.locator(".entry > [data-item]").count()).toBe(3);
}

test("an agent that starts an agent is drawn in its call, live and after a reload", async () => {
  const scene = await Scene.open(host, { conversation: NESTED });
  const page = await browser.tab(scene.session.id);
  await scene.say("Find it");
  await page.getByText("Look at the sources").waitFor();
  await expectNested(page);
  await page.reload();
  await expectNested(page);
});

test("an agent that goes on after its turn stays in its call", async () => {
  const started = { task_id: "atask1", task_type: "local_agent", tool_use_id: OUTER };
  const scene = await Scene.open(host, {
    conversation: [
      ...turn(
        reply(agent(OUTER, "Look at the sources")),
        system("task_started", { ...started, description: "Look", is_backgrounded: true }),
        result(OUTER, "Async agent launched successfully."),
        reply(text("It goes on.")),
      ),
      ...turn(agentReply(OUTER, text("Found later.")), reply(text("Second answer."))),
    ],
  });
  const page = await browser.tab(scene.session.id);
  await scene.exchange("Find it");
  await scene.exchange("And then?");
  await page.locator(".text").getByText("Second answer.").waitFor();
  const card = await openCard(page, "Look at the sources");
  await card.getByText("Found later.").waitFor();
  expect(await page.locator(".entry").last().getByText("Found later.").count()).toBe(0);
});
