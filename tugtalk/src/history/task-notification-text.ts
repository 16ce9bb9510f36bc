/** The end of a background task as a transcript has it: in tags, as the model is told. Protocol reference §15. */
import { parseClaudeMessage } from "../claude/claude-line.ts";
import { routeTopLevelEvent } from "../routing/router.ts";
import type { OutboundDraft } from "../types.ts";

const NOTIFICATION = /^<task-notification>\s*([\s\S]*?)<\/task-notification>/;
const FIELD = /<(task-id|tool-use-id|output-file|status|summary)>([\s\S]*?)<\/\1>/g;

/** What a live session says when the task ends; nothing where a text is something else. */
export function fromTaskNotification(text: string): OutboundDraft[] | undefined {
  const body = NOTIFICATION.exec(text)?.[1];
  if (body === undefined) return undefined;
  const fields = [...body.matchAll(FIELD)].map(([, name = "", value]) => [
    name.replaceAll("-", "_"),
    value,
  ]);
  const event = parseClaudeMessage({
    ...Object.fromEntries(fields),
    type: "system",
    subtype: "task_notification",
  });
  // Without an id or a state it tells nothing.
  return event.type === "unknown" ? [] : [...routeTopLevelEvent(event).messages];
}
