/** Which session a person goes to next, since it waits for one. Pure. */
import type { BoardState } from "./board-state.ts";
import { columnOf } from "./session-state.ts";

type Waiting = { readonly id: string; readonly since: number };

/** The ids of the sessions that wait for a person, those that wait longest first. */
export function needingSessions({
  sessions,
  pending,
}: Pick<BoardState, "sessions" | "pending">): string[] {
  const asked = new Map<string, number>();
  for (const { sessionId, createdAt } of pending)
    asked.set(sessionId, Math.min(createdAt, asked.get(sessionId) ?? createdAt));
  const waiting: Waiting[] = sessions
    .filter((session) => columnOf(session) === "needs-you")
    .map(({ id, updated_at }) => ({ id, since: asked.get(id) ?? updated_at }));
  return waiting.sort((one, other) => one.since - other.since).map(({ id }) => id);
}

/** The one after `current`, round and round; undefined if no other waits. */
export function nextNeeding(
  board: Pick<BoardState, "sessions" | "pending">,
  current: string | undefined,
): string | undefined {
  const ids = needingSessions(board);
  const at = current === undefined ? -1 : ids.indexOf(current);
  const next = ids[(at + 1) % ids.length];
  return next === current ? undefined : next;
}
