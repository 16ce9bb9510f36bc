/** A session that this host loses while an entry is on its way to the journal. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { ApiError } from "../../api/api-error.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { Sessions } from "../sessions.ts";
import { prompt, turnStarted } from "./support/bridge-words.ts";
import { FakeBridge, FIRST_PID } from "./support/fake-bridge.ts";
import { STARTED, settled } from "./support/session-harness.ts";

const LOST = new ApiError(503, "host_changed", "another host has the session now");
const UNKNOWN = new ApiError(504, "outcome_unknown", "it may have been carried out");

async function openSession() {
  const journal = openJournal(":memory:");
  const bridge = new FakeBridge(FIRST_PID, STARTED);
  const sessions = new Sessions({ journal, startBridge: async () => bridge.bridge }, []);
  const session = await sessions.create({ dir: "/work", place: "local" });
  await settled();
  return { journal, bridge, sessions, session };
}

test("when the session is lost, the outcome of a command whose commit is not answered is unknown, and one that waits for that is refused", async () => {
  const { journal, sessions, session } = await openSession();
  journal.commit = () => new Promise(() => {});
  const renamed = failureOf(session.rename("One"));
  await settled();
  const renamedAgain = failureOf(session.rename("Two"));
  sessions.lose(session.id, LOST, UNKNOWN);
  expect(await renamed).toBe(UNKNOWN);
  expect(await renamedAgain).toBe(LOST);
});

test("a command that still reads the journal when its session is lost writes nothing", async () => {
  const { journal, sessions, session } = await openSession();
  const read = Promise.withResolvers<undefined>();
  journal.reply = () => read.promise;
  const sent = failureOf(session.message({ message: "Hi", clientMessageId: "once" }));
  await settled();
  const before = await journal.load(session.id);
  sessions.lose(session.id, LOST, UNKNOWN);
  // The same host may hold the session again.
  read.resolve(undefined);
  expect(await sent).toBe(LOST);
  await settled();
  expect(await journal.load(session.id)).toEqual(before);
  expect(sessions.list()).toEqual([]);
});

test("a session that is taken by a host which ends, and lost before it is closed there, fails nothing else", async () => {
  const { journal, sessions, session } = await openSession();
  const taken = await journal.load(session.id);
  if (taken === undefined) throw new Error("the session is there");
  sessions.lose(session.id, LOST);
  journal.close = () => {};
  await sessions.close();
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  process.on("unhandledRejection", hear);
  const adopted = failureOf(sessions.adopt(taken.row));
  sessions.lose(session.id, LOST);
  expect(await adopted).toBe(LOST);
  await settled();
  process.off("unhandledRejection", hear);
  expect(unheard).toEqual([]);
});

test("a prompt is known before its commit is answered, since another host may have read it", async () => {
  const { journal, bridge, session } = await openSession();
  const commit = journal.commit.bind(journal);
  const answered = Promise.withResolvers<void>();
  journal.commit = async (...args) => {
    const written = await commit(...args);
    await answered.promise;
    return written;
  };
  bridge.say(turnStarted(), prompt("r1", "t1"));
  await settled();
  const found = [session.prompt("r1"), session.promptOfCall("toolu_r1")];
  await settled();
  answered.resolve();
  expect((await Promise.all(found)).map((one) => one?.requestId)).toEqual(["r1", "r1"]);
});
