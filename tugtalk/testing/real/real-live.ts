/** The messages of a live session and of its `session_history`, in one form for comparison. */
import type { Fields } from "../../src/base/json.ts";
import type { Received } from "../drivers/bridge-process.ts";
import { ofType, type RealSession } from "./real-session.ts";

/** The messages that a history has too. */
const TOLD = new Set([
  "user_text",
  "assistant_text",
  "thinking_text",
  "tool_use",
  "tool_result",
  "tool_use_structured",
  "compact_boundary",
  "task_notification",
  "message_complete",
]);

/** Waits until the history holds a text; gives its messages in short. */
export async function historyWith(session: RealSession, words: string): Promise<Fields[]> {
  const init = ofType(session.bridge.received, "session_init").at(-1);
  for (;;) {
    const id = session.send({
      type: "session_history",
      session_id: init?.["session_id"],
      limit: 500,
    });
    const answer = await session.next(({ in_reply_to }) => in_reply_to === id);
    const messages: readonly Fields[] = Array.isArray(answer["messages"]) ? answer["messages"] : [];
    if (messages.some(({ text }) => text === words)) return messages.map(inShort);
  }
}

/** The same for the messages of the live session. */
export function liveMessages({ bridge }: RealSession): Fields[] {
  return withoutKnownDifferences(bridge.received).map(inShort);
}

/** PROTOCOL.md, `session_history_result`, lists the differences of a history. */
function withoutKnownDifferences(received: readonly Received[]): Received[] {
  const version = received.find(({ type }) => type === "system_metadata")?.["claude_code_version"];
  const emitted = received.filter(
    ({ type, status, text }) =>
      TOLD.has(type) &&
      (type !== "message_complete" || version !== "2.1.38") &&
      (type === "task_notification" || status === undefined || status === "complete") &&
      text !== "(no content)",
  );
  const command = emitted.findIndex(({ text }) => text === "/compact");
  const [boundary, summary] = emitted.slice(command + 1, command + 3);
  const isCompacted = boundary?.type === "compact_boundary" && summary !== undefined;
  return isCompacted
    ? emitted
        .with(command, boundary)
        .with(command + 1, summary)
        .with(command + 2, emitted[command] ?? summary)
    : emitted;
}

/** The fields that a reducer uses. */
function inShort(message: Fields): Fields {
  const { type, text, kind, message_id, content } = message;
  if (type !== "user_text") {
    const { msg_id, block_index, tool_use_id, tool_name, output, is_error, uuid, task_id } =
      message;
    const key = { type, msg_id, block_index, tool_use_id, tool_name, output, is_error, task_id };
    // A note of Claude has an id of its own.
    return type === "task_notification" ? key : { ...key, text, uuid };
  }
  const isHosts = kind === "host" || kind === "history";
  const isCommand = isHosts && String(text).startsWith("/");
  return {
    type,
    kind: isHosts ? "history" : kind,
    text: Array.isArray(content) ? content.map((block: Fields) => block["text"]).join("\n") : text,
    message_id: isCommand ? undefined : message_id,
  };
}
