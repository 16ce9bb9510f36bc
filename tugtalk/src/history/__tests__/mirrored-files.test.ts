/** The lines of a conversation's files that the host gets, and when. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  openPastSessions,
  PAST_FIXTURES,
  type PastSessions,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import { MAX_MIRRORED_LINE } from "../appended-lines.ts";
import { conversationFiles } from "../conversation-files.ts";
import { MirroredFiles, type TranscriptMessage } from "../mirrored-files.ts";

const ID = sessionId(1);
const MAIN = `${ID}.jsonl`;
const AGENT = `${ID}/subagents/agent-a1.jsonl`;
const NOTE = `${ID}/subagents/agent-a1.meta.json`;

let past: PastSessions;
let files: MirroredFiles;
beforeEach(() => {
  past = openPastSessions();
  files = new MirroredFiles((id) => conversationFiles(past.folder, past.configDir, id));
  mkdirSync(join(past.folder, ID, "subagents"), { recursive: true });
});
afterEach(() => past.remove());

const pathOf = (name: string) => join(past.folder, name);
const append = (name: string, text: string) => appendFileSync(pathOf(name), text);

/** All messages that the host gets in one round. */
async function round(id = ID): Promise<TranscriptMessage[]> {
  const told: TranscriptMessage[] = [];
  for (let next = await files.next([id]); next !== undefined; next = await files.next([id]))
    told.push(next);
  return told;
}

const lines = (file: string, offset: number, ...texts: readonly string[]) => ({
  type: "transcript_lines",
  session_id: ID,
  file,
  offset,
  lines: texts,
});
const failure = (reason: string) => ({ type: "transcript_failed", file: MAIN, reason });

test("each round sends the lines that were appended since the last, whole and with their offset", async () => {
  append(MAIN, '{"a":"ö"}\n{"b":1}\n{"c"');
  expect(await round()).toMatchObject([lines(MAIN, 0, '{"a":"ö"}', '{"b":1}')]);
  expect(await round()).toEqual([]);
  append(MAIN, ":2}\n");
  expect(await round()).toMatchObject([lines(MAIN, 19, '{"c":2}')]);
});

test("the files of agents come before the conversation, a note as a whole and again when it changes", async () => {
  append(MAIN, "{}\n");
  append(AGENT, '{"x":1}\n');
  writeFileSync(pathOf(NOTE), '{"n":1}');
  expect(await round()).toMatchObject([
    lines(AGENT, 0, '{"x":1}'),
    lines(NOTE, 0, '{"n":1}'),
    lines(MAIN, 0, "{}"),
  ]);
  writeFileSync(pathOf(NOTE), '{\n "n": 2\n}\n');
  expect(await round()).toMatchObject([lines(NOTE, 0, '{"n":2}')]);
  writeFileSync(pathOf(NOTE), '{"n"');
  expect(await round()).toEqual([]);
});

test("lines that are no JSON objects are left out of the copy, whose offsets have no gap", async () => {
  append(MAIN, '{"a":1}\n{"half{"b":1}\n\n7\n');
  appendFileSync(pathOf(MAIN), Buffer.of(0x7b, 0xff, 0x7d, 0x0a));
  append(MAIN, '{"c":1}\n');
  expect(await round()).toMatchObject([lines(MAIN, 0, '{"a":1}', '{"c":1}')]);
  append(MAIN, "broken\n");
  expect(await round()).toEqual([]);
  append(MAIN, '{"d":1}\n');
  expect(await round()).toMatchObject([lines(MAIN, 16, '{"d":1}')]);
});

test("lines come in pieces of up to 1 MiB, and a longer line alone", async () => {
  const short = `{"s":"${"x".repeat(300_000)}"}`;
  const long = `{"l":"${"y".repeat(3_000_000)}"}`;
  append(MAIN, [short, short, short, short, long, short, ""].join("\n"));
  const told = await round();
  expect(told.map((message) => ("lines" in message ? message.lines.length : message))).toEqual([
    3, 1, 1, 1,
  ]);
  const all = told.flatMap((message) => ("lines" in message ? message.lines : []));
  expect(all).toEqual([short, short, short, short, long, short]);
});

test("no line of a file is sent after a line that is too long, and other files go on", async () => {
  append(MAIN, `{}\n{"l":"${"y".repeat(MAX_MIRRORED_LINE)}"}\n{"after":1}\n`);
  expect(await round()).toMatchObject([lines(MAIN, 0, "{}"), failure("line_too_long")]);
  append(MAIN, '{"more":1}\n');
  append(AGENT, "{}\n");
  expect(await round()).toMatchObject([lines(AGENT, 0, "{}")]);
});

const rewritten = `${JSON.stringify({ other: "z".repeat(40) })}\n`;
const CHANGES: readonly (readonly [how: string, change: () => void, left: readonly string[]])[] = [
  ["shortened", () => truncateSync(pathOf(MAIN), 8), ['{"a":1}']],
  ["written anew", () => writeFileSync(pathOf(MAIN), rewritten), [rewritten.trim()]],
  [
    "replaced by another",
    () => {
      writeFileSync(pathOf("draft"), '{"a":1}\n{"b":2}\n');
      renameSync(pathOf("draft"), pathOf(MAIN));
    },
    ['{"a":1}', '{"b":2}'],
  ],
];
test.each(CHANGES)(
  "a file that is %s is told again from its beginning",
  async (_how, change, left) => {
    append(MAIN, '{"a":1}\n{"b":1}\n');
    await round();
    change();
    expect(await round()).toMatchObject([failure("changed"), lines(MAIN, 0, ...left)]);
    expect(await round()).toEqual([]);
  },
);

test("a link is not followed, which is said once, until there is a file", async () => {
  writeFileSync(pathOf("elsewhere"), '{"secret":1}\n');
  symlinkSync(pathOf("elsewhere"), pathOf(MAIN));
  expect(await round()).toMatchObject([failure("unreadable")]);
  expect(await round()).toEqual([]);
  rmSync(pathOf(MAIN));
  append(MAIN, "{}\n");
  expect(await round()).toMatchObject([lines(MAIN, 0, "{}")]);
  rmSync(pathOf(MAIN));
  mkdirSync(pathOf(MAIN));
  expect(await round()).toMatchObject([failure("unreadable")]);
});

test("the target of a link among the files of agents is not sent", async () => {
  append(MAIN, "{}\n");
  append("agent-secret.jsonl", '{"secret":1}\n');
  symlinkSync(pathOf("agent-secret.jsonl"), pathOf(`${ID}/subagents/agent-a2.jsonl`));
  symlinkSync(past.folder, pathOf(`${ID}/subagents/more`));
  expect(await round()).toMatchObject([lines(MAIN, 0, "{}")]);
});

test("files of other conversations, and files of agents with strange names, are not sent", async () => {
  for (const name of [`${sessionId(2)}.jsonl`, `${ID}/subagents/notes.jsonl`, `${ID}/x.jsonl`])
    append(name, "{}\n");
  append(MAIN, "{}\n");
  expect(await round()).toMatchObject([lines(MAIN, 0, "{}")]);
});

test("a conversation that went to the folder of a worktree is found there", async () => {
  const folder = join(past.configDir, "projects", "-elsewhere");
  mkdirSync(folder);
  writeFileSync(join(folder, MAIN), "{}\n");
  expect(await round()).toMatchObject([lines(MAIN, 0, "{}")]);
});

test("a conversation that is not on disk is nothing to tell", async () => {
  expect(await round(sessionId(9))).toEqual([]);
});

test.each(PAST_FIXTURES)("the copies of %s have every byte of its files", async (fixture) => {
  const id = past.place(fixture);
  const told = await round(id);
  const names = (await conversationFiles(past.folder, past.configDir, id)).map(({ name }) => name);
  for (const name of names) {
    const copy = told.flatMap((one) => (one.file === name && "lines" in one ? one.lines : []));
    const text = (await Bun.file(pathOf(name)).text()).trimEnd();
    expect(copy.join("\n")).toBe(text);
  }
  expect(names.length).toBeGreaterThan(0);
});
