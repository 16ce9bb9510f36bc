/**
 * The reducer: the state of a session after one more message. Pure and total: the same state and message
 * give the same result, nothing that is passed in is changed, and no message makes it throw.
 */
import { type Fields, isFields, present, textOf } from "./claude-value.ts";
import type { ReducedSession } from "./reduced-session.ts";
import { admit, incomingMessage } from "./reducer/applied-messages.ts";
import { IGNORED_MESSAGES } from "./reducer/ignored-messages.ts";
import { HANDLERS } from "./reducer/message-handlers.ts";
import { addUnknown } from "./reducer/unknown-messages.ts";
import type { SessionInput } from "./session-input.ts";

/** A session of which nothing is known. */
export const initialSession: ReducedSession = {
  applied: { seq: 0, others: {}, unacknowledged: [] },
  status: "starting",
  entries: [],
  openEntries: [],
  prompts: [],
  closedPrompts: [],
  queue: [],
  returned: [],
  isQueueHeld: false,
  controlResponses: {},
  cost: { totalCostUsd: 0 },
  taskList: { tasks: [] },
  mcpServers: [],
  backgroundTasks: [],
  pastSessions: [],
  lastKey: 0,
};

/**
 * The state after `input`, which is a message of the bridge, an event or a frame of a host. A message that
 * was applied before changes nothing: the result is then `state` itself. Parts that do not change keep
 * their identity. A message of an unknown type, or without its fields, becomes an `UnknownItem`.
 */
export function reduceSession(state: ReducedSession, input: SessionInput): ReducedSession {
  const incoming = incomingMessage(input);
  if (incoming === undefined) return state;
  const snapshot = snapshotState(incoming.message);
  if (snapshot !== undefined) return snapshot;
  const { applied, messages } = admit(state.applied, incoming);
  const reduced = messages.reduce(applyMessage, state);
  if (applied === state.applied) return reduced;
  // A state that was not passed in was made here, and nobody else has it yet. To copy it once more
  // would cost as much as the rest of a delta.
  return reduced === state ? { ...state, applied } : Object.assign(reduced, { applied });
}

function applyMessage(state: ReducedSession, message: Fields): ReducedSession {
  const type = String(message["type"]);
  if (IGNORED_MESSAGES.has(type) || TRANSPORT_TYPES.has(type)) return state;
  return HANDLERS.get(type)?.(state, message) ?? addUnknown(state, type, message);
}

/** The frames of a host that are not in its journal. */
const TRANSPORT_TYPES: ReadonlySet<string> = new Set([
  "resume",
  "ping",
  "database_away",
  "database_back",
]);

/**
 * The state in a `snapshot`, with the cursor of the older turns that is beside it; undefined for any other
 * message. It is trusted; a state from an older host lacks `returned`.
 */
function snapshotState({ type, state, before }: Fields): ReducedSession | undefined {
  if (type !== "snapshot" || !isReducedSession(state)) return undefined;
  return { ...present({ before: textOf(before) }), ...state, returned: state.returned ?? [] };
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
