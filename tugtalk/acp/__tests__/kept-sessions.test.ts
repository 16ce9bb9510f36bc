/** What is kept of sessions between processes. */
import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeptSession, KeptSessions } from "../kept-sessions.ts";

const [ID, NEXT, SOURCE] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

function open(written: readonly string[] = []) {
  const store = new KeptSessions(mkdtempSync(join(tmpdir(), "kept-")));
  const isWritten = async (id: string) => written.includes(id);
  const faults: string[] = [];
  const onFault = (message: string) => void faults.push(message);
  const titles = Promise.withResolvers<string>();
  const titleOf = () => titles.promise;
  const kept = new KeptSession({ store, id: ID, isWritten, titleOf, onFault });
  return { store, faults, kept, titles };
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

test("another conversation is kept after the first, and a copy's source until it has begun", async () => {
  const { store, kept, faults } = open([ID, NEXT]);
  kept.open(SOURCE);
  expect(kept.source).toBe(SOURCE);
  expect(kept.enter({ session_id: ID, mode: "new" })).toBe(false);
  expect(kept.enter({ session_id: NEXT, mode: "fork", previous_session_id: SOURCE })).toBe(true);
  await kept.settled();
  const copy = { conversations: [ID, NEXT], forked_from: SOURCE };
  expect(await store.read(ID)).toEqual(copy);
  expect([...(await store.moved()).keys()]).toEqual([ID]);
  kept.begin();
  await kept.settled();
  expect(await store.read(ID)).toEqual({ conversations: [ID, NEXT] });
  expect(kept.source).toBe(NEXT);
  expect(faults).toEqual([]);
});
