/**
 * On a machine that was suspended, deadlines pass late or not at all. Here the times of a recording are
 * shifted by hand: in a replay, deadlines pass where they passed in the recording.
 */
import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { END_OF_PIPE, type RecordingEntry } from "../../src/recording/recording.ts";
import type { TestBridge } from "../../testing/drivers/bridge-process.ts";
import { HELD, initialize, startConversation } from "../../testing/drivers/bridge-states.ts";
import { parseRecording, type Recorded } from "../recording-text.ts";
import { expectAsItWas, newRecording, play } from "./support/replayed.ts";

let bridge: TestBridge | undefined;
afterEach(() => bridge?.kill());

const LIMIT_MS = 2_000;

const SUSPENDED_MS = 60_000;

/** Records a session in which Claude prints nothing more, until the host ends it or the deadline passes. */
async function recordHeld(limitMs: number, until: "partial" | "stalled"): Promise<Recorded> {
  const path = newRecording();
  const held = startConversation(HELD, { args: [`--record=${path}`] });
  bridge = held;
  await initialize(held, { options: { stream_timeout_ms: limitMs, interrupt_timeout_ms: 100 } });
  held.send({ type: "user_message", text: "go" });
  await held.next(({ status, state }) => status === until || state === until);
  held.closeInput();
  await held.exited;
  return parseRecording(readFileSync(path, "utf8"));
}

/** The machine was suspended just before this entry. */
function suspendedAt(recorded: Recorded, isNext: (entry: RecordingEntry) => boolean): Recorded {
  const next = recorded.entries.findIndex(isNext);
  expect(next).toBeGreaterThan(0);
  const entries = recorded.entries.map((entry, index) => {
    return index < next ? entry : { ...entry, t: entry.t + SUSPENDED_MS };
  });
  return { ...recorded, entries };
}

test("a deadline that did not pass during a suspension does not pass in the replay", async () => {
  const recorded = await recordHeld(LIMIT_MS, "partial");
  expectAsItWas(await play(recorded));
  const late = suspendedAt(recorded, ({ dir, msg }) => dir === "host" && msg === END_OF_PIPE);
  expectAsItWas(await play(late));
});

test("a deadline that passed late, after other input, passes at the same point of the replay", async () => {
  const recorded = await recordHeld(150, "stalled");
  const at = recorded.entries.findIndex(({ dir }) => dir === "timer");
  const early = recorded.entries[at];
  const said: RecordingEntry = {
    dir: "host_drained",
    t: (early?.t ?? 0) + SUSPENDED_MS,
    msg: 0,
  };
  const entries = recorded.entries.toSpliced(at, 0, said);
  expectAsItWas(await play(suspendedAt({ ...recorded, entries }, ({ dir }) => dir === "timer")));
});

test("a deadline without an entry in the recording does not pass", async () => {
  const recorded = await recordHeld(150, "stalled");
  const entries = recorded.entries.filter(({ dir }) => dir !== "timer");
  const { differences } = await play({ ...recorded, entries });
  expect(differences).toContainEqual({ was: expect.objectContaining({ state: "stalled" }) });
});
