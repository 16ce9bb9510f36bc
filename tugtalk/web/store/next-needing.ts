/** Which session a person goes to next, since it waits for one. Pure. */
import type { AllSessions } from "../../client/stores/all-sessions.ts";
import { needingSessions } from "./needing-sessions.ts";

/** The one after `current`, round and round; undefined if no other waits. */
export function nextNeeding(
  board: Pick<AllSessions, "sessions" | "pending">,
  current: string | undefined,
): string | undefined {
  const ids = needingSessions(board);
  const at = current === undefined ? -1 : ids.indexOf(current);
  const next = ids[(at + 1) % ids.length];
  return next === current ? undefined : next;
}
