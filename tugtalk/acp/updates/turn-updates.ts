/** Claude's own turns: their updates are marked, between two updates about their beginning and end. Pure. */
import { closeAll, closeCompaction, closeTurnStep, noticed, noticeStep } from "./late-updates.ts";
import { type Row, type Step, stepTo, type Update, type UpdateState } from "./update-state.ts";

export const turnStarted: Row<"turn_started"> = (state, { turn_id: turnId, trigger }) => {
  if (trigger === "user") return stepTo(state);
  const ownTurns = new Map([...state.ownTurns, [turnId, trigger]]);
  return stepTo({ ...state, ownTurns }, turnState("running", turnId, trigger));
};

export const turnComplete: Row<"turn_complete"> = (state, message) =>
  turnEnd({ ...state, hasFailed: message.is_error }, message.turn_id);

/** Claude exits, or is stopped: its calls in the background end before the answer to the prompt. */
export const turnCancelled: Row<"turn_cancelled"> = (state, { turn_id, reason }) => {
  const isEnding = reason === "exited" || reason === "stalled";
  const closed = isEnding ? closeAll(state) : stepTo(state);
  const ended = turnEnd(closed.state, turn_id);
  return stepTo(ended.state, ...closed.updates, ...ended.updates);
};

function turnEnd(state: UpdateState, turnId: string): Step {
  const compacted = closeCompaction(state);
  const closed = closeTurnStep(compacted.state, turnId);
  const ends = [...compacted.updates, ...closed.updates];
  const next = { ...closed.state, streamed: new Set<string>() };
  const trigger = state.ownTurns.get(turnId);
  if (trigger === undefined) return stepTo(next, ...ends);
  const ownTurns = new Map([...state.ownTurns].filter(([other]) => other !== turnId));
  return stepTo({ ...next, ownTurns }, ...ends, turnState("idle", turnId, trigger));
}

/** Claude has ended, and its calls with it. */
export const processExit: Row<"process_exit"> = (state, message) => {
  const compacted = closeCompaction(state);
  const closed = closeAll(compacted.state);
  const ends = [...state.ownTurns].map(([turnId, trigger]) => turnState("idle", turnId, trigger));
  const hasExited = !message.expected;
  const nothing = { tools: new Map(), streamed: new Set<string>(), ownTurns: new Map(), hasExited };
  // Claude exits with 1 after a result that is an error.
  const isNormal = message.expected || (message.exit_code === 1 && state.hasFailed === true);
  const notices = isNormal ? [] : noticed(state, message).updates;
  const updates = [...compacted.updates, ...closed.updates, ...ends, ...notices];
  return stepTo({ ...closed.state, ...nothing }, ...updates);
};

export const processStarted: Row<"process_started"> = (state) => {
  const notice = { kind: "text", level: "info", text: "Claude was started again" } as const;
  return state.hasExited ? noticeStep({ ...state, hasExited: false }, notice) : stepTo(state);
};

function turnState(state: "running" | "idle", turnId: string, trigger: string): Update {
  return { sessionUpdate: "session_info_update", _meta: { tugtalk: { state, turnId, trigger } } };
}
