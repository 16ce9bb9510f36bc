/**
 * Helpers for tests that kill a real `claude`: a home for each test, a conversation that is on disk, the
 * kill, and how the conversation goes on.
 */
import { beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { claudeCommand } from "../../simulator/cli-cache.ts";
import type { Received } from "../drivers/bridge-process.ts";
import { leftAfter } from "../drivers/processes.ts";
import { conversationSent, FIRST_TURN, untilWritten } from "./real-history.ts";
import {
  ofType,
  openRealPlace,
  type RealPlace,
  type RealSession,
  startedProcesses,
  startRealSession,
} from "./real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "./real-shared-session.ts";

/** A test here starts a few CLIs, which is slow where the machine is busy. */
const FAULT_TIMEOUT_MS = 2 * REAL_TIMEOUT_MS;

/** Runs a test in a home of its own. */
export async function atPlace(
  version: string,
  body: (place: RealPlace) => Promise<void>,
): Promise<void> {
  const place = await openRealPlace(version);
  try {
    await body(place);
  } finally {
    await place.close();
  }
}

/** Declares the tests of a group, with the CLI fetched before the first one. */
export function describeReal(name: string, version: string, declare: () => void): void {
  setDefaultTimeout(FAULT_TIMEOUT_MS);
  describe(`${name}, claude ${version}`, () => {
    beforeAll(() => claudeCommand(version), INSTALL_TIMEOUT_MS);
    declare();
  });
}

/** Starts a session, has its first turn, and waits until it is on disk. */
export async function begin(place: RealPlace, init = {}): Promise<RealSession> {
  const session = startRealSession(place, init);
  await session.next("session_init");
  session.say(FIRST_TURN.text, ...FIRST_TURN.script);
  expect((await session.turn()).end).toMatchObject({ result: "success", text: "I will." });
  await untilWritten(session, "I will.");
  return session;
}

/** Kills the current Claude; returns the messages up to its exit. */
export async function killClaude({ bridge, next }: RealSession): Promise<Received[]> {
  const before = bridge.received.length;
  const pid = startedProcesses(bridge).at(-1);
  if (pid === undefined) throw new Error("no Claude was started");
  process.kill(pid, "SIGKILL");
  const exit = await next("process_exit");
  expect(exit).toMatchObject({ pid, exit_code: null, signal: "SIGKILL", expected: false });
  // An orphan in its group ends with the signal, which takes a moment.
  expect(await leftAfter([-pid], 2_000)).toEqual([]);
  return bridge.received.slice(before, bridge.received.indexOf(exit) + 1);
}

/** The next message starts Claude again with the same conversation, which holds these entries. */
export async function expectGoesOn(
  session: RealSession,
  emitted: readonly string[],
): Promise<void> {
  const session_id = ofType(session.bridge.received, "session_init").at(-1)?.["session_id"];
  session.say("which bird?", "A heron.");
  const { args } = await session.next("process_started");
  expect(args).toContain(`--resume=${session_id}`);
  expect(await session.next("session_init")).toMatchObject({ session_id, mode: "resume" });
  expect((await session.turn()).end).toMatchObject({ result: "success", text: "A heron." });
  expect(conversationSent(session.place.api)).toEqual([...emitted, "user: which bird?"]);
}
