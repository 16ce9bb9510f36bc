/** A host's `snapshot`, which replaces the state. */
import { type Fields, isFields } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";

/** The state in a `snapshot`; undefined for any other message. The host's state is trusted. */
export function snapshotState({ type, state }: Fields): ReducedSession | undefined {
  return type === "snapshot" && isReducedSession(state) ? state : undefined;
}

function isReducedSession(value: unknown): value is ReducedSession {
  return (
    isFields(value) &&
    isFields(value["applied"]) &&
    LISTS.every((name) => Array.isArray(value[name]))
  );
}

const LISTS = [
  "entries",
  "openEntries",
  "prompts",
  "closedPrompts",
  "queue",
  "mcpServers",
  "backgroundTasks",
  "pastSessions",
];
