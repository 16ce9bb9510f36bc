/** Messages that the reducer does not understand stay visible. */
import type { Fields } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import { handler } from "./handler.ts";
import { text, textIn } from "./message-fields.ts";
import { append, listFor, withNewKey } from "./transcript.ts";

export function addUnknown(state: ReducedSession, type: string, message: Fields): ReducedSession {
  const turn_id = textIn(message, "turn_id");
  const parent_tool_use_id = textIn(message, "parent_tool_use_id");
  const [opened, list] = listFor(state, { turn_id, parent_tool_use_id });
  const [keyed, key] = withNewKey(opened);
  return append(keyed, list, { kind: "unknown", key, type, message });
}

/** The bridge itself did not know the line. */
const unknownEvent = handler("unknown_event", { original_type: text }, (state, message) =>
  addUnknown(state, message.original_type, message),
);

export const UNKNOWN_HANDLERS = [unknownEvent] as const;
