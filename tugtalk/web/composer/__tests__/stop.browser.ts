/** Stop and Escape in Chromium, and the state after them. */
import { expect, test } from "bun:test";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import {
  call,
  HOLD,
  opened,
  reply,
  system,
  text,
  turn,
} from "../../__tests__/support/scene-lines.ts";
import {
  field,
  fieldHas,
  hears,
  rows,
  send,
  sendButton,
  stopButton,
} from "./support/composer-page.ts";

const { host, browser } = await openBrowser();

const WORKING = [...opened(reply(text("I work."))), HOLD];

async function busy(conversation: readonly object[] = WORKING) {
  const session = await host.createSession({ conversation });
  await session.message("go");
  const page = await browser.tab(session.id);
  await stopButton(page).waitFor();
  return { session, page };
}

function hearsControl(session: TestHostSession, subtype: string) {
  return session.claudeHears(
    ({ type, request }) =>
      type === "control_request" && (request as { readonly subtype: string }).subtype === subtype,
  );
}

test("Stop ends the turn, and the draft and the queue are in the composer of who stopped", async () => {
  const { session, page } = await busy();
  const other = await browser.tab(session.id);
  await stopButton(other).waitFor();
  await send(page, "First");
  await send(page, "Second");
  await rows(other).filter({ hasText: "Second" }).waitFor();
  await field(page).fill("a draft");
  await stopButton(page).click();
  await hearsControl(session, "interrupt");
  await fieldHas(page, "First\n\nSecond\n\na draft");
  await rows(other).first().waitFor({ state: "detached" });
  await fieldHas(other, "");
  await stopButton(page).waitFor({ state: "detached" });
});

test("Escape stops a turn also with a prompt open, says that it was not answered, and keeps the draft", async () => {
  const { session, page } = await busy(askingTurn({ id: "ask" }));
  await page.getByRole("article").waitFor();
  await send(page, "Later");
  await rows(page).filter({ hasText: "Later" }).waitFor();
  await field(page).fill("a draft");
  await page.keyboard.press("Escape");
  await hearsControl(session, "interrupt");
  await page.getByText("What Claude asked was not answered").waitFor();
  await fieldHas(page, "Later\n\na draft");
});

test("Escape closes an open dialog or list first, and the turn goes on", async () => {
  const { session, page } = await busy();
  await page.locator(".composer-field:focus").waitFor();
  await page.keyboard.type("/");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await fieldHas(page, "/");
  expect(session.claudeInput.filter(({ type }) => type === "control_response")).toEqual([]);
  await stopButton(page).waitFor();
  await page.keyboard.press("Escape");
  await hearsControl(session, "interrupt");
});

test("Escape without a turn clears the composer, and ArrowUp brings the text back", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await sendButton(page).waitFor();
  await field(page).fill("not now\nbut later");
  await page.keyboard.press("Escape");
  await fieldHas(page, "");
  await page.keyboard.press("ArrowUp");
  await fieldHas(page, "not now\nbut later");
  await page.keyboard.press("ArrowDown");
  await fieldHas(page, "");
});

const TASK = {
  task_id: "task1",
  tool_use_id: "$toolu_1",
  description: "Look for it",
  task_type: "local_agent",
};

/** A turn that leaves an agent in the background. */
const BACKGROUND = [
  ...turn(
    reply(call("$toolu_1", "Agent", { description: "Look for it", prompt: "Look" })),
    system("task_started", { ...TASK, is_backgrounded: true }),
    system("background_tasks_changed", { tasks: [TASK] }),
    reply(text("It looks.")),
  ),
  ...opened(reply(text("I work, too."))),
  HOLD,
];

test("Stop leaves background work alone, and a second Stop offers to end it", async () => {
  const session = await host.createSession({ conversation: BACKGROUND });
  await session.message("go");
  const page = await browser.tab(session.id);
  await page.getByText("It looks.").first().waitFor();
  await send(page, "and this");
  await page.getByText("I work, too.").first().waitFor();
  await stopButton(page).click();
  await hearsControl(session, "interrupt");
  await page.getByRole("button", { name: "Stop background work" }).click();
  await page.getByText("A task runs in the background").waitFor();
  await page.getByRole("button", { name: "End background work" }).click();
  await session.claudeHears(() => interruptsOf(session) === 2);
  await hears(session, "and this");
});

function interruptsOf(session: TestHostSession): number {
  return session.claudeInput.filter(
    ({ type, request }) =>
      type === "control_request" &&
      (request as { readonly subtype: string }).subtype === "interrupt",
  ).length;
}

const ATTACHMENTS = [{ filename: "notes.txt", content: "Some notes", media_type: "text/plain" }];

async function returned(session: TestHostSession): Promise<unknown> {
  return (await session.run("returned")).body["returned"];
}

test("a returned message is offered in each tab, also after a reload, and one tab takes it with its attachments", async () => {
  const { session, page } = await busy();
  const other = await browser.tab(session.id);
  await session.message("Read this", { attachments: ATTACHMENTS });
  await session.message("And that");
  await session.run("interrupt");
  const offers = (tab: typeof page) => rows(tab).filter({ hasText: "Not read by Claude" });
  await offers(other).nth(1).waitFor();
  await page.reload();
  await offers(page).filter({ hasText: "with notes.txt" }).waitFor();
  const offer = offers(page).filter({ hasText: "Read this" });
  await offer.getByRole("button", { name: "Put back into the composer" }).click();
  await fieldHas(page, "Read this");
  await page.getByText("notes.txt", { exact: true }).waitFor();
  await offers(other).filter({ hasText: "Read this" }).waitFor({ state: "detached" });
  await fieldHas(other, "");
  await other.getByRole("button", { name: "Discard returned message" }).click();
  await offers(page).first().waitFor({ state: "detached" });
  expect(await returned(session)).toEqual([]);
});
