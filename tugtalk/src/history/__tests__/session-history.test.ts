/** A past conversation as the messages of a live session, in order, in pages. */

import { afterAll, afterEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { checkDraft } from "../../../testing/drivers/emitted-lines.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import {
  answered,
  openPastSessions,
  PAST_FIXTURES,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import type { Fields } from "../../base/json.ts";
import { readHistory } from "../session-history.ts";
import { MAX_PAGE_BYTES } from "../transcript-page.ts";

const ID = sessionId(1);

/** Two of these do not fit into an answer. */
const HUGE = "x".repeat(MAX_PAGE_BYTES / 2 + 1);

const past = openPastSessions();
afterEach(() => past.empty());
afterAll(() => past.remove());

const history = async (request: { session_id?: string; limit?: number; before?: string } = {}) =>
  checkDraft(await readHistory(past.folder, { session_id: ID, ...request }));

/** The texts, or outputs, or types. */
function inShort(messages: readonly Fields[]): unknown[] {
  return messages.map(({ type, text, output }) => text ?? output ?? type);
}

async function textsOf(lines: readonly (Fields | string)[]): Promise<unknown[]> {
  past.write(ID, lines);
  return inShort((await history()).messages);
}

/** The kinds of messages; the ends of messages have a test of their own. */
function kindsOf(messages: readonly Fields[]): readonly unknown[] {
  const others = messages.filter(({ type }) => type !== "message_complete");
  return others.map(({ type, kind }) => kind ?? type);
}

test.each(["2.1.197/sub_tools", "2.1.330/sub_tools"])(
  "the history of %s has the end of each message once, after its last block, for each agent",
  async (fixture) => {
    const { messages } = await history({ session_id: past.place(fixture) });
    const ids = (list: readonly Fields[]) => list.map(({ msg_id }) => msg_id);
    const blocks = messages.filter(({ block_index }) => block_index !== undefined);
    const ends = messages.filter(({ type }) => type === "message_complete");
    expect(ids(ends).toSorted()).toEqual([...new Set(ids(blocks))].toSorted());
    expect(new Set(ends.map(({ stop_reason }) => stop_reason))).toEqual(
      new Set(["tool_use", "end_turn"]),
    );
    expect(ends.some(({ parent_tool_use_id }) => parent_tool_use_id !== undefined)).toBe(true);
    for (const end of ends) {
      const last = messages.findLast(({ msg_id }) => msg_id === end["msg_id"]);
      expect(last).toBe(end);
      const place = blocks.find(({ msg_id }) => msg_id === end["msg_id"])?.["parent_tool_use_id"];
      expect(end["parent_tool_use_id"]).toEqual(place);
    }
  },
);

test.each(PAST_FIXTURES)(
  "the history of a real conversation has messages of %s that fit the schema, and no skipped line",
  async (fixture) => {
    const { messages, skipped_lines, before } = await history({ session_id: past.place(fixture) });
    expect({ skipped_lines, before }).toEqual({ skipped_lines: 0, before: undefined });
    expect(messages.length).toBeGreaterThan(1);
  },
);

test.each(PAST_FIXTURES.filter((name) => name.endsWith("sub_tools")))(
  "the history of a real conversation has the messages of a subagent of %s after its tool call",
  async (fixture) => {
    const { messages } = await history({ session_id: past.place(fixture) });
    const call = messages.findIndex(
      ({ type, tool_name }) => type === "tool_use" && tool_name !== "Bash",
    );
    const id = messages[call]?.["tool_use_id"];
    const inner = messages.filter(({ parent_tool_use_id }) => parent_tool_use_id !== undefined);
    expect(kindsOf(inner)).toEqual([
      "subagent_prompt",
      "thinking_text",
      "assistant_text",
      "tool_use",
      "tool_result",
      "tool_use",
      "tool_result",
      "assistant_text",
    ]);
    expect(messages.slice(call + 1, call + 1 + inner.length)).toEqual(inner);
    expect(inner.every(({ parent_tool_use_id }) => parent_tool_use_id === id)).toBe(true);
  },
);

test.each(PAST_FIXTURES.filter((name) => name.endsWith("compact_long")))(
  "the history of a real conversation has the messages of %s before and after a compaction and its boundary",
  async (fixture) => {
    const { messages } = await history({ session_id: past.place(fixture) });
    expect(kindsOf(messages)).toEqual([
      ...Array(3).fill(["history", "assistant_text"]).flat(),
      "compact_boundary",
      "compact_summary",
      "history",
      "command_output",
      "history",
      "assistant_text",
    ]);
    const boundary = messages.find(({ type }) => type === "compact_boundary");
    expect(boundary).toMatchObject({ trigger: "manual", pre_tokens: 2042 });
    expect(messages.filter(({ text }) => text === "/compact")).toHaveLength(1);
  },
);

test("the history of a real conversation has messages that joined a running turn inside that turn, with their ids", async () => {
  const { messages } = await history({ session_id: past.place("2.1.330/queue_during_tool") });
  const emitted = messages.filter(({ kind }) => kind === "history");
  expect(emitted.map(({ text, message_id }) => [text, message_id])).toEqual([
    ["first", "00000000-0000-4000-8000-000000000001"],
    ["second", "00000000-0000-4000-8000-000000000002"],
    ["third", "00000000-0000-4000-8000-000000000003"],
  ]);
  expect(messages.at(-2)).toMatchObject({ text: "After tool." });
  expect(messages.at(-1)).toMatchObject({ type: "message_complete", stop_reason: "end_turn" });
});

test("the history of a real conversation has an API error as an error", async () => {
  const { messages } = await history({ session_id: past.place("2.1.38/api_400") });
  expect(messages[1]).toMatchObject({ type: "assistant_text", synthetic: true, is_error: true });
});

/** The fields that a reducer uses. Long values are cut off in the fixtures. */
const keyOf = ({ type, msg_id, block_index, tool_use_id, tool_name, status, uuid }: Fields) => [
  ...[type, msg_id, block_index, tool_use_id, tool_name, status, uuid],
];

test.each(["2.1.38/tool_parallel", "2.1.197/tool_parallel"])(
  "the history of a real conversation has the same blocks and results of %s as the live session",
  async (fixture) => {
    const live = await playCapture(await readCapture(fixture));
    const whole = new Set(["assistant_text", "tool_use", "tool_result", "tool_use_structured"]);
    const isWhole = ({ type, status }: Fields) =>
      whole.has(String(type)) && (status === undefined || status === "complete");
    const { messages } = await history({ session_id: past.place(fixture) });
    const emitted = messages.filter(isWhole).map(keyOf);
    expect(emitted.length).toBeGreaterThan(8);
    expect(emitted).toEqual(live.filter(isWhole).map(keyOf));
  },
);

test("a transcript with lines for the model only and lines of a subagent gives no messages for them", async () => {
  const lines = [
    said("a", null, "one"),
    said("b", "a", "for the model", { isMeta: true }),
    { ...answered("x", "b", "a subagent's"), isSidechain: true },
    { type: "progress", uuid: "c", parentUuid: "b" },
    answered("d", "c", "two"),
    { type: "last-prompt", lastPrompt: "one" },
  ];
  expect(await textsOf(lines)).toEqual(["one", "two"]);
});

test("a transcript with broken lines gives their count and all other messages", async () => {
  const lines = [
    said("a", null, "one"),
    "no JSON",
    '{"type":"user","uuid":"h',
    "[]",
    { type: "assistant", uuid: "lost", parentUuid: "a", message: 1 },
    { type: "user", message: { content: "has no place" } },
    answered("b", "lost", "two"),
  ];
  expect(await textsOf(lines)).toEqual(["one", "two"]);
  expect((await history()).skipped_lines).toBe(5);
});

test("a transcript that is cut at any byte loses at most its last line", async () => {
  const lines = [said("a", null, "one"), answered("b", "a", "twö"), said("c", "b", "three")];
  const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a);
  for (let size = 1; size <= bytes.length; size += 1) {
    writeFileSync(join(past.folder, `${ID}.jsonl`), bytes.subarray(0, size));
    const complete = ends.filter((end) => end <= size).length + (size === bytes.length ? 1 : 0);
    expect((await history()).messages.length).toBe(complete);
  }
});

const turn = (number: number) => [
  said(`s${number}`, number === 1 ? null : `a${number - 1}`, `say ${number}`),
  answered(`a${number}`, `s${number}`, `answer ${number}`),
];
const lines = [1, 2, 3, 4, 5].flatMap(turn);

/** The messages of all pages, the newest page first. */
async function pagesOf(limit: number): Promise<(readonly Fields[])[]> {
  const pages: (readonly Fields[])[] = [];
  let before: string | undefined;
  do {
    const page = await history({ limit, ...(before !== undefined && { before }) });
    pages.push(page.messages);
    before = page.before;
  } while (before !== undefined);
  return pages;
}

test("a page of a history has the newest turns first, and its older page ends where it begins", async () => {
  past.write(ID, lines);
  expect((await pagesOf(2)).map(inShort)).toEqual([
    ["say 4", "answer 4", "say 5", "answer 5"],
    ["say 2", "answer 2", "say 3", "answer 3"],
    ["say 1", "answer 1"],
  ]);
});

test("a page of a history is not moved by lines that are written between two requests", async () => {
  past.write(ID, lines);
  const { before } = await history({ limit: 2 });
  const more = turn(6).map((line) => `${JSON.stringify(line)}\n`);
  appendFileSync(join(past.folder, `${ID}.jsonl`), more.join(""));
  const page = await history({ limit: 1, ...(before !== undefined && { before }) });
  expect(inShort(page.messages)).toEqual(["say 3", "answer 3"]);
});

test("a page of a history has a part of a turn that is too long, and all its pages together are the turn", async () => {
  const tool = (number: number) => [
    answered(`c${number}`, number === 1 ? "s" : `r${number - 1}`, {
      type: "tool_use",
      id: `t${number}`,
      name: "Bash",
      input: {},
    }),
    {
      ...said(`r${number}`, `c${number}`, ""),
      message: { content: [{ type: "tool_result", tool_use_id: `t${number}`, content: HUGE }] },
    },
  ];
  past.write(ID, [said("s", null, "go"), ...[1, 2, 3].flatMap(tool)]);
  const pages = await pagesOf(1);
  expect(pages).toHaveLength(3);
  const emitted = pages
    .toReversed()
    .flat()
    .map(({ type, tool_use_id, tool_name }) => [type, tool_use_id, tool_name]);
  expect(emitted).toEqual([
    ["user_text", undefined, undefined],
    ...["t1", "t2", "t3"].flatMap((id) => [
      ["tool_use", id, "Bash"],
      ["tool_result", id, "Bash"],
    ]),
  ]);
});

test("a page of a history is rejected when the line `before` is not in the conversation", async () => {
  past.write(ID, lines);
  expect(await failureOf(history({ before: "elsewhere" }))).toMatchObject({ code: "bad_message" });
});

test("subagents that are too long for the answer are left out and named in it", async () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "Task", input: {} });
  const result = (uuid: string, parent: string, id: string) => ({
    ...said(uuid, parent, ""),
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "done" }] },
    toolUseResult: { agentId: `of-${id}` },
  });
  const subagents = join(past.folder, ID, "subagents");
  mkdirSync(subagents, { recursive: true });
  for (const id of ["t1", "t2"])
    writeFileSync(
      join(subagents, `agent-of-${id}.jsonl`),
      JSON.stringify(answered(id, null, HUGE)),
    );
  past.write(ID, [
    said("a", null, "go"),
    answered("b", "a", call("t1")),
    result("c", "b", "t1"),
    answered("d", "c", call("t2")),
    result("e", "d", "t2"),
  ]);
  const { messages, left_out } = await history();
  expect(left_out).toEqual(["t2"]);
  const inner = messages.filter(({ type }) => type === "assistant_text");
  expect(inner.map(({ parent_tool_use_id }) => parent_tool_use_id)).toEqual(["t1"]);
});

const UNKNOWN = { code: "unknown_request", reason: "no_such_session" };

test("an unreadable conversation is rejected when it has no transcript", async () => {
  expect(await failureOf(history())).toMatchObject(UNKNOWN);
});

test("an unreadable conversation is rejected when its transcript is a link", async () => {
  writeFileSync(join(past.project, "secret"), `${JSON.stringify(said("a", null, "secret"))}\n`);
  symlinkSync(join(past.project, "secret"), join(past.folder, `${ID}.jsonl`));
  expect(await failureOf(history())).toMatchObject(UNKNOWN);
});

test("an unreadable conversation has no messages of a subagent whose transcript is behind a link or in another folder", async () => {
  const call = { type: "tool_use", id: "t", name: "Task", input: {} };
  const result = (agentId: string) => ({
    ...said("c", "b", ""),
    message: { content: [{ type: "tool_result", tool_use_id: "t", content: "done" }] },
    toolUseResult: { agentId },
  });
  const elsewhere = join(past.project, "subagents");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "agent-x.jsonl"), JSON.stringify(said("z", null, "secret")));
  mkdirSync(join(past.folder, ID));
  symlinkSync(elsewhere, join(past.folder, ID, "subagents"));
  for (const agentId of ["x", "../../../x", "gone"]) {
    past.write(ID, [said("a", null, "go"), answered("b", "a", call), result(agentId)]);
    expect(inShort((await history()).messages)).toEqual([
      "go",
      "tool_use",
      "done",
      "tool_use_structured",
    ]);
  }
});
