/** Past conversations as entries: like the live session of the same conversation, as far as a transcript goes. */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readHistory } from "../../src/history/session-history.ts";
import { readCapture } from "../../testing/captures/capture-files.ts";
import { playCapture } from "../../testing/captures/capture-run.ts";
import { checkDraft } from "../../testing/drivers/emitted-lines.ts";
import { openPastSessions, PAST_FIXTURES } from "../../testing/drivers/past-sessions.ts";
import { prependEntries } from "../entry-pages.ts";
import { entriesOfHistory } from "../history-entries.ts";
import { initialSession } from "../reduce-session.ts";
import { entriesOf, reduced, stored } from "../reducer/__tests__/reduced.ts";
import type { TranscriptEntry, TranscriptItem } from "../transcript-models.ts";

const ID = "11111111-2222-4333-8444-000000000001";

const past = openPastSessions();
afterEach(() => past.empty());
afterAll(() => past.remove());

/** The entries of a conversation, from pages of `limit` turns. */
async function entriesFrom(fixture: string, limit: number): Promise<readonly TranscriptEntry[]> {
  const session_id = past.place(fixture);
  let [state, before] = [initialSession, undefined as string | undefined];
  do {
    const request = { session_id, limit, ...(before !== undefined && { before }) };
    const result = checkDraft(await readHistory(past.folder, request));
    state = prependEntries(state, entriesOfHistory({ ...result, session_id }));
    before = result.before;
  } while (before !== undefined);
  return entriesOf(state);
}

/** The items without receipts of messages and notices, which transcripts lack. */
function comparable(entries: readonly TranscriptEntry[]): readonly TranscriptItem[] {
  return entries
    .flatMap(({ items }) => items)
    .filter(({ kind }) => kind !== "notice")
    .map((item) => {
      if (item.kind === "tool" && item.result !== undefined)
        return { ...item, result: { ...item.result, output: withoutReminder(item.result.output) } };
      if (item.kind !== "user") return item;
      const { status: _status, key: _key, messageId: _id, ...rest } = item;
      return { ...rest, key: "" };
    });
}

/** Transcripts of 2.1.38 have no stop reasons. */
function withoutReason(item: TranscriptItem): TranscriptItem {
  if (!("stopReason" in item)) return item;
  const { stopReason: _reason, ...rest } = item;
  return rest;
}

/** The fixtures of transcripts have cut the long reminders that the CLI appends to results. */
function withoutReminder(output: string): string {
  return output.split("<system-remi")[0] ?? "";
}

describe("the items of a past conversation are those of its live session", () => {
  test.each(["2.1.38/tool_parallel", "2.1.197/tool_parallel"])("%s", async (fixture) => {
    const live = reduced(await playCapture(await readCapture(fixture)));
    const entries = await entriesFrom(fixture, 20);
    const isOld = fixture.startsWith("2.1.38/");
    const items = comparable(entriesOf(live)).map((item) => (isOld ? withoutReason(item) : item));
    expect(comparable(entries)).toEqual(items);
    expect(comparable(entries).length).toBeGreaterThan(3);
  });
});

describe("pages of one turn each give the entries of one large page", () => {
  test.each(PAST_FIXTURES)("%s", async (fixture) => {
    const single = await entriesFrom(fixture, 1);
    const whole = await entriesFrom(fixture, 500);
    expect(single.map(({ items, agents }) => ({ items, agents }))).toEqual(
      whole.map(({ items, agents }) => ({ items, agents })),
    );
  });
});

describe("a past conversation has plain, settled entries with keys of their own", () => {
  test.each(PAST_FIXTURES)("%s", async (fixture) => {
    const entries = await entriesFrom(fixture, 500);
    expect(stored({ ...initialSession, entries }).entries).toStrictEqual([...entries]);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
    expect(JSON.stringify(entries)).not.toMatch(/"status":"(streaming|running|waiting)"/);
    expect(JSON.stringify(entries)).not.toMatch(/"kind":"unknown"/);
  });
});

test("the messages of a subagent are under its call", async () => {
  const entries = await entriesFrom("2.1.330/sub_tools", 20);
  const [turn] = entries.filter(({ agents }) => Object.keys(agents).length > 0);
  const [agent = "", items = []] = Object.entries(turn?.agents ?? {})[0] ?? [];
  expect(turn?.items.map(({ key }) => key)).toContain(agent);
  expect(items.length).toBeGreaterThan(3);
});

test("the beginning of a page before a message of the host is a turn of its own", () => {
  const text = { type: "assistant_text", msg_id: "m", block_index: 0, is_partial: false };
  const answer = { ...text, status: "complete", text: "The rest." };
  const asked = { type: "user_text", kind: "history", text: "Next?", message_id: "x" };
  const page = entriesOfHistory({ session_id: ID, messages: [answer, asked], before: "cursor" });
  expect(page).toMatchObject({
    before: "cursor",
    entries: [
      { trigger: "unknown", items: [{ text: "The rest." }] },
      { trigger: "user", messageIds: ["x"], items: [{ text: "Next?", source: "host" }] },
    ],
  });
});
