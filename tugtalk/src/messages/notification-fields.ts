/** The fields of Claude's line that a notification passes on. */
import type { Fields } from "../base/json.ts";
import { withoutReserved } from "./envelope.ts";
import type { Notification } from "./notifications.ts";

/** The fields of a line, under the name of the notification. Not checked. */
export function notificationFields(name: string, raw: Fields): Fields {
  const { type: _type, subtype: _subtype, session_id: _id, parent_tool_use_id, ...fields } = raw;
  return {
    ...withoutReserved(fields),
    type: name,
    ...(typeof parent_tool_use_id === "string" && { parent_tool_use_id }),
  };
}

/** The notification in a line of this kind, with its message, which was checked. */
export function notificationOf(kind: string, raw: Fields, message: Fields): Notification {
  const session_id = typeof raw["session_id"] === "string" ? raw["session_id"] : undefined;
  // Each kind has its message; the compiler cannot follow that.
  return { type: "notification", kind, message, session_id } as Notification;
}
