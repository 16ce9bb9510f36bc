/** What a notification passes on of Claude's line. */
import { withoutReserved } from "./envelope.ts";

/** The fields of a line, under the name of the notification. Not checked. */
export function notificationFields(
  name: string,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { type: _type, subtype: _subtype, session_id: _id, parent_tool_use_id, ...fields } = raw;
  return {
    ...withoutReserved(fields),
    type: name,
    ...(typeof parent_tool_use_id === "string" && { parent_tool_use_id }),
  };
}
