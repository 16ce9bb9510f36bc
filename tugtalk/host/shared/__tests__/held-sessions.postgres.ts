/** The sessions of lost hosts that a living host takes, on a real server. */
import { afterAll, expect, test } from "bun:test";
import { ownProcesses } from "../../../src/base/processes.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../testing/drivers/postgres-server.ts";
import type { Frame } from "../../api/frame.ts";
import { LOCAL, SIMULATOR } from "../../bridges/places.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { SessionRow } from "../../journal/journal.ts";
import {
  DamagedSessionError,
  LostSessionError,
  UnreachableJournalError,
} from "../../journal/journal-error.ts";
import { connectHost, isTaken } from "../../journal/postgres/connection.ts";
import { PostgresJournal } from "../../journal/postgres/postgres-journal.ts";
import { RELEASE } from "../../journal/postgres/postgres-statements.ts";
import { Sessions } from "../../sessions/sessions.ts";
import { claimConversation } from "../conversations.ts";
import { GoneHosts } from "../gone-hosts.ts";
import { HeldSessions, LOST } from "../held-sessions.ts";
import { SessionDirectory } from "../session-directory.ts";
import { SessionRows } from "../session-rows.ts";

const server = await PostgresServer.start();
const { pool, leasePool } = await connectHost(await server.newDatabase());
afterAll(async () => {
  await Promise.all([pool.close(), leasePool.close()]);
  await server.stop();
});

/** Waits until the bridges of the lost host must have ended, if none takes longer than usual. */
async function goneFor(seconds: number): Promise<void> {
  await pool.sql`INSERT INTO hosts (id, machine, pid, version, places, lease_until, gone_at)
    VALUES ('gone', 'there', 1, '0', '[]', now(), now() - ${seconds} * interval '1 second')
    ON CONFLICT (id) DO UPDATE SET gone_at = excluded.gone_at`;
}

/** `host` lives, and a lost one has left a session open. */
async function openHeld(host: string, fields: Partial<SessionRow> = {}) {
  const gone = new PostgresJournal(pool, { hostId: () => "gone" });
  const row = { ...sessionRow(`left to ${host}`), ...fields };
  await gone.create(row);
  await pool.sql`INSERT INTO hosts VALUES (${host}, 'here', ${process.pid}, '0', '[]', now() + interval '1 hour', now() + interval '1 hour')`;
  const journal: PostgresJournal = new PostgresJournal(pool, {
    hostId: () => host,
    onLost: (id, isUnsure) => held.lose(id, isUnsure),
  });
  const startBridge = () => Promise.reject(new Error("no Claude is needed"));
  const sessions = new Sessions({ journal, startBridge }, []);
  const rows = new SessionRows(journal, () => {});
  await rows.refresh();
  const held: HeldSessions = new HeldSessions({
    journal,
    sessions,
    rows,
    gone: new GoneHosts(journal, { leaseMs: 0, bridgeEndMs: 0 }),
    host: () => ({ id: host, machine: "here", pid: process.pid, places: ["box"] }),
    onChange: () => {},
  });
  return { id: row.id, journal, sessions, held };
}

type Held = Pick<Awaited<ReturnType<typeof openHeld>>, "journal" | "sessions" | "held">;

/** The directory of that host, after it has read the rows. */
async function openDirectory(
  { journal, sessions, held }: Held,
  tell: (event: Frame) => void = () => {},
): Promise<SessionDirectory> {
  const ports = { journal, own: sessions, held, tell, onDeleted: () => {} };
  const directory = new SessionDirectory(ports);
  await directory.rows.refresh();
  return directory;
}

test("a session whose open ends could not be closed is not held, and taken again at the next look", async () => {
  const { id, sessions, held } = await openHeld("one");
  const adopt = sessions.adopt.bind(sessions);
  sessions.adopt = () => Promise.reject(new UnreachableJournalError("it is away"));
  await held.takeOver();
  expect(held.get(id)).toBeUndefined();
  sessions.adopt = adopt;
  await held.takeOver();
  expect(held.get(id)?.info().state).toBe("exited");
});

test("a session whose Claude may take longer to end is taken that much later", async () => {
  const options = { shutdown_grace_ms: 4_000 };
  const { id, held } = await openHeld("patient", { options });
  await goneFor(3);
  await held.takeOver();
  expect(held.get(id)).toBeUndefined();
  await goneFor(4);
  await held.takeOver();
  expect(held.get(id)?.info().state).toBe("exited");
});

for (const [place, isTaken] of [
  [LOCAL, true],
  [SIMULATOR, true],
  ["box", false],
] as const)
  test(`a session of the place ${place} ${isTaken ? "is taken at once" : "is left"} where the host on this machine that had it has ended`, async () => {
    const { id, held } = await openHeld(`beside ${place}`, { place });
    await goneFor(-60);
    const { pid } = Bun.spawnSync(["true"]);
    await pool.sql`UPDATE hosts SET machine = 'here', pid = ${pid}, processes = ${ownProcesses() ?? null} WHERE id = 'gone'`;
    await held.takeOver();
    expect(held.get(id) !== undefined).toBe(isTaken);
    await pool.sql`DELETE FROM hosts WHERE id = 'gone'`;
  });

test("a session that a host was given without hearing of it is taken by it again", async () => {
  const { id, journal, held } = await openHeld("other");
  const unheard = new PostgresJournal(pool, { hostId: () => "other" });
  await unheard.take(id);
  expect(journal.holds(id)).toBe(false);
  await held.takeOver();
  expect(held.get(id)?.info().state).toBe("exited");
});

test("the bridge of a connection that was lost is waited for also by the host that takes its session", async () => {
  const bridge = { pid: 1, at: Date.now(), lingerMs: 60_000 };
  const summary = { ...sessionRow("lost").summary, state: "disconnected" } as const;
  const { id, held } = await openHeld("careful", { place: SIMULATOR, bridge, summary });
  await held.take(id);
  expect(held.get(id)?.row.bridge).toEqual(bridge);
});

test("a session whose row is damaged is taken all the same, cannot be used, and is deleted", async () => {
  const { id, journal, held } = await openHeld("healthy");
  await pool.sql`UPDATE sessions SET row = '{"id": "' WHERE id = ${id}`;
  expect(await failureOf(held.takeAnywhere(id))).toBeInstanceOf(DamagedSessionError);
  expect(() => held.get(id)).toThrow(DamagedSessionError);
  expect(held.whole(id)).toBeUndefined();
  expect(await held.delete(id)).toBe(true);
  expect(journal.holds(id)).toBe(false);
  expect(await pool.sql`SELECT id FROM sessions WHERE id = ${id}`).toHaveLength(0);
});

test("a session that was deleted is forgotten by its host, also where that was not answered", async () => {
  const { id, journal, sessions, held } = await openHeld("unanswered");
  await held.takeOver();
  const told: string[] = [];
  const tell = ({ type }: Frame) => void told.push(type);
  const directory = await openDirectory({ journal, sessions, held }, tell);
  expect(directory.list().map((info) => info.id)).toContain(id);
  await sessions.get(id).settled();
  await pool.sql`DELETE FROM sessions WHERE id = ${id}`;
  await directory.rows.refresh();
  expect(directory.list().map((info) => info.id)).not.toContain(id);
  expect(told).toContain("session_deleted");
});

test("the hosts that hold many new sessions are looked for by few statements", async () => {
  const { journal, sessions, held } = await openHeld("newcomer");
  const gone = new PostgresJournal(pool, { hostId: () => "gone" });
  for (let number = 0; number < 50; number += 1) await gone.create(sessionRow(`held ${number}`));
  const query = journal.query.bind(journal);
  let looks = 0;
  journal.query = (statement, values) => {
    if (statement.includes("FROM hosts")) looks += 1;
    return query(statement, values);
  };
  const directory = await openDirectory({ journal, sessions, held });
  await directory.lookForHosts();
  expect(looks).toBeLessThan(5);
});

test("a session whose release was not written is lost all the same, and taken again", async () => {
  const { id, journal, sessions, held } = await openHeld("releasing", { mirror: {} });
  await held.takeOver();
  const before = sessions.get(id);
  const query = journal.query.bind(journal);
  const away = new UnreachableJournalError("it is away");
  journal.query = (statement, values) =>
    statement === RELEASE ? Promise.reject(away) : query(statement, values);
  const failed = await failureOf(held.handOver(id, false));
  expect(failed).toBe(away);
  // The messages of its bridge are dropped, and end nothing.
  expect(await failureOf(before.rename("late"))).toBe(LOST);
  journal.query = query;
  await held.takeOver();
  expect(held.get(id)?.info().state).toBe("exited");
});

const AWAY = new UnreachableJournalError("it is away");

/** The database writes this number of new sessions, and its answers are lost. */
function loseCreations(journal: PostgresJournal, count: number): void {
  const query = journal.query.bind(journal);
  let lost = 0;
  journal.query = async (statement, values) => {
    const rows = await query<never>(statement, values);
    if (!statement.includes("INSERT INTO sessions") || lost === count) return rows;
    lost += 1;
    throw AWAY;
  };
}

test("a session is created also where the connection breaks off under it", async () => {
  const { journal } = await openHeld("cut");
  loseCreations(journal, 1);
  const row = sessionRow("created");
  await journal.create(row);
  expect(journal.holds(row.id)).toBe(true);
  expect(await journal.load(row.id)).toMatchObject({ row });
});

test("a session of whose creation nothing was heard is refused for that reason, and nothing is left of it", async () => {
  const { journal, sessions, held } = await openHeld("unheard");
  loseCreations(journal, 2);
  const deleted: unknown[] = [];
  sessions.listen(({ type, session }) => type === "session_deleted" && deleted.push(session));
  expect(await failureOf(sessions.create({ dir: "/work", place: SIMULATOR }))).toBe(AWAY);
  expect(sessions.list()).toEqual([]);
  const [id] = deleted;
  expect(journal.isUnwanted(String(id))).toBe(true);
  await held.takeOver();
  expect(await pool.sql`SELECT id FROM sessions WHERE id = ${id}`).toHaveLength(0);
});

test("a session of whose creation nothing was heard is left for the next request with the same id", async () => {
  const { journal, sessions, held } = await openHeld("repeating");
  loseCreations(journal, 2);
  const wanted = { dir: "/work", place: SIMULATOR, request_id: "repeated" };
  expect(await failureOf(sessions.create(wanted))).toBe(AWAY);
  const written = await journal.sessionOfRequest("repeated");
  await held.takeOver();
  expect((await sessions.create(wanted)).id).toBe(written?.id ?? "");
});

test("a request whose session another host has is refused with that session", async () => {
  const { journal, sessions } = await openHeld("repeating there");
  await journal.create({ ...sessionRow("theirs"), requestId: "asked there" });
  const wanted = { dir: "/work", place: SIMULATOR, request_id: "asked there" };
  const details = { session: "theirs" };
  expect(await failureOf(sessions.create(wanted))).toMatchObject({ code: "in_use", details });
});

test("a session that was deleted behind its host is lost at its next commit", async () => {
  const { id, journal, held } = await openHeld("behind");
  await held.takeOver();
  await pool.sql`DELETE FROM sessions WHERE id = ${id}`;
  expect(await failureOf(journal.commit(id, { entries: [] }))).toBeInstanceOf(LostSessionError);
  expect(journal.holds(id)).toBe(false);
});

test("a session that is deleted leaves no claim of its conversation behind", async () => {
  const journal = new PostgresJournal(pool, { hostId: () => "one" });
  const [gone, kept] = ["gone", "kept"] as const;
  for (const id of [gone, kept]) await claimConversation(journal, `that of ${id}`, id);
  await journal.create(sessionRow(gone));
  await journal.delete(gone);
  expect([...(await pool.sql`SELECT session FROM conversations`)]).toEqual([{ session: kept }]);
});

test("a conversation is free as soon as the session that had it is gone, also where its host has not announced that", async () => {
  const summary = { ...sessionRow("writer").summary, state: "idle" } as const;
  const { id, journal, sessions, held } = await openHeld("asked", {
    claudeSessionId: "c",
    place: "elsewhere",
    summary,
  });
  const directory = await openDirectory({ journal, sessions, held });
  expect(await failureOf(directory.checkFree("c"))).toMatchObject({ code: "in_use" });
  await pool.sql`DELETE FROM sessions WHERE id = ${id}`;
  await directory.checkFree("c");
});

test("a second session of one request is refused as taken", async () => {
  const { journal } = await openHeld("twice");
  await journal.create({ ...sessionRow("one of it"), requestId: "twice" });
  const refused = journal.create({ ...sessionRow("another of it"), requestId: "twice" });
  expect(isTaken(await failureOf(refused))).toBe(true);
});
