/** The line at the foot of the page, for each activity. */
import { expect, test } from "bun:test";
import type { ToolItem, TranscriptItem, Turn } from "../../../client/transcript-models.ts";
import { activityOf } from "../activity-text.ts";

const CALL: ToolItem = {
  kind: "tool",
  key: "call",
  toolUseId: "call",
  name: "Bash",
  status: "running",
};
const TEXT: TranscriptItem = {
  kind: "text",
  key: "text",
  msgId: "m",
  blockIndex: 0,
  text: "x".repeat(400),
  status: "streaming",
};
const TURN: Turn = {
  kind: "turn",
  key: "turn",
  turnId: "turn",
  trigger: "user",
  messageIds: [],
  status: "running",
  items: [],
  agents: {},
};

function textOf(...items: readonly TranscriptItem[]): string | undefined {
  const openEntries = [{ ...TURN, items }];
  return activityOf({ status: "running", openEntries, mcpServers: [] })?.text;
}

test.each<[string, readonly TranscriptItem[], string]>([
  ["nothing has come", [], "Waiting for the model"],
  ["it thinks", [{ ...TEXT, kind: "thinking" }], "Thinking"],
  ["it writes", [TEXT], "Generating"],
  ["it writes a call", [{ ...CALL, status: "streaming" }], "Preparing Bash"],
  ["a call runs", [CALL], "Running Bash"],
  [
    "some calls run",
    [CALL, { ...CALL, name: "Read", status: "done" }, { ...CALL, name: "Glob" }],
    "Running Bash and 1 more",
  ],
  ["a call of a server runs", [{ ...CALL, name: "mcp__tide__wait" }], "Running tide · wait"],
  ["all calls are done", [{ ...CALL, status: "done" }], "Waiting for the model"],
])("in a turn in which %s", (_case, items, text) => {
  expect(textOf(...items)).toBe(text);
});

test("work outside of the texts of a turn has its words, and a session that rests or waits for a person has none", () => {
  const said = (status: Parameters<typeof activityOf>[0]["status"]) =>
    activityOf({ status, openEntries: [{ ...TURN, items: [CALL] }], mcpServers: [] })?.text;
  expect(said("starting")).toBe("Claude is starting");
  expect(said("compacting")).toBe("Summarising the conversation so far");
  for (const status of ["idle", "requires_action", "exited", "failed", "disconnected"] as const)
    expect(said(status)).toBeUndefined();
});

test("the tokens of Claude's and its agents' texts are estimated, and the time of a call is the one that Claude reports", () => {
  const agents = { call: [{ ...TEXT, text: "y".repeat(40) }] };
  const writing = { ...TURN, items: [TEXT], agents };
  const of = (openEntries: readonly Turn[]) =>
    activityOf({ status: "running", openEntries, mcpServers: [] });
  expect(of([writing])?.tokens).toBe(110);
  expect(of([{ ...writing, status: "success" }])).toBeUndefined();
  expect(of([{ ...TURN, items: [{ ...CALL, elapsedSeconds: 12 }] }])?.seconds).toBe(12);
});
