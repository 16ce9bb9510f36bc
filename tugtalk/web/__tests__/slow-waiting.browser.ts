/** Waiting messages, background work and earlier texts, by keyboard alone, where each answer of the host takes a quarter of a second. */
import { afterAll, expect, test } from "bun:test";
import { objectOf } from "../../client/claude-value.ts";
import {
  answered,
  openPastSessions,
  said,
  sessionId,
} from "../../testing/drivers/past-sessions.ts";
import { into, out, RESULT, SESSION } from "../../testing/drivers/written-conversation.ts";
import { toolTurn } from "../tools/__tests__/support/tool-turn.ts";
import { IDLE, QUEUED } from "./support/page-states.ts";
import { composerOf, conversationOf, readValue } from "./support/shown.ts";
import { choose, focusedIs, openSlowBrowser, walkTo } from "./support/slow-port.ts";

const past = openPastSessions();
afterAll(() => past.remove());
const PAST_ID = sessionId(1);
const minutesAgo = Date.now() / 1000 - 300;
past.write(
  PAST_ID,
  [said("a", null, "Which colours?"), answered("b", "a", "Red it is.")],
  minutesAgo,
);
const { host, openSlowly } = await openSlowBrowser({ env: { CLAUDE_CONFIG_DIR: past.configDir } });

test("a message that waits is changed and dropped, and each time the keys are the message field's again", async () => {
  const { sessionId: id } = await QUEUED.reach(host);
  const page = await openSlowly(id);
  const waiting = page.getByRole("list", { name: "Messages that wait" });
  const changed = waiting.getByText("And run all tests. soon").first();
  const edit = async () => {
    await walkTo(page, "Attach files");
    await walkTo(page, "Edit queued message", "Shift+Tab");
    await page.keyboard.press("Enter");
    await focusedIs(page, "Queued message");
  };
  await waiting.getByText("And run all tests.").first().waitFor();
  await focusedIs(page, "Message");
  await edit();
  await page.keyboard.press("Escape");
  await focusedIs(page, "Message");
  await edit();
  await page.keyboard.type(" soon");
  await page.keyboard.press("Enter");
  await changed.waitFor();
  await focusedIs(page, "Message");
  await walkTo(page, "Attach files");
  await walkTo(page, "Drop queued message", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("x");
  expect(await readValue(composerOf(page), "x")).toBe("x");
  await changed.waitFor({ state: "detached" });
}, 60_000);

test("a task in the background is stopped by two strokes of Enter, once, and the keys stay with the panel", async () => {
  const task = {
    task_id: "shell-1",
    tool_use_id: "background",
    task_type: "local_bash",
    description: "Watch the files",
    session_id: SESSION,
  };
  const call = {
    id: "background",
    name: "Bash",
    input: { command: "watch", run_in_background: true },
    result: "Command running in background with ID: shell-1",
  };
  const ended = { type: "system", subtype: "task_notification", status: "stopped", ...task };
  const conversation = [
    ...toolTurn(call).slice(0, -1),
    out({ type: "system", subtype: "task_started", is_backgrounded: true, ...task }),
    out({ ...RESULT, permission_denials: [] }),
    into({ type: "control_request", request: { subtype: "stop_task" } }),
    out({ ...ended, summary: "Stopped by a person" }),
  ];
  const session = await host.createSession({ conversation });
  await session.message("go");
  const page = await openSlowly(session.id);
  await page.getByRole("button", { name: "1 in the background" }).waitFor();
  await choose(page, "Tasks");
  const panel = page.getByRole("dialog", { name: "Tasks" });
  await panel.waitFor();
  await walkTo(page, "Stop Watch the files");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  // The transcript says it too.
  await panel.getByText("Stopped by a person").waitFor();
  await page.locator(".dialog-body:focus").waitFor();
  await page.keyboard.press("Escape");
  await focusedIs(page, "Message");
  const asked = session.claudeInput.filter(
    ({ request }) => objectOf(request)?.["subtype"] === "stop_task",
  );
  expect(asked).toHaveLength(1);
}, 60_000);

test("how hard the model thinks is chosen by the arrows, and the focus is on the button that shows it", async () => {
  const { sessionId: id } = await IDLE.reach(host);
  const page = await openSlowly(id);
  await page.getByRole("button", { name: "Thinking effort" }).waitFor();
  await focusedIs(page, "Message");
  await walkTo(page, "Attach files");
  await walkTo(page, "Thinking effort", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.locator("[role=menuitemradio]:focus").getByText("low").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await focusedIs(page, "Thinking effort: medium");
}, 60_000);

test("a past conversation goes on in a copy, once, and its session has the keys", async () => {
  const page = await openSlowly();
  await page.keyboard.press("w");
  await focusedIs(page, "What should Claude do?");
  await walkTo(page, "New conversation", "Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await walkTo(page, "Folder");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(past.project);
  await page.getByRole("radio", { name: "Which colours?" }).waitFor();
  await walkTo(page, "Which colours?");
  await page.keyboard.press("Space");
  await walkTo(page, "Continue in a copy");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.locator("button:focus").getByText("Back", { exact: true }).waitFor();
  await walkTo(page, "Trust this folder");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await conversationOf(page).getByText("Red it is.").waitFor();
  await focusedIs(page, "Message");
  const { sessions } = (await host.run("sessions")).body;
  expect(JSON.stringify(sessions).split(`"dir":"${past.project}"`)).toHaveLength(2);
}, 60_000);
