/** The sessions that wait for a person. Pure. */
import type { AllSessions } from "../../client/stores/all-sessions.ts";
import { columnOf } from "./session-state.ts";

type Waiting = { readonly id: string; readonly since: number };

/** The ids of the sessions that wait for a person, the longest wait first. */
export function needingSessions({
  sessions,
  pending,
}: Pick<AllSessions, "sessions" | "pending">): string[] {
  const asked = new Map<string, number>();
  for (const { sessionId, createdAt } of pending)
    asked.set(sessionId, Math.min(createdAt, asked.get(sessionId) ?? createdAt));
  const waiting: Waiting[] = sessions
    .filter((session) => columnOf(session) === "needs-you")
    .map(({ id, updated_at }) => ({ id, since: asked.get(id) ?? updated_at }));
  return waiting.sort((one, other) => one.since - other.since).map(({ id }) => id);
}
