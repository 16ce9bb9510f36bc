/** When a silent host is taken for gone, on a clock of the test. */
import { expect, test } from "bun:test";
import { fakeClock } from "../../../testing/drivers/fake-claude.ts";
import { endWhenSilent } from "../host-silence.ts";

const SILENT_MS = 60_000;

/** Pipes that the test fills and empties. */
function openPipes() {
  const clock = fakeClock();
  const [ended, flushed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waiting: Uint8Array[] = [];
  let isCancelled = false;
  let isReferenced = true;
  const input = {
    read: async () => {
      const value = waiting.shift();
      if (value === undefined) await ended.promise;
      return { done: value === undefined, value };
    },
    cancel: async () => {
      isCancelled = true;
      ended.resolve();
    },
  };
  const output = {
    write: () => {},
    flush: () => flushed.promise,
    unref: () => {
      isReferenced = false;
    },
  };
  const pipes = endWhenSilent({ input, output }, SILENT_MS, clock);
  return {
    ...pipes,
    clock,
    say: (text: string) => void waiting.push(Buffer.from(text)),
    readByHost: () => flushed.resolve(),
    isCancelled: () => isCancelled,
    isReferenced: () => isReferenced,
  };
}

test("a host from which nothing ever comes is gone when its time is over, and not before", async () => {
  const { clock, input, isCancelled } = openPipes();
  const read = input.read();
  clock.advance(SILENT_MS - 1);
  expect(isCancelled()).toBe(false);
  clock.advance(1);
  expect(isCancelled()).toBe(true);
  expect((await read).done).toBe(true);
});

test("a blank line starts the time of a host anew", async () => {
  const { clock, input, isCancelled, say } = openPipes();
  for (let at = 0; at < 5; at += 1) {
    say("\n");
    await input.read();
    clock.advance(SILENT_MS - 1);
  }
  expect(isCancelled()).toBe(false);
  clock.advance(1);
  expect(isCancelled()).toBe(true);
});

test("the time while the machine sleeps counts", async () => {
  const { clock, isCancelled } = openPipes();
  clock.advance(1000);
  // Timers of a machine that wakes up run late, and the clock has gone on.
  clock.advance(SILENT_MS);
  expect(isCancelled()).toBe(true);
});

test("messages that a silent host still reads are written", async () => {
  const { clock, output, readByHost, isReferenced } = openPipes();
  clock.advance(SILENT_MS);
  const flush = output.flush();
  readByHost();
  await flush;
  clock.advance(SILENT_MS);
  expect(isReferenced()).toBe(true);
});

const STUCK: readonly (readonly [when: string, isBefore: boolean])[] = [
  ["was pending when the host became silent", true],
  ["began after the host became silent", false],
];
test.each(STUCK)("a write that %s and that nobody reads is given up", async (_when, isBefore) => {
  const { clock, output, isReferenced } = openPipes();
  const early = isBefore ? output.flush() : undefined;
  clock.advance(SILENT_MS);
  clock.advance(4000);
  const flush = early ?? output.flush();
  clock.advance(isBefore ? 1000 : 5000);
  const failure = await flush.catch((error: unknown) => error);
  expect(String(failure)).toContain("the host is gone");
  expect(isReferenced()).toBe(false);
});

test("a write may take as long as it likes while the host is not silent", async () => {
  const { clock, input, output, say, readByHost } = openPipes();
  const flush = output.flush();
  for (let at = 0; at < 5; at += 1) {
    say("\n");
    await input.read();
    clock.advance(SILENT_MS - 1);
  }
  readByHost();
  await flush;
});
