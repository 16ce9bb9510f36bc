/** In which column of the board a session is. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";

/** From the most to the least urgent. */
export const COLUMNS = ["needs-you", "working", "idle", "ended"] as const;
export type Column = (typeof COLUMNS)[number];

const COLUMN_OF_STATE: Readonly<Record<SessionInfo["state"], Column>> = {
  requires_action: "needs-you",
  starting: "working",
  running: "working",
  compacting: "working",
  stalled: "working",
  idle: "idle",
  // No Claude can be reached: the next message starts one.
  disconnected: "ended",
  exited: "ended",
  failed: "ended",
};

/** An open prompt waits for a person in every state: a background task may have asked. */
export function columnOf(session: SessionInfo): Column {
  if (session.pending > 0 || isHeld(session)) return "needs-you";
  return COLUMN_OF_STATE[session.state];
}

/** Messages wait, and nothing but a person makes them go. */
function isHeld(session: SessionInfo): boolean {
  const { state, queued } = session;
  return queued > 0 && (state === "exited" || state === "failed" || isSpent(session));
}

/** Whether it has cost its limit, at which no turn starts. */
export function isSpent({
  cost_usd,
  limit_usd,
}: Pick<SessionInfo, "cost_usd" | "limit_usd">): boolean {
  return limit_usd !== undefined && cost_usd >= limit_usd;
}
