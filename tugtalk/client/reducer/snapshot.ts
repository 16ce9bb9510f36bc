/** A host's `snapshot`, which replaces the state. */
import { type Fields, isFields } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";

/** The state in a `snapshot`; undefined for any other message. It is trusted; that of an older host lacks `returned`. */
export function snapshotState({ type, state }: Fields): ReducedSession | undefined {
  const isSnapshot = type === "snapshot" && isReducedSession(state);
  return isSnapshot ? { ...state, returned: state.returned ?? [] } : undefined;
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
