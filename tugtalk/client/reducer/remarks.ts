/** Short texts for a person, which Claude prints beside the conversation. */
import type { ReducedSession } from "../reduced-session.ts";
import { handler, type Scope } from "./handler.ts";
import { nullish, objects, text, texts } from "./message-fields.ts";
import { addNotice } from "./notices.ts";

function addText(state: ReducedSession, scope: Scope, level: string, said: string): ReducedSession {
  return addNotice(state, scope, { kind: "text", level, text: said });
}

const informational = handler("informational", { content: text, level: text }, (state, message) =>
  addText(state, message, message.level, message.content),
);

const notification = handler("notification", { text, priority: text }, (state, message) =>
  addText(state, message, message.priority, message.text),
);

const commandOutput = handler("local_command_output", { content: text }, (state, message) =>
  addText(state, message, "info", message.content),
);

const toolSummary = handler("tool_use_summary", { summary: text }, (state, message) =>
  addText(state, message, "summary", message.summary),
);

const mirrorError = handler("mirror_error", { error: text }, (state, message) =>
  addText(state, message, "warning", message.error),
);

const writesLost = handler(
  "session_writes_lost",
  { error_code: text, lost: texts },
  (state, message) =>
    addText(
      state,
      message,
      "warning",
      `Not written to disk (${message.error_code}): ${message.lost.join(", ")}`,
    ),
);

const pluginInstall = handler(
  "plugin_install",
  { status: text, name: nullish(text), error: nullish(text) },
  (state, message) => {
    if (message.status !== "failed") return state;
    const { name, error } = message;
    const said = ["A plugin was not installed", name, error].filter((part) => part != null);
    return addText(state, message, "warning", said.join(": "));
  },
);

const filesPersisted = handler("files_persisted", { failed: objects }, (state, message) => {
  const names = message.failed.map(({ filename, error }) => `${filename} (${error})`);
  if (names.length === 0) return state;
  return addText(state, message, "warning", `Not uploaded: ${names.join(", ")}`);
});

export const REMARK_HANDLERS = [
  informational,
  notification,
  commandOutput,
  toolSummary,
  mirrorError,
  writesLost,
  pluginInstall,
  filesPersisted,
] as const;
