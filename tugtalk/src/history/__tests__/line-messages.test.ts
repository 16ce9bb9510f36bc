/** Lines of real transcripts, trimmed, and the messages of the live session. The versions are named. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { checkDraft } from "../../../testing/drivers/emitted-lines.ts";
import {
  answered,
  openPastSessions,
  type PastSessions,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import { readHistory } from "../session-history.ts";
import { parseTranscriptLine } from "../transcript-line.ts";

type Fields = Readonly<Record<string, unknown>>;

const ID = sessionId(1);

let past: PastSessions;
beforeEach(() => {
  past = openPastSessions();
});
afterEach(() => past.remove());

async function messagesOf(lines: readonly Fields[]): Promise<readonly Fields[]> {
  past.write(ID, lines);
  const { messages } = checkDraft(await readHistory(past.folder, { session_id: ID }));
  return messages;
}

async function textsOf(lines: readonly Fields[]): Promise<unknown[]> {
  return (await messagesOf(lines)).map(({ kind, type, text }) => [kind ?? type, text]);
}

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

// Written after what the Agent SDK sends: no capture of it is at hand.
test("a prompt that the Agent SDK marks as human is a message of the user", async () => {
  const origin = { kind: "human" };
  const [prompt] = await messagesOf([
    said("11111111-2222-4333-8444-555555555555", null, "hello", { origin, promptSource: "sdk" }),
    answered("b", "a", "Hi."),
  ]);
  expect(prompt).toEqual({
    type: "user_text",
    kind: "history",
    text: "hello",
    message_id: "11111111-2222-4333-8444-555555555555",
  });
});

test.each([{ kind: "coordinator" }, { kind: "channel" }, {}, "human"])(
  "a prompt of the origin %j is Claude's own",
  async (origin) => {
    const [prompt] = await messagesOf([said("a", null, "hello", { origin })]);
    expect(prompt).toEqual({ type: "user_text", kind: "synthetic", text: "hello" });
  },
);

test("the end of a background subagent that starts a turn is a notification in a real conversation", async () => {
  const session_id = past.place("2.1.197/sub_background");
  const { messages } = checkDraft(await readHistory(past.folder, { session_id }));
  const notifications = messages.filter(({ type }) => type === "task_notification");
  expect(notifications).toMatchObject([
    { task_id: "a5b354d1a7713cf0d", tool_use_id: "toolu_01Mock0045", status: "completed" },
  ]);
  expect(messages.filter(({ text }) => String(text).includes("<task-"))).toEqual([]);
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

const OUTPUT = "<local-command-stdout>Set effort level to low</local-command-stdout>";

/** Texts that quote what Claude writes itself, some in the whole. */
const QUOTING = [
  OUTPUT,
  `see ${OUTPUT} there`,
  "[Request interrupted by user]",
  NOTIFICATION,
  "<command-name>/x</command-name>\n<command-args>y</command-args>",
  "Unknown skill: nosuch",
  "Stop hook feedback: go on",
];

test.each(QUOTING)("a prompt that is %s is what the user wrote", async (text) => {
  const line = { ...said("a", null, text), permissionMode: "default" };
  const message = { role: "user", content: [{ type: "text", text }] };
  expect(await textsOf([{ ...line, message }])).toEqual([["history", text]]);
  expect(await textsOf([line])).toEqual([["history", text]]);
});

test.each(QUOTING)("a steered prompt that is %s is what the user wrote", async (text) => {
  const attachment = { type: "queued_command", commandMode: "prompt" };
  const lines = [
    said("a", null, "go"),
    { type: "attachment", uuid: "b", parentUuid: "a", attachment: { ...attachment, prompt: text } },
  ];
  expect(await textsOf(lines)).toEqual([
    ["history", "go"],
    ["history", text],
  ]);
});

test("a prompt that starts with a slash and quotes output is what the user wrote", async () => {
  expect(await textsOf([said("a", null, `/etc ${OUTPUT}`)])).toEqual([
    ["history", `/etc ${OUTPUT}`],
  ]);
});

test.each(QUOTING)("a summary that is %s is a summary", async (text) => {
  const summary = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
  expect(await textsOf([said("a", null, text, summary)])).toEqual([["compact_summary", text]]);
});

test.each(QUOTING)("the prompt %s of a subagent is its prompt", (text) => {
  const line = said("a", null, text, { isSidechain: true });
  const parsed = parseTranscriptLine(new TextEncoder().encode(JSON.stringify(line)), "t");
  expect(parsed).toMatchObject({
    role: "other",
    messages: [{ kind: "subagent_prompt", text, parent_tool_use_id: "t" }],
  });
});

test("the interrupt marker of a subagent is left out, as in a live session", () => {
  const content = [{ type: "text", text: "[Request interrupted by user]" }];
  const line = { ...said("b", "a", ""), message: { role: "user", content }, isSidechain: true };
  const parsed = parseTranscriptLine(new TextEncoder().encode(JSON.stringify(line)), "t");
  expect(parsed).toMatchObject({ messages: [] });
});

test("what Claude inserts for the model is left out, whatever it quotes", async () => {
  const lines = [OUTPUT, NOTIFICATION, "Unknown skill: nosuch"].map((text, at) =>
    said(`m${at}`, at === 0 ? null : `m${at - 1}`, text, { isMeta: true }),
  );
  expect(await textsOf([...lines, answered("b", "m2", "x")])).toEqual([["assistant_text", "x"]]);
});

test("a command with arguments that quote output is the command", async () => {
  const text = `<command-name>/x</command-name>\n<command-args>${OUTPUT}</command-args>`;
  expect(await textsOf([said("a", null, text)])).toEqual([["history", `/x ${OUTPUT}`]]);
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
