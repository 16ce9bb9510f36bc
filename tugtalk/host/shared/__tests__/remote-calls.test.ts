/** How a host executes and answers commands of other hosts. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { UnreachableJournalError } from "../../journal/journal-error.ts";
import { CALL } from "../../journal/postgres/bell-names.ts";
import type { Calls, OpenCall } from "../../journal/postgres/calls.ts";
import { RemoteCalls } from "../remote-calls.ts";
import type { SessionCall } from "../session-call.ts";

const CALLED: OpenCall = { id: "c", session: "s", call: "{}" };
const BELL = `${CALL}${CALLED.session}`;

/** A host that executes waiting commands, and a database whose answers the test gives. */
function openHost() {
  const reads: PromiseWithResolvers<readonly OpenCall[]>[] = [];
  const reports: unknown[] = [];
  const host = { reads, reports, ran: 0, written: 0, isAway: false };
  const calls: ConstructorParameters<typeof RemoteCalls>[0]["calls"] = {
    ask: async () => {},
    takeFor: () => {
      const read = Promise.withResolvers<readonly OpenCall[]>();
      reads.push(read);
      return read.promise;
    },
    answer: async () => {
      if (host.isAway) throw new Error("away");
      host.written += 1;
    },
    replyTo: async () => null,
    withdraw: async () => ({ isTaken: false }),
    forget: async () => {},
  };
  const remote = new RemoteCalls({
    calls,
    ring: () => {},
    hostId: () => "one",
    check: async () => {},
    run: async () => {
      host.ran += 1;
      return { value: null };
    },
    report: (error) => reports.push(error),
  });
  /** Resolves when the rows have been read and handled. */
  const find = async (...found: readonly OpenCall[]) => {
    reads.shift()?.resolve(found);
    await new Promise(setImmediate);
  };
  return { host, remote, find };
}

test("a command that was read before its answer was written, and arrives after that, is not carried out again", async () => {
  const { host, remote, find } = openHost();
  remote.hear(BELL);
  remote.hear(BELL);
  await find(CALLED);
  await find(CALLED);
  remote.hear(BELL);
  await find();
  expect(host).toMatchObject({ ran: 1, written: 1 });
});

test("an answer that could not be written is written at the next look", async () => {
  const { host, remote, find } = openHost();
  host.isAway = true;
  remote.hear(BELL);
  await find(CALLED);
  expect(host.reports).toEqual([new Error("away")]);
  host.isAway = false;
  remote.hear(BELL);
  await find(CALLED);
  expect(host).toMatchObject({ ran: 1, written: 1 });
});

const INTERRUPT: SessionCall = { method: "interrupt", args: [] };
const AWAY = new UnreachableJournalError("away");
const away = () => Promise.reject(AWAY);

/** The client's error if the database answers like this and no holder answers. */
function failureOfCall(calls: Partial<Calls>, waitMs = 60_000): Promise<Error> {
  const silent = { ask: async () => {}, takeFor: async () => [], answer: async () => {} };
  const nothing = { replyTo: async () => null, withdraw: away, forget: async () => {} };
  const remote = new RemoteCalls(
    {
      calls: { ...silent, ...nothing, ...calls },
      ring: () => {},
      hostId: () => "asking",
      check: async () => {},
      run: async () => undefined,
      report: () => {},
    },
    { waitMs, withdrawalMs: 0 },
  );
  return failureOf(remote.send("s", INTERRUPT));
}

const LOST_ANSWERS = [
  ["asked", { ask: away }],
  ["looked for", { replyTo: away }],
] as const;
const OUTCOME_UNKNOWN = { status: 504, code: "outcome_unknown" };

test.each(LOST_ANSWERS)(
  "where a command could not be %s and was withdrawn before a host took it, it has failed for that reason",
  async (_, failing) => {
    const withdraw = async () => ({ isTaken: false });
    expect(await failureOfCall({ ...failing, withdraw })).toBe(AWAY);
  },
);

test.each(LOST_ANSWERS)(
  "where a command could not be %s after a host took it, the client hears that its outcome is unknown",
  async (_, failing) => {
    const withdraw = async () => ({ isTaken: true });
    expect(await failureOfCall({ ...failing, withdraw })).toMatchObject(OUTCOME_UNKNOWN);
  },
);

test.each(LOST_ANSWERS)(
  "where a command could be neither %s nor withdrawn, the client hears that its outcome is unknown",
  async (_, failing) => {
    expect(await failureOfCall(failing)).toMatchObject(OUTCOME_UNKNOWN);
  },
);

test("a command that was answered while it was withdrawn has that answer", async () => {
  const details = {};
  const refusal = { status: 409, code: "not_running", message: "no Claude runs", details };
  const withdraw = async () => ({ isTaken: true, reply: JSON.stringify({ refusal }) });
  expect(await failureOfCall({ replyTo: away, withdraw })).toMatchObject({ code: "not_running" });
});

test("where a command is forgotten, as after a step of the clock, the client hears that its outcome is unknown", async () => {
  const forgotten = { replyTo: async () => undefined, withdraw: async () => ({ isTaken: false }) };
  expect(await failureOfCall(forgotten)).toMatchObject(OUTCOME_UNKNOWN);
});

test("a command that no host takes in time is withdrawn, and said to be not carried out", async () => {
  const withdraw = async () => ({ isTaken: false });
  expect(await failureOfCall({ withdraw }, 0)).toMatchObject({ status: 503, code: "no_answer" });
});
