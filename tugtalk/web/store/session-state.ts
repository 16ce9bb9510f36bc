/** The state of a session as the page shows it: column of the board, text and dot. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";

/** From the most to the least urgent. */
export const COLUMNS = ["needs-you", "working", "idle", "asleep"] as const;
export type Column = (typeof COLUMNS)[number];

type StateRow = { readonly column: Column; readonly text: string; readonly dot?: string };

const STATES: Readonly<Record<SessionInfo["state"], StateRow>> = {
  requires_action: { column: "needs-you", text: "Waits for you", dot: "dot-waiting" },
  starting: { column: "working", text: "Starting", dot: "dot-working" },
  running: { column: "working", text: "Working", dot: "dot-working" },
  compacting: { column: "working", text: "Compacting the conversation", dot: "dot-working" },
  stalled: { column: "working", text: "Waiting for the model", dot: "dot-working" },
  idle: { column: "idle", text: "Idle" },
  // No Claude can be reached: the next message starts one.
  disconnected: { column: "asleep", text: "Connection lost", dot: "dot-failed" },
  exited: { column: "asleep", text: "Asleep" },
  failed: { column: "asleep", text: "Could not be started", dot: "dot-failed" },
};

type State = Pick<SessionInfo, "state" | "pending" | "archived_at" | "unreachable">;

/** An open prompt waits for a person in every state: a background task may have asked. */
export function shownState({ state, pending }: State): SessionInfo["state"] {
  return pending > 0 ? "requires_action" : state;
}

export function stateText(session: State): string {
  if (isArchived(session)) return "Archived";
  return session.unreachable === true ? "Out of reach" : STATES[shownState(session)].text;
}

/** A class of `dot`; none for a state in which nothing goes on. */
export function stateDot(session: State): string {
  return STATES[shownState(session)].dot ?? "";
}

/** Whether no Claude runs, as far as is known. */
export function isAsleep({ state }: Pick<SessionInfo, "state">): boolean {
  return STATES[state].column === "asleep";
}

export function isArchived({ archived_at }: Pick<SessionInfo, "archived_at">): boolean {
  return archived_at !== undefined;
}

/** An archived session is in none of them, and waits for nobody. */
export function columnOf(session: SessionInfo): Column | "archived" {
  if (isArchived(session)) return "archived";
  return isHeld(session) ? "needs-you" : STATES[shownState(session)].column;
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
