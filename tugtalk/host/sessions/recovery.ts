/**
 * The missing entries of a journal whose bridge has ended without a report, or whose host was killed: the
 * ends of all open parts but the prompts. Pure.
 */
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { SessionRow } from "../journal/journal.ts";
import type { NewEntry } from "./session-state.ts";
import { startedIn } from "./unread-messages.ts";

/** Whether a killed host has left work of a session open, or messages that are not held. */
export function isLeftOpen({ summary, inFlight, bridge, move, rewind }: SessionRow): boolean {
  const { state, pending, queued, isQueueHeld } = summary;
  if (move !== undefined || rewind !== undefined) return true;
  if (pending > 0 || inFlight !== undefined || (queued > 0 && isQueueHeld !== true)) return true;
  if (state === "disconnected") return false;
  return bridge !== undefined || (state !== "exited" && state !== "failed");
}

/** The host's knowledge of an unreported end. */
export type UntoldEnd = {
  /** Messages in the host's queue. The bridge does not have them. */
  readonly queued: readonly string[];
  /** The message that the bridge had. */
  readonly inFlight: string | undefined;
  /** The Claude process whose end was not reported. */
  readonly claudePid: number | undefined;
};

const ENDED: ReadonlySet<string> = new Set(["exited", "failed", "disconnected"]);

/** The messages that the bridge would have sent, in its order. */
export function missingEnds(state: ReducedSession, end: UntoldEnd): readonly NewEntry[] {
  return [
    ...cancelledTurns(state),
    ...unfinishedMessages(state, end).map((message_id) => ({
      type: "message_status",
      data: { message_id, status: "failed" },
    })),
    ...(ENDED.has(state.status) ? [] : exitOf(end.claudePid)),
    ...(ENDED.has(state.status) ? [] : [{ type: "session_state", data: { state: "exited" } }]),
  ];
}

function cancelledTurns({ openEntries }: ReducedSession): readonly NewEntry[] {
  return openEntries.flatMap((entry) => {
    if (entry.kind !== "turn" || entry.status !== "running") return [];
    const { turnId: turn_id, messageIds: message_ids, trigger } = entry;
    const data = { turn_id, partial_result: "", reason: "exited", message_ids, trigger };
    return [{ type: "turn_cancelled", data }];
  });
}

/** Ids of messages that the bridge got and that have no last receipt. */
function unfinishedMessages(state: ReducedSession, { queued, inFlight }: UntoldEnd) {
  const unstarted = state.queue.map(({ messageId }) => messageId);
  const started = startedIn(state).map(({ messageId }) => messageId);
  const given = new Set([...started, ...unstarted, ...(inFlight === undefined ? [] : [inFlight])]);
  return [...given].filter((id) => !queued.includes(id));
}

function exitOf(pid: number | undefined): readonly NewEntry[] {
  if (pid === undefined) return [];
  const how = { exit_code: null, signal: null, expected: true, stderr_tail: "" };
  return [{ type: "process_exit", data: { pid, ...how, will_restart: true } }];
}
