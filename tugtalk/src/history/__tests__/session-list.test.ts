/** The list of past conversations: its order, pages, titles and cost. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { checkDraft } from "../../../testing/drivers/emitted-lines.ts";
import {
  answered,
  MANY_NOTES,
  NOTES_ONLY,
  openPastSessions,
  PAST_FIXTURES,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import { SessionListResult } from "../../messages/history-messages.ts";
import { listAllSessions, listSessions } from "../session-list.ts";

const past = openPastSessions();
afterEach(() => past.empty());
afterAll(() => past.remove());

const list = async (request: { limit?: number; before?: string } = {}) =>
  checkDraft(await listSessions(past.folder, request));

test("a folder without transcripts has no conversations", async () => {
  expect(await list()).toEqual({ type: "session_list_result", sessions: [] });
});

test("the most recently modified conversation is listed first", async () => {
  past.write(sessionId(1), [said("a", null, "old")], 100);
  past.write(sessionId(2), [said("a", null, "newest")], 300);
  past.write(sessionId(3), [said("a", null, "newer")], 200);
  const { sessions } = await list();
  expect(sessions.map(({ title }) => title)).toEqual(["newest", "newer", "old"]);
  expect(sessions[0]).toMatchObject({
    session_id: sessionId(2),
    updated_at: "1970-01-01T00:05:00.000Z",
  });
});

test("all pages together are the whole list, even when files have the same modification time", async () => {
  for (let number = 1; number <= 7; number += 1)
    past.write(sessionId(number), [said("a", null, "x")], 100 + Math.floor(number / 3));
  const whole = await list();
  expect(whole.next).toBeUndefined();
  const found: string[] = [];
  let before: string | undefined;
  do {
    const page = await list({ limit: 2, ...(before !== undefined && { before }) });
    found.push(...page.sessions.map(({ session_id }) => session_id));
    before = page.next;
  } while (before !== undefined);
  expect(found).toEqual(whole.sessions.map(({ session_id }) => session_id));
  expect(found.length).toBe(7);
});

test.each(NOTES_ONLY)("a transcript with %s is not listed", async (_name, lines) => {
  past.write(sessionId(1), lines);
  expect((await list()).sessions).toEqual([]);
});

test("a conversation is listed when its only prompt is in the middle of a long transcript", async () => {
  past.write(sessionId(1), [...MANY_NOTES, said("a", null, "deep down"), ...MANY_NOTES]);
  expect((await list()).sessions.map(({ session_id }) => session_id)).toEqual([sessionId(1)]);
});

test("each page but the last is full when files without a conversation are between them", async () => {
  for (let number = 1; number <= 23; number += 1) {
    const isTalk = number % 5 === 0;
    past.write(sessionId(number), isTalk ? [said("a", null, "x")] : [], 100 - number);
  }
  const first = await list({ limit: 2 });
  const second = await list({ limit: 2, before: first.next ?? "" });
  const found = [first, second].map((page) => page.sessions.map(({ session_id }) => session_id));
  expect(found).toEqual([
    [sessionId(5), sessionId(10)],
    [sessionId(15), sessionId(20)],
  ]);
  expect(second.next).toBeUndefined();
});

const LONG = "wörter ".repeat(100);
const custom = (customTitle: string) => ({ type: "custom-title", customTitle });
const generated = (aiTitle: string) => ({ type: "ai-title", aiTitle });
const TITLES: readonly (readonly [
  name: string,
  lines: readonly object[],
  title: string | undefined,
])[] = [
  [
    "the last prompt",
    [said("a", null, "first"), { type: "last-prompt", lastPrompt: "last" }],
    "last",
  ],
  [
    "the name that the user gave last, before a generated title and the last prompt",
    [
      custom("first name"),
      said("a", null, "first"),
      custom("second name"),
      generated("made up"),
      { type: "last-prompt", lastPrompt: "last" },
    ],
    "second name",
  ],
  [
    "the generated title, before the last prompt",
    [
      said("a", null, "first"),
      generated("old"),
      generated("made up"),
      { type: "last-prompt", lastPrompt: "last" },
    ],
    "made up",
  ],
  [
    "the generated title when the user removed the name",
    [custom("first name"), generated("made up"), custom(""), said("a", null, "first")],
    "made up",
  ],
  ["a summary", [{ type: "summary", summary: "about it" }, said("a", null, "first")], "about it"],
  ["the first prompt", [said("a", null, "first\n  words"), said("b", "a", "later")], "first words"],
  [
    "the first prompt of the user, not a caveat",
    [said("a", null, "caveat", { isMeta: true }), said("b", "a", "me")],
    "me",
  ],
  [
    "a command as it was typed",
    [said("a", null, "<command-name>/x</command-name>\n<command-args>y</command-args>")],
    "/x y",
  ],
  [
    "the last prompt without the resources at its end",
    [
      said("a", null, "first"),
      { type: "last-prompt", lastPrompt: 'look at [b](x:b) <resource uri="x:b"> secret' },
    ],
    "look at [b](x:b)",
  ],
  [
    "the first prompt without the resources at its end",
    [said("a", null, 'look at it\n<context ref="x:b">\nsecret\n</context>')],
    "look at it",
  ],
  ["a long text, truncated", [said("a", null, LONG)], `${LONG.slice(0, 199)}…`],
  ["absent when there is no prompt", [answered("a", null, "hello")], undefined],
];

test.each(TITLES)("the title is %s", async (_name, lines, title) => {
  past.write(sessionId(1), lines as Readonly<Record<string, unknown>>[]);
  expect((await list()).sessions.map((one) => one.title)).toEqual([title]);
});

test("the title of a large transcript is read from its two ends", async () => {
  const filling = Array.from({ length: 50 }, (_, at) => answered(`${at}`, null, "x".repeat(4000)));
  past.write(sessionId(1), [said("a", null, "begin"), ...filling]);
  past.write(sessionId(2), [
    said("a", null, "begin"),
    ...filling,
    { type: "last-prompt", lastPrompt: "end" },
  ]);
  const { sessions } = await list();
  expect(sessions.map(({ title }) => title).sort()).toEqual(["begin", "end"]);
});

const ON_A_DAY = expect.stringMatching(/^2026-\d\d-\d\dT/);

test("an entry says when and where the conversation began, and has its first prompt", async () => {
  const at = (timestamp: string, cwd: string) => ({ timestamp, cwd });
  past.write(sessionId(1), [
    { type: "file-history-snapshot", snapshot: { timestamp: "2020-01-01T00:00:00.000Z" } },
    said("a", null, "first\n  words", at("2026-11-01T10:00:00Z", "/work/begun")),
    said("b", "a", "later", at("2026-11-02T10:00:00Z", "/work/moved")),
    custom("a name"),
  ]);
  past.write(sessionId(2), [answered("a", null, "hello")]);
  const { sessions } = await list();
  expect(sessions.find(({ session_id }) => session_id === sessionId(1))).toMatchObject({
    title: "a name",
    first_prompt: "first words",
    created_at: "2026-11-01T10:00:00.000Z",
    cwd: "/work/begun",
  });
  const bare = sessions.find(({ session_id }) => session_id === sessionId(2)) ?? {};
  expect(Object.keys(bare).sort()).toEqual(["bytes", "session_id", "updated_at"]);
});

test("all folders are listed together, and pages of them are the whole list", async () => {
  past.write(sessionId(1), [said("a", null, "here", { cwd: past.project })], 100);
  past.write(sessionId(2), [said("a", null, "here too")], 300);
  const projects = dirname(past.folder);
  const line = JSON.stringify(said("a", null, "elsewhere", { cwd: "/work/other" }));
  mkdirSync(join(projects, "-work-other"));
  const elsewhere = join(projects, "-work-other", `${sessionId(3)}.jsonl`);
  writeFileSync(elsewhere, `${line}\n`);
  utimesSync(elsewhere, 200, 200);
  symlinkSync(join(projects, "-work-other"), join(projects, "-work-link"));
  writeFileSync(join(projects, `${sessionId(4)}.jsonl`), `${line}\n`);
  const whole = checkDraft(await listAllSessions(past.configDir, {}));
  expect(whole.sessions.map(({ session_id, cwd }) => [session_id, cwd])).toEqual([
    [sessionId(2), undefined],
    [sessionId(3), "/work/other"],
    [sessionId(1), past.project],
  ]);
  const first = await listAllSessions(past.configDir, { limit: 2 });
  const second = await listAllSessions(past.configDir, { limit: 2, before: first.next ?? "" });
  expect([...first.sessions, ...second.sessions]).toEqual(whole.sessions);
  expect(second.next).toBeUndefined();
  expect((await listAllSessions(join(past.configDir, "none"), {})).sessions).toEqual([]);
});

test.each(PAST_FIXTURES)("the real conversation %s has a title", async (fixture) => {
  const session_id = past.place(fixture);
  const result = await list();
  const stamped = { ...result, ipc_version: 2, seq: 1 };
  expect(SessionListResult.parse(stamped)).toEqual(stamped as z.infer<typeof SessionListResult>);
  expect(result.sessions).toHaveLength(1);
  expect(result.sessions[0]).toMatchObject({ session_id, claude_version: fixture.split("/")[0] });
  expect(result.sessions[0]?.title).toBeString();
  expect(result.sessions[0]?.first_prompt).toBeString();
  // The trimmed transcripts of 2.1.38 have no times.
  const created_at = fixture.startsWith("2.1.38/") ? undefined : ON_A_DAY;
  expect(result.sessions[0]?.created_at).toEqual(created_at);
});

const COUNT = 10_000;
const many = openPastSessions();
afterAll(() => many.remove());

test("a list of ten thousand conversations does not block the event loop", async () => {
  const lines = [said("a", null, "hello"), answered("b", "a", "hi")];
  for (let number = 0; number < COUNT; number += 1)
    many.write(sessionId(number), lines, 1_000_000 + number);
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 1);
  const start = performance.now();
  const page = await listSessions(many.folder, {});
  const ms = performance.now() - start;
  clearInterval(timer);
  console.log(`listed ${COUNT} sessions in ${ms.toFixed(0)} ms, ${ticks} timer ticks meanwhile`);
  expect(checkDraft(page).sessions).toHaveLength(50);
  expect(page.sessions[0]?.session_id).toBe(sessionId(COUNT - 1));
  expect(page.next).toBeString();
  expect(ticks).toBeGreaterThan(0);
}, 60_000);
