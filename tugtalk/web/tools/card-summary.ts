/** What a tool call is about, on one line. Pure. */
import { filledText, objectsOf } from "../../client/claude-value.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { ToolCallView } from "../../src/messages/entry-models.ts";
import type { ToolItem } from "../../src/messages/transcript-models.ts";

export function cardSummary(
  { name, input = {} }: ToolItem,
  call: ToolCallView,
): string | undefined {
  if (name === "TodoWrite") return todoSummary(objectsOf(input["todos"]));
  if (name !== "TaskUpdate") return call.summary;
  const { taskId, status, subject } = input;
  const words = [filledText(taskId), filledText(subject), filledText(status)?.replace("_", " ")];
  return showHidden(words.filter((word) => word !== undefined).join(" · "));
}

/** `2 of 5 · Running tests` */
function todoSummary(todos: readonly Readonly<Record<string, unknown>>[]): string {
  const done = todos.filter(({ status }) => status === "completed").length;
  const active = todos.find(({ status }) => status === "in_progress");
  const title = filledText(active?.["activeForm"]) ?? filledText(active?.["content"]);
  return [`${done} of ${todos.length}`, title && showHidden(title)].filter(Boolean).join(" · ");
}
