/** The sessions that are kept between processes. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeptSessions } from "../kept-sessions.ts";
import { SessionConversations } from "../session-conversations.ts";

const [ID, NEXT, SOURCE] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

const END = { at: NEXT, bytes: 1_000 };

function open(written: readonly string[] = [], root = mkdtempSync(join(tmpdir(), "kept-"))) {
  const store = new KeptSessions(root);
  const isWritten = async (id: string) => written.includes(id);
  const faults: string[] = [];
  const onFault = (message: string) => void faults.push(message);
  const titles = Promise.withResolvers<string>();
  const asked: string[] = [];
  const titleOf = (conversation: string) => {
    asked.push(conversation);
    return titles.promise;
  };
  const kept = new SessionConversations({ store, id: ID, isWritten, titleOf, onFault });
  return { store, faults, kept, titles, asked };
}

test.each([
  ["the title of a conversation that goes on is told", ID, "Stored"],
  ["that of one which Claude has left meanwhile is not", NEXT, undefined],
])("%s", async (_name, entered, title) => {
  const { kept, titles } = open();
  const read = kept.title();
  kept.enter({ session_id: entered, mode: "clear" });
  titles.resolve("Stored");
  expect(await read).toBe(title);
  await kept.settled();
});

test("the title is read when the earlier changes are written", async () => {
  const { kept, titles, asked } = open();
  titles.resolve("Stored");
  const read = kept.title();
  await Promise.resolve();
  expect(asked).toEqual([]);
  await read;
  expect(asked).toEqual([ID]);
});

test.each([
  ["its transcript is enough", [ID], undefined],
  ["without a transcript the session is kept", [], { conversations: [ID] }],
])("once a session has begun, %s", async (_name, written, left) => {
  const { store, kept } = open(written);
  kept.open();
  await kept.settled();
  expect(await store.read(ID)).toEqual({ conversations: [ID] });
  kept.begin();
  await kept.settled();
  expect(await store.read(ID)).toEqual(left);
});

test.each([
  ["that is there", true],
  ["that is made for it", false],
])("only this user can read the file of a new session in a folder %s", async (_name, isThere) => {
  const root = mkdtempSync(join(tmpdir(), "kept-"));
  const folder = join(root, "acp");
  if (isThere) mkdirSync(folder, { mode: 0o755 });
  const umask = process.umask();
  const { store, kept, faults } = open([], root);
  kept.open();
  await kept.settled();
  expect(readdirSync(folder)).toEqual([`${ID}.json`]);
  expect(statSync(join(folder, `${ID}.json`)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(isThere ? 0o755 : 0o700);
  expect(process.umask()).toBe(umask);
  expect(await store.read(ID)).toEqual({ conversations: [ID] });
  expect(faults).toEqual([]);
});

test("another conversation is kept after the first, and a copy's source until it has begun", async () => {
  const { store, kept, faults } = open([ID, NEXT]);
  kept.open({ id: SOURCE, end: END });
  expect(kept.source).toEqual({ id: SOURCE, end: END });
  expect(kept.enter({ session_id: ID, mode: "new" })).toBe(false);
  expect(kept.enter({ session_id: NEXT, mode: "fork", previous_session_id: SOURCE })).toBe(true);
  await kept.settled();
  const copy = { conversations: [ID, NEXT], forked_from: SOURCE, forked_at: END };
  expect(await store.read(ID)).toEqual(copy);
  expect([...(await store.moved()).keys()]).toEqual([ID]);
  kept.begin();
  await kept.settled();
  expect(await store.read(ID)).toEqual({ conversations: [ID, NEXT] });
  expect(kept.source).toEqual({ id: NEXT });
  expect(faults).toEqual([]);
});

test("a copy whose first turn has written no transcript keeps its source", async () => {
  const { store, kept } = open([SOURCE]);
  kept.open({ id: SOURCE, end: END });
  kept.enter({ session_id: NEXT, mode: "fork", previous_session_id: SOURCE });
  kept.begin();
  await kept.settled();
  expect(kept.source).toEqual({ id: SOURCE, end: END });
  expect(await store.read(ID)).toEqual({
    conversations: [ID, NEXT],
    forked_from: SOURCE,
    forked_at: END,
  });
});

test("a session that was never begun is removed once it is old, or older than 1,000 others; one that leads to another conversation stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  const store = new KeptSessions(folder);
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const keep = async (number: number, days: number, others: readonly string[] = []) => {
    await store.write(idOf(number), { conversations: [idOf(number), ...others] });
    const at = Date.now() / 1000 - days * 86_400;
    utimesSync(join(folder, "acp", `${idOf(number)}.json`), at, at);
  };
  for (let number = 1; number <= 999; number += 1) await keep(number, 1);
  const [newer, many, old, cleared] = [1001, 1002, 1003, 1004];
  await keep(newer, 2);
  await keep(many, 3);
  await keep(old, 31);
  await keep(cleared, 31, [NEXT]);
  await store.prune();
  const left = await Promise.all(
    [1, newer, many, old, cleared].map((one) => store.read(idOf(one))),
  );
  expect(left.map((kept) => kept !== undefined)).toEqual([true, true, false, false, true]);
});
