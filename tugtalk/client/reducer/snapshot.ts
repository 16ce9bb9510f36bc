/** A host's `snapshot`, which replaces the state, as a whole or in parts. */
import { type Fields, isFields } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import { addSnapshotPart, SNAPSHOT_PART } from "../snapshot-parts.ts";

/** The state after a `snapshot` or a part of one; undefined for any other message. The host's state is trusted. */
export function snapshotState(before: ReducedSession, message: Fields): ReducedSession | undefined {
  const { type, state } = message;
  if (type === "snapshot") return reducedSession(state);
  return type === SNAPSHOT_PART ? withPart(before, message) : undefined;
}

function withPart(before: ReducedSession, message: Fields): ReducedSession {
  const { snapshotParts, ...state } = before;
  const { parts, snapshot } = addSnapshotPart(snapshotParts ?? [], message);
  const whole = reducedSession(snapshot?.["state"]);
  if (whole !== undefined) return whole;
  if (parts.length > 0) return { ...state, snapshotParts: parts };
  return snapshotParts === undefined ? before : state;
}

/** A host before this version keeps nothing that was returned. */
function reducedSession(value: unknown): ReducedSession | undefined {
  return isReducedSession(value) ? { ...value, returned: value.returned ?? [] } : undefined;
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
