/** Messages that the reducer does not understand stay visible. */
import { type Fields, textOf } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import { handler } from "./handler.ts";
import { text } from "./message-fields.ts";
import { append, entryAt, listFor, withNewKey } from "./transcript.ts";

export function addUnknown(state: ReducedSession, type: string, message: Fields): ReducedSession {
  const [opened, list] = listOf(state, message);
  const [keyed, key] = withNewKey(opened);
  return append(keyed, list, { kind: "unknown", key, type, message });
}

export const UNKNOWN_HANDLERS = [
  // The bridge itself did not know the line. Notifications of one kind have one item in an entry.
  handler("unknown_event", { original_type: text }, (state, message) =>
    isRepeatedNotification(state, message)
      ? state
      : addUnknown(state, message.original_type, message),
  ),
] as const;

/** Whether the entry has a notification of this kind. Unknown content is no notification. */
function isRepeatedNotification(state: ReducedSession, message: Fields): boolean {
  if (CONTENT.has(textOf(message["original_type"]) ?? "")) return false;
  const [opened, list] = listOf(state, message);
  const items = entryAt(opened, list)?.items ?? [];
  return items.some((item) => item.kind === "unknown" && isSameKind(item.message, message));
}

/** The kinds with content to show: messages, parts of them, results and lines that are not JSON. */
const CONTENT: ReadonlySet<string> = new Set([
  ...["assistant", "user", "stream_event", "result", "control_request", "invalid_line"],
]);

function isSameKind(one: Fields, other: Fields): boolean {
  return ["type", "original_type", "original_subtype"].every((name) => one[name] === other[name]);
}

/** The list that the message belongs to. */
function listOf(state: ReducedSession, message: Fields) {
  const turn_id = textOf(message["turn_id"]);
  const parent_tool_use_id = textOf(message["parent_tool_use_id"]);
  return listFor(state, { turn_id, parent_tool_use_id });
}
