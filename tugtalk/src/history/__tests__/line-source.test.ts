/** Whether a line of a transcript is from the user or Claude, also where the user quotes lines of Claude. */

import { afterAll, afterEach, expect, test } from "bun:test";
import {
  answered,
  openPastSessions,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import type { Fields } from "../../base/json.ts";
import { parseTranscriptLine } from "../transcript-line.ts";
import { textsIn, writtenMessages } from "./support/written-messages.ts";

const ID = sessionId(1);

const past = openPastSessions();
afterEach(() => past.empty());
afterAll(() => past.remove());

const messagesOf = (lines: readonly Fields[]) => writtenMessages(past, ID, lines);
const textsOf = async (lines: readonly Fields[]) => textsIn(await messagesOf(lines));

const NOTIFICATION =
  "<task-notification><task-id>b</task-id><status>completed</status></task-notification>";

// Has the fields that the Agent SDK sends: there is no capture of it.
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

const OUTPUT = "<local-command-stdout>Set effort level to low</local-command-stdout>";

/** Texts that quote lines of Claude. Some of them have nothing else. */
const QUOTING = [
  OUTPUT,
  `see ${OUTPUT} there`,
  "[Request interrupted by user]",
  NOTIFICATION,
  "<command-name>/x</command-name>\n<command-args>y</command-args>",
  "Unknown skill: nosuch",
  "Stop hook feedback: go on",
];

test.each(QUOTING)("a prompt that is %s is a message of the user", async (text) => {
  const line = { ...said("a", null, text), permissionMode: "default" };
  const message = { role: "user", content: [{ type: "text", text }] };
  expect(await textsOf([{ ...line, message }])).toEqual([["history", text]]);
  expect(await textsOf([line])).toEqual([["history", text]]);
});

test.each(QUOTING)("a steered prompt that is %s is a message of the user", async (text) => {
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

test("a prompt that starts with a slash and quotes output is a message of the user", async () => {
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

test("text that Claude inserts for the model is left out, whatever it quotes", async () => {
  const lines = [OUTPUT, NOTIFICATION, "Unknown skill: nosuch"].map((text, at) =>
    said(`m${at}`, at === 0 ? null : `m${at - 1}`, text, { isMeta: true }),
  );
  expect(await textsOf([...lines, answered("b", "m2", "x")])).toEqual([["assistant_text", "x"]]);
});

test("a command with arguments that quote output is the command", async () => {
  const text = `<command-name>/x</command-name>\n<command-args>${OUTPUT}</command-args>`;
  expect(await textsOf([said("a", null, text)])).toEqual([["history", `/x ${OUTPUT}`]]);
});
