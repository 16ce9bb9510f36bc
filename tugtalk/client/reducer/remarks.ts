/** Short texts for a person, which Claude prints beside the conversation. */
import type { ReducedSession } from "../reduced-session.ts";
import { handler, type Scope } from "./handler.ts";
import { nullish, objects, text, texts } from "./message-fields.ts";
import { addNotice } from "./notices.ts";

export const REMARK_HANDLERS = [
  handler("informational", { content: text, level: text }, (state, message) =>
    addText(state, message, message.content, message.level),
  ),
  handler("notification", { text, priority: text }, (state, message) =>
    addText(state, message, message.text, message.priority),
  ),
  handler("local_command_output", { content: text }, (state, message) =>
    addText(state, message, message.content, "info"),
  ),
  handler("tool_use_summary", { summary: text }, (state, message) =>
    addText(state, message, message.summary, "summary"),
  ),
  handler("mirror_error", { error: text }, (state, message) =>
    addText(state, message, message.error),
  ),
  handler("session_writes_lost", { error_code: text, lost: texts }, (state, message) => {
    const { error_code: code, lost } = message;
    return addText(state, message, `Not written to disk (${code}): ${lost.join(", ")}`);
  }),
  handler(
    "plugin_install",
    { status: text, name: nullish(text), error: nullish(text) },
    (state, message) => {
      if (message.status !== "failed") return state;
      const { name, error } = message;
      const said = ["A plugin was not installed", name, error].filter((part) => part != null);
      return addText(state, message, said.join(": "));
    },
  ),
  handler("files_persisted", { failed: objects }, (state, message) => {
    const names = message.failed.map(({ filename, error }) => `${filename} (${error})`);
    return names.length === 0
      ? state
      : addText(state, message, `Not uploaded: ${names.join(", ")}`);
  }),
] as const;

function addText(
  state: ReducedSession,
  scope: Scope,
  said: string,
  level = "warning",
): ReducedSession {
  return addNotice(state, scope, { kind: "text", level, text: said });
}
