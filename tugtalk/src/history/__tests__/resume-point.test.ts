/** Resume points in past conversations, by the messages that name them (§7). */
import { afterAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDraft } from "../../../testing/drivers/emitted-lines.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import {
  answered,
  openPastSessions,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import { canGoBack, findResumePoint, hasBranched, lastResumePoint } from "../resume-point.ts";
import { readHistory } from "../session-history.ts";

const past = openPastSessions();
afterAll(() => past.remove());

const ID = sessionId(1);
const path = (id = ID) => join(past.folder, `${id}.jsonl`);

const result = { type: "tool_result", tool_use_id: "t", content: "done" };

/** Two turns; Claude wrote a note before the second message. */
const CONVERSATION = [
  { type: "mode", mode: "normal", sessionId: ID },
  said("m1", null, "first"),
  answered("a1", "m1", { type: "tool_use", id: "t", name: "Bash", input: {} }),
  {
    type: "user",
    uuid: "r1",
    parentUuid: "a1",
    message: { role: "user", content: [result] },
  },
  answered("a2", "r1", "done"),
  { type: "system", subtype: "api_error", uuid: "s1", parentUuid: "a2" },
  { type: "attachment", uuid: "n1", parentUuid: "s1", attachment: { type: "note" } },
  said("m2", "n1", "second"),
  { ...answered("side", "m2", "of a subagent"), isSidechain: true },
  { ...said("meta", "m2", "a note"), isMeta: true },
  answered("a3", "m2", "and done"),
];

const resumePointOf = async (message: string) => {
  past.write(ID, CONVERSATION);
  return findResumePoint(past.folder, ID, message);
};

test.each([
  ["a user message is before it, and before the notes", "m2", "a2"],
  ["an answer is after it", "a2", "a2"],
  ["a tool result is after it", "r1", "r1"],
  ["a tool call is after it", "a1", "a1"],
])("the resume point of %s", async (_name, message, at) => {
  expect(await resumePointOf(message)).toEqual({ at, bytes: statSync(path()).size });
});

test("the resume point of the first message is the start of the conversation", async () => {
  expect(await resumePointOf("m1")).toMatchObject({ at: undefined });
});

test.each(["nowhere", "n1", "s1", "side", "meta"])(
  "the line %s has no resume point",
  async (message) => {
    expect(await failureOf(resumePointOf(message))).toMatchObject({ code: "resume_failed" });
  },
);

test("the resume point of a message after an unanswered one is that unanswered message", async () => {
  past.write(ID, [said("m1", null, "first"), said("m2", "m1", "second")]);
  expect(await findResumePoint(past.folder, ID, "m2")).toMatchObject({ at: "m1" });
});

test("the resume point of a message that joined a running turn is before it", async () => {
  const id = past.place("2.1.330/queue_during_tool");
  const toolResult = "15792475-73c8-4a40-a1dc-63bd15cbc33b";
  const { messages } = checkDraft(await readHistory(past.folder, { session_id: id }));
  const steered = messages
    .filter(({ type, text }) => type === "user_text" && text !== "first")
    .map(({ message_id }) => String(message_id));
  expect(steered).toHaveLength(2);
  for (const message of steered)
    expect(await findResumePoint(past.folder, id, message)).toMatchObject({ at: toolResult });
});

test("messages that were merged into one line have its resume point (2.1.330)", async () => {
  const mergedSendUuids = ["m2", "m3"];
  past.write(ID, [
    said("m1", null, "first"),
    answered("a1", "m1", "First."),
    said("m4", "a1", "second\nthird\nfourth", { mergedSendUuids }),
  ]);
  for (const message of ["m2", "m3", "m4"])
    expect(await findResumePoint(past.folder, ID, message)).toMatchObject({ at: "a1" });
});

test("a cycle in a transcript ends the search for a resume point", async () => {
  past.write(ID, [
    { type: "system", uuid: "s1", parentUuid: "s2" },
    { type: "system", uuid: "s2", parentUuid: "s1" },
    said("m1", "s1", "first"),
  ]);
  expect(await findResumePoint(past.folder, ID, "m1")).toMatchObject({ at: undefined });
});

test.each([
  ["the first message, where the conversation has it", ["m1", "m2"], undefined],
  ["the next message, where it does not have the first", ["nowhere", "m2", "m1"], "a2"],
])("the resume point of several messages is that of %s", async (_name, messages, at) => {
  past.write(ID, CONVERSATION);
  expect(await findResumePoint(past.folder, ID, ...messages)).toMatchObject({ at });
});

test("a conversation without a transcript is rejected with its reason", async () => {
  expect(await failureOf(findResumePoint(past.folder, sessionId(9), "m1"))).toMatchObject({
    code: "resume_failed",
    reason: "no_such_session",
  });
});

test("a transcript that is a link is not read", async () => {
  const elsewhere = join(past.project, "elsewhere");
  writeFileSync(elsewhere, JSON.stringify(said("m1", null, "secret")));
  symlinkSync(elsewhere, path(sessionId(2)));
  expect(await failureOf(findResumePoint(past.folder, sessionId(2), "m1"))).toMatchObject({
    reason: "no_such_session",
  });
});

const branched = async (...lines: readonly object[]) => {
  const place = await resumePointOf("m2");
  appendFileSync(path(), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return hasBranched(past.folder, ID, place);
};

test("hasBranched is true once Claude has answered", async () => {
  expect(await branched(said("m3", "a2", "again"), answered("a4", "m3", "yes"))).toBe(true);
});

test("hasBranched is false after a message without an answer, and after notes", async () => {
  const note = { type: "system", uuid: "s2", parentUuid: "m3" };
  expect(await branched(said("m3", "a2", "again"), note)).toBe(false);
});

test("hasBranched is false after half a line", async () => {
  const place = await resumePointOf("m2");
  appendFileSync(path(), JSON.stringify(answered("a4", "m3", "yes")).slice(0, 40));
  expect(await hasBranched(past.folder, ID, place)).toBe(false);
});

test("the last resume point is the last answer, and Claude can go back to it unless the conversation was compacted", async () => {
  past.write(ID, CONVERSATION);
  const point = await lastResumePoint(past.folder, ID);
  expect(point).toEqual({ at: "a3", bytes: statSync(path()).size });
  expect(await canGoBack(past.folder, ID, point)).toBe(false);
  appendFileSync(path(), `${JSON.stringify(answered("a5", "a3", "more"))}\n`);
  expect(await canGoBack(past.folder, ID, point)).toBe(true);
  const boundary = { type: "system", subtype: "compact_boundary", uuid: "c1", parentUuid: null };
  appendFileSync(path(), `${JSON.stringify(boundary)}\n`);
  expect(await canGoBack(past.folder, ID, point)).toBe(false);
});

test.each(["2.1.38/tool_parallel", "2.1.197/tool_parallel", "2.1.330/sub_tools"])(
  "the first prompt and the last answer of %s have resume points",
  async (fixture) => {
    const id = past.place(fixture);
    const lines = readFileSync(path(id), "utf8")
      .split("\n")
      .flatMap((line) => {
        try {
          return [JSON.parse(line)];
        } catch {
          return [];
        }
      });
    const first = lines.find(({ type, isMeta }) => type === "user" && isMeta !== true);
    const last = lines.findLast(({ type, isSidechain }) => type === "assistant" && !isSidechain);
    const find = (uuid: string) => findResumePoint(past.folder, id, uuid);
    expect(await find(first.uuid)).toMatchObject({ at: undefined });
    expect(await find(last.uuid)).toMatchObject({ at: last.uuid });
  },
);
