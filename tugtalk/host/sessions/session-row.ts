/** The changes by the messages of a bridge to the row of their session. Pure. */
import type { OutboundMessage } from "../../src/types.ts";
import type { SessionRow } from "../journal/journal.ts";
import { isFinalReceipt } from "./bridge-messages.ts";

/**
 * The row after a message; the same row if the message changes nothing, as most do. `isAnswered`: Claude has
 * written something in its turn.
 */
export function rowAfter(
  row: SessionRow,
  message: OutboundMessage,
  isAnswered: boolean,
): SessionRow {
  switch (message.type) {
    case "session_init":
      return { ...row, claudeSessionId: message.session_id, ...emptied(message.mode) };
    case "turn_started":
      return row.choice?.mode === "resume" ? row : without(row, "choice");
    // Before Claude's first answer, a restart still has to cut the conversation at the chosen message.
    case "turn_complete":
      return isAnswered || row.choice?.mode !== "resume" ? without(row, "choice") : row;
    case "message_status":
      return message.message_id === row.inFlight && isFinalReceipt(message)
        ? without(row, "inFlight")
        : row;
    case "process_started":
      return row.bridge === undefined
        ? row
        : { ...row, bridge: { ...row.bridge, claudePid: message.pid } };
    case "process_exit":
      return withoutClaude(row);
    case "permission_mode_changed":
      return { ...row, permissionMode: message.mode };
    case "model_changed":
      return message.model === null ? without(row, "model") : { ...row, model: message.model };
    default:
      return withTitle(row, message);
  }
}

/**
 * The row with this effort for the next start of Claude. Null is Claude's default. Any other value changes
 * nothing.
 */
export function withEffort(row: SessionRow, level: unknown): SessionRow {
  const { effort: _before, ...others } = row.options ?? {};
  if (level === null) return { ...row, options: others };
  return typeof level === "string" && level !== ""
    ? { ...row, options: { ...others, effort: level } }
    : row;
}

/** The row without the field; the same row if it lacks the field. */
export function without(
  row: SessionRow,
  name: "choice" | "inFlight" | "model" | "limitUsd" | "archivedAt" | "bridge" | "rewind" | "move",
): SessionRow {
  if (row[name] === undefined) return row;
  const { [name]: _gone, ...rest } = row;
  return rest;
}

/** The choice for a conversation without a message, which cannot be resumed. */
function emptied(mode: string): Pick<SessionRow, "choice"> {
  return mode === "clear" ? { choice: { mode: "new" } } : {};
}

function withoutClaude(row: SessionRow): SessionRow {
  if (row.bridge === undefined) return row;
  const { claudePid: _gone, ...bridge } = row.bridge;
  return { ...row, bridge };
}

function withTitle(row: SessionRow, message: OutboundMessage): SessionRow {
  if (message.type !== "session_title_changed") return row;
  const { title } = message;
  return typeof title === "string" && title !== "" ? { ...row, title } : row;
}
