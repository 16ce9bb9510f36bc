/**
 * The speed and memory of the reducer: a long journal as a whole, and a delta in a late turn against one in
 * the first. It needs no Bun, so a build of it also runs in Node.
 */
import { initialSession, reduceSession } from "../client/reduce-session.ts";
import type { ReducedSession } from "../client/reduced-session.ts";
import { openStamp } from "../src/ipc.ts";
import type { OutboundMessage } from "../src/types.ts";
import { emitted, fastEnough, median, report, sized } from "./findings.ts";
import { type StreamPlan, streamedTurns } from "./streamed-turns.ts";

/** 62 messages in each turn. */
const TURN: StreamPlan = { turns: 1, deltas: 40, chars: 5, tools: 4, perSecond: 0, text: "prose" };
const MESSAGES_IN_TURN = 62;

const MESSAGES = sized(100_000, 10_000);
const LIMIT_MS = 500;
const RUNS = sized(5, 1);
const LATE_TURN = sized(5_000, 500);
const MAX_RATIO = 1.2;
/**
 * The number of deltas that are timed together, and the number of repetitions for each of the two states, in
 * turn.
 */
const BATCH = 200;
const BATCHES = sized(301, 31);

function applyAll(state: ReducedSession, messages: readonly OutboundMessage[]): ReducedSession {
  return messages.reduce<ReducedSession>(reduceSession, state);
}

/** One count for all journals, so that a state takes each message for a new one. */
const stamp = openStamp();

function messagesOf(plan: StreamPlan): OutboundMessage[] {
  return [...streamedTurns(plan, crypto.randomUUID())].map((draft) =>
    JSON.parse(stamp.line(draft)),
  );
}

function timeOf(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

/** A state with this number of finished turns and a streaming one, and deltas for it. */
function openTurnAfter(turns: number) {
  const before = messagesOf({ ...TURN, turns });
  const open = messagesOf({ ...TURN, deltas: BATCH + 1 });
  const start = open.findIndex(({ type }) => type === "assistant_text") + 1;
  const state = applyAll(initialSession, [...before, ...open.slice(0, start)]);
  return { state, deltas: open.slice(start, start + BATCH) };
}

/** The median time of a batch of deltas in the first turn and in a late one, in ms. */
function deltaTimes(): { readonly first: number; readonly late: number; readonly size: number } {
  const [one, other] = [openTurnAfter(0), openTurnAfter(LATE_TURN)];
  const first: number[] = [];
  const late: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    first.push(timeOf(() => applyAll(one.state, one.deltas)));
    late.push(timeOf(() => applyAll(other.state, other.deltas)));
  }
  return { first: median(first), late: median(late), size: JSON.stringify(other.state).length };
}

const messages = messagesOf({ ...TURN, turns: Math.ceil(MESSAGES / MESSAGES_IN_TURN) });
const runs = Array.from({ length: RUNS }, () => timeOf(() => applyAll(initialSession, messages)));
const { first, late, size } = deltaTimes();
const heapMb = process.memoryUsage().heapUsed / 2 ** 20;
report("reducer", [
  // The fastest run, since other work of the machine disturbs it least.
  fastEnough(`${MESSAGES} messages, fastest of ${RUNS} runs`, Math.min(...runs), LIMIT_MS, "ms"),
  emitted("the median of them, ms", median(runs).toFixed(0)),
  emitted("a delta in the first turn, µs", ((first / BATCH) * 1000).toFixed(2)),
  emitted(`a delta in turn ${LATE_TURN}, µs`, ((late / BATCH) * 1000).toFixed(2)),
  fastEnough("the second against the first", late / first, MAX_RATIO, "times"),
  emitted(`the state after ${LATE_TURN} turns as JSON, MB`, (size / 1e6).toFixed(1)),
  emitted("heap with two journals and two states, MiB", heapMb.toFixed(0)),
]);
