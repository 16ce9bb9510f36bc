/** A host that is killed while it moves sessions: the database decides where they are. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { TestHost, TestHostSession } from "../../../testing/drivers/host-process.ts";
import { mirroredSession } from "../../../testing/drivers/mirrored-session.ts";
import { isRunning } from "../../../testing/drivers/processes.ts";
import { movedFolder } from "../../../testing/drivers/recorded-claudes.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const sql = new SQL(hosts.url, { max: 2 });
afterAll(async () => {
  await sql.close();
  await hosts.end();
});

/** A commit at which the host is killed, by the texts in the session's row. */
type Stage = {
  readonly name: string;
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
  readonly isWritten: boolean;
  /** Whether the session is at the new place after it. */
  readonly isThere?: boolean;
};

const ASKED = { has: ['"move":', '"claudePid":'] };
const ARRIVED = { has: [".moved-", '"claudePid":'], lacks: ['"move":'] };
const STARTED = { has: ['"move":', '"bridge":', '"starting"'], lacks: ['"claudePid":'] };

const STAGES: readonly Stage[] = [
  { name: "before it is written that it moves", ...ASKED, isWritten: false },
  { name: "before Claude is ended", ...ASKED, isWritten: true },
  { name: "after its end", has: ['"move":'], lacks: ['"bridge":'], isWritten: true },
  { name: "when a bridge runs there", ...STARTED, isWritten: true },
  { name: "before the new place is written", ...ARRIVED, isWritten: false },
  { name: "after the new place is written", ...ARRIVED, isWritten: true, isThere: true },
];

const LOCKS = 7;

/** Makes commits of the stages wait for a lock of the test. */
async function holdCommits(): Promise<void> {
  await sql.unsafe(`
    CREATE TABLE public.stages (session text PRIMARY KEY, has text[] NOT NULL, lacks text[] NOT NULL);
    CREATE FUNCTION public.hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock_shared(${LOCKS}, NEW.number::int) FROM public.stages
        WHERE session = NEW.id AND NEW.row LIKE ALL (has) AND NOT NEW.row LIKE ANY (lacks);
      RETURN NEW;
    END $$;
    CREATE TRIGGER hold AFTER UPDATE ON tugtalk.sessions FOR EACH ROW
      WHEN (OLD.commits < NEW.commits) EXECUTE FUNCTION public.hold()`);
}

type Moved = Pick<Stage, "name" | "isWritten"> & {
  readonly session: TestHostSession;
  readonly dir: string;
  readonly number: number;
};

const within = (text: string) => `%${text}%`;

/** A new session whose commit of the stage waits. */
async function heldAt(stage: Stage, host: TestHost, holder: SQL): Promise<Moved> {
  const { has, lacks = [], name, isWritten } = stage;
  const { session } = await mirroredSession(host);
  await holder`INSERT INTO public.stages VALUES (${session.id},
    ${sql.array(has.map(within), "TEXT")}, ${sql.array(lacks.map(within), "TEXT")})`;
  const [{ number }] = await holder`SELECT number::int AS number,
    pg_advisory_lock(${LOCKS}, number::int) FROM tugtalk.sessions WHERE id = ${session.id}`;
  const dir = movedFolder(session.dir, number);
  mkdirSync(dir);
  return { name, isWritten, session, dir, number };
}

/** Resolves when all sessions are at their stage. */
async function untilHeld(count: number): Promise<void> {
  for (;;) {
    const [row] = await sql`SELECT count(DISTINCT objid)::int AS held FROM pg_locks
      WHERE locktype = 'advisory' AND classid = ${LOCKS} AND NOT granted`;
    if (row.held === count) return;
    await Bun.sleep(20);
  }
}

/** Releases the lock. Commits that did not write are lost with their connection. */
async function letGo(holder: SQL, moved: readonly Moved[]): Promise<void> {
  const lost = moved.filter(({ isWritten }) => !isWritten).map(({ number }) => number);
  await holder`SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${LOCKS} AND NOT granted
    AND objid::int = ANY(${sql.array(lost, "INT")})`;
  await holder`SELECT pg_advisory_unlock_all()`;
}

/** The session at another host after one more turn. */
async function outcomeAt(other: TestHost, { name, session, dir }: Moved) {
  const there = at(other, session);
  const { data } = await there.finishTurn("go on");
  const { claudes } = session;
  const running = claudes.filter(({ pid }) => isRunning(pid)).length;
  const isThere = (await there.run("session")).body["dir"] === dir;
  const again = isThere ? 200 : (await there.run("move", moveTo(dir))).status;
  return {
    name,
    isThere,
    result: data["result"],
    running,
    beside: claudes.flatMap(({ beside }) => beside),
    again,
  };
}

/**
 * Forced, since the stand-in writes no turns to its transcript, which the host reports after some seconds.
 */
const moveTo = (dir: string) => ({ place: "local", dir, trust: true, force: true });

test("a session whose host is killed while it is moved is where the last commit has it, goes on there, and can be moved again", async () => {
  const dying = await hosts.start();
  // Hosts of one machine have one disk.
  const other = await hosts.start({ env: { CLAUDE_CONFIG_DIR: join(dying.home, ".claude") } });
  await holdCommits();
  const holder = await sql.reserve();
  const moved = await Promise.all(STAGES.map((stage) => heldAt(stage, dying, holder)));
  const moving = moved.map(({ session, dir }) => session.run("move", moveTo(dir)).catch(() => {}));
  await untilHeld(moved.length);
  await dying.kill();
  await Promise.all(moving);
  await letGo(holder, moved);
  holder.release();
  const outcomes = await Promise.all(moved.map((one) => outcomeAt(other, one)));
  const expected = STAGES.map(({ name, isThere = false }) => {
    return { name, isThere, result: "success", running: 1, beside: [], again: 200 };
  });
  expect(outcomes).toEqual(expected);
});
