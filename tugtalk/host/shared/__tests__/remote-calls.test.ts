/** How commands of other hosts are carried out, and answered. */
import { expect, test } from "bun:test";
import type { OpenCall } from "../../journal/postgres/calls.ts";
import { CALL } from "../bell-names.ts";
import { RemoteCalls } from "../remote-calls.ts";

const CALLED: OpenCall = { id: "c", session: "s", call: "{}" };
const BELL = `${CALL}${CALLED.session}`;

/** A host that carries out what waits, and a database whose answers the test gives. */
function openHost() {
  const reads: PromiseWithResolvers<readonly OpenCall[]>[] = [];
  const reports: unknown[] = [];
  const host = { reads, reports, ran: 0, written: 0, isAway: false };
  const calls: ConstructorParameters<typeof RemoteCalls>[0]["calls"] = {
    ask: async () => {},
    openFor: () => {
      const read = Promise.withResolvers<readonly OpenCall[]>();
      reads.push(read);
      return read.promise;
    },
    answer: async () => {
      if (host.isAway) throw new Error("away");
      host.written += 1;
    },
    replyTo: async () => undefined,
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
  /** Resolves when the rows have been found, and what follows from them has happened. */
  const find = async (...found: readonly OpenCall[]) => {
    reads.shift()?.resolve(found);
    await new Promise(setImmediate);
  };
  return { host, remote, find };
}

test("a command that was found before its answer was written, and is told of after that, is not carried out again", async () => {
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
