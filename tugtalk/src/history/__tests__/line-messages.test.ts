/** Lines of real transcripts, trimmed, and the messages of the live session. The versions are named. */

import { afterAll, afterEach, expect, test } from "bun:test";
import { checkDraft } from "../../../testing/drivers/emitted-lines.ts";
import {
  answered,
  openPastSessions,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import type { Fields } from "../../base/json.ts";
import { readHistory } from "../session-history.ts";
import { textsIn, writtenMessages } from "./support/written-messages.ts";

const ID = sessionId(1);

const past = openPastSessions();
afterEach(() => past.empty());
afterAll(() => past.remove());

const messagesOf = (lines: readonly Fields[]) => writtenMessages(past, ID, lines);
const textsOf = async (lines: readonly Fields[]) => textsIn(await messagesOf(lines));

const command = (uuid: string, parentUuid: string | null, content: string) => ({
  type: "system",
  subtype: "local_command",
  uuid,
  parentUuid,
  content,
});

const NOTIFICATION = `<task-notification>
<task-id>bx31lp1lj</task-id>
<tool-use-id>toolu_01</tool-use-id>
<output-file>/tmp/tasks/bx31lp1lj.output</output-file>
<status>completed</status>
<summary>Background command "d" completed (exit code 0)</summary>
</task-notification>`;

const EXPECTED = {
  type: "task_notification",
  task_id: "bx31lp1lj",
  tool_use_id: "toolu_01",
  output_file: "/tmp/tasks/bx31lp1lj.output",
  status: "completed",
  summary: 'Background command "d" completed (exit code 0)',
};

test("the end of a background task is the same notification as in a live session (2.1.197, 2.1.330)", async () => {
  const lines = [
    said("a", null, NOTIFICATION, { origin: { kind: "task-notification" } }),
    answered("b", "a", "It ended."),
  ];
  const [notification, answer] = await messagesOf(lines);
  expect(notification).toEqual(EXPECTED);
  expect(answer).toMatchObject({ text: "It ended." });
});

/** In the form of a line of 2.1.330. */
test("the history has a prompt that is one image", async () => {
  const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
  const content = [{ type: "image", source }];
  const message = { role: "user", content };
  const line = { type: "user", uuid: "a", parentUuid: null, message, permissionMode: "default" };
  const [prompt] = await messagesOf([line, answered("b", "a", "Seen.")]);
  expect(prompt).toEqual({
    type: "user_text",
    text: "",
    kind: "history",
    message_id: "a",
    content,
  });
});

/** In the form of a line of 2.1.330. */
test("the result of a denied call in the history says who denied it", async () => {
  const content = [{ type: "tool_result", tool_use_id: "t", content: "No.", is_error: true }];
  const permissionDecision = { decision: "reject", source: "user_reject", reasonCode: "unknown" };
  const line = {
    type: "user",
    uuid: "a",
    parentUuid: null,
    message: { role: "user", content },
    permissionDecision,
    toolDenialKind: "permission-rule",
  };
  expect(await messagesOf([line])).toEqual([
    {
      type: "tool_result",
      tool_use_id: "t",
      output: "No.",
      is_error: true,
      permission_decision: { decision: "reject", source: "user_reject" },
      non_execution_kind: "permission-rule",
    },
  ]);
});

test("the end of a background subagent that starts a turn is a notification in a real conversation", async () => {
  const session_id = past.place("2.1.197/sub_background");
  const { messages } = checkDraft(await readHistory(past.folder, { session_id }));
  const notifications = messages.filter(({ type }) => type === "task_notification");
  expect(notifications).toMatchObject([
    {
      task_id: "a5b354d1a7713cf0d",
      tool_use_id: "toolu_01Mock0045",
      status: "completed",
      summary: "Background sub finished.",
    },
  ]);
  expect(messages.filter(({ text }) => String(text).includes("<task-"))).toEqual([]);
});

/** In the form of a line of 2.1.330, which has the report with entities. */
test("the end of a subagent has its report, as in a live session", async () => {
  const report =
    "<result>With &lt;b&gt;, &amp;amp; and &lt;status&gt;failed&lt;/status&gt;.</result>";
  const text = NOTIFICATION.replace("</task-notification>", `${report}\n</task-notification>`);
  const line = said("a", null, text, { origin: { kind: "task-notification" } });
  const summary = "With <b>, &amp; and <status>failed</status>.";
  expect(await messagesOf([line])).toEqual([{ ...EXPECTED, summary, summary_is_report: true }]);
});

test("the end of a background task that joined a running turn is a notification in that turn", async () => {
  const attachment = {
    type: "queued_command",
    commandMode: "task-notification",
    prompt: NOTIFICATION,
  };
  const lines = [
    said("a", null, "go"),
    { type: "attachment", uuid: "b", parentUuid: "a", attachment },
  ];
  expect((await messagesOf(lines)).at(-1)).toEqual(EXPECTED);
});

test("a notification of a task without an id is left out", async () => {
  const text = "<task-notification><status>completed</status></task-notification>";
  const line = said("a", null, text, { origin: { kind: "task-notification" } });
  expect(await textsOf([line, answered("b", "a", "x")])).toEqual([["assistant_text", "x"]]);
});

test("the answer to a Stop hook is in the conversation when the next line has another parent (2.1.197)", async () => {
  const lines = [
    said("a", null, "work"),
    answered("b", "a", "First answer."),
    said("c", "b", "Stop hook feedback:\nsay more please", { isMeta: true }),
    { type: "attachment", uuid: "d", parentUuid: "c", attachment: { type: "hook_blocking_error" } },
    answered("e", "d", "Second answer."),
    { type: "system", subtype: "stop_hook_summary", uuid: "f", parentUuid: "d" },
    { type: "system", subtype: "stop_hook_summary", uuid: "g", parentUuid: "f" },
    said("h", "g", "next"),
  ];
  expect(await textsOf(lines)).toEqual([
    ["history", "work"],
    ["assistant_text", "First answer."],
    ["synthetic", "Stop hook feedback:\nsay more please"],
    ["assistant_text", "Second answer."],
    ["history", "next"],
  ]);
});

test("an abandoned branch beside a note on Stop hooks is left out", async () => {
  const lines = [
    said("a", null, "one"),
    answered("b", "a", "One."),
    said("x", "b", "left"),
    answered("y", "x", "Left."),
    { type: "system", subtype: "stop_hook_summary", uuid: "c", parentUuid: "b" },
    said("d", "c", "two"),
  ];
  expect(await textsOf(lines)).toEqual([
    ["history", "one"],
    ["assistant_text", "One."],
    ["history", "two"],
  ]);
});

test("the lines of a model change by request are left out (2.1.197, 2.1.330)", async () => {
  const lines = [
    said("a", null, "one"),
    answered("b", "a", "One."),
    said("c", "b", "a caveat", { isMeta: true }),
    said("d", "c", "<command-name>/model</command-name>\n<command-args>haiku</command-args>"),
    said("e", "d", "<local-command-stdout>Set model to haiku</local-command-stdout>"),
    said("f", "e", "two"),
  ];
  expect(await textsOf(lines)).toEqual([
    ["history", "one"],
    ["assistant_text", "One."],
    ["history", "two"],
  ]);
});

test("the answer of 2.1.38 to an unknown command is command output", async () => {
  const lines = [
    said("a", null, "a caveat", { isMeta: true }),
    said("b", "a", "Unknown skill: nosuch"),
    said("c", "b", "Unknown skill: mine", { permissionMode: "default" }),
  ];
  expect(await textsOf(lines)).toEqual([
    ["command_output", "Unknown skill: nosuch"],
    ["history", "Unknown skill: mine"],
  ]);
});

test("an unknown command of 2.1.197 is shown as it was typed and starts a turn", async () => {
  const output = "<local-command-stdout>Unknown command: /nosuch</local-command-stdout>";
  const lines = [
    said("a", null, "one"),
    command("b", "a", "/nosuch thing"),
    command("c", "b", output),
  ];
  const emitted = [
    ["history", "/nosuch thing"],
    ["command_output", "Unknown command: /nosuch"],
  ];
  expect(await textsOf(lines)).toEqual([["history", "one"], ...emitted]);
  const request = { session_id: ID, limit: 1 };
  const { messages } = checkDraft(await readHistory(past.folder, request));
  expect(messages.map(({ kind, text }) => [kind, text])).toEqual(emitted);
});

test("a command with empty output has no output message", async () => {
  const lines = [
    said("a", null, "<command-name>/clear</command-name>"),
    command("b", "a", "<local-command-stdout></local-command-stdout>"),
  ];
  expect(await textsOf(lines)).toEqual([["history", "/clear"]]);
});

test("a failed command of 2.1.38 has its error as output", async () => {
  const text = "<local-command-stderr>Error: No messages to compact</local-command-stderr>";
  expect(await messagesOf([said("a", null, text)])).toEqual([
    {
      type: "user_text",
      text: "Error: No messages to compact",
      kind: "command_output",
      is_error: true,
    },
  ]);
});
