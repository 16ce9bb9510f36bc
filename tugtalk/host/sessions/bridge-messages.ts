/** The messages of a bridge in the form that its session takes. Pure. */
import { entryIn } from "../../client/claude-value.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { isHostEvent } from "./session-events.ts";
import type { NewEntry } from "./session-state.ts";

/** The type of a message: a bridge on a place cannot begin a new line of a stream with it. */
const BRIDGE_TYPE = /^\w+$/;
/** Frames of the host that are in no journal. A bridge cannot send messages with these types. */
const FRAMES: ReadonlySet<string> = new Set([
  "resume",
  "snapshot",
  "snapshot_part",
  "ping",
  "sessions",
  "session_deleted",
]);

/** Only the client that asked gets pages of past conversations, and only the keeper of copies gets files. */
const UNJOURNALED: ReadonlySet<string> = new Set<OutboundMessage["type"]>([
  "session_history_result",
  "session_list_result",
  "transcript_lines",
  "transcript_failed",
  "transcript_restore_result",
]);

/** Only the client that asked gets the content of files. */
const FILE_SUBTYPES: ReadonlySet<string> = new Set(["read_file", "get_workspace_diff"]);

export function isJournaled(message: OutboundMessage): boolean {
  const { type } = message;
  if (message.type === "control_result" && FILE_SUBTYPES.has(message.subtype)) return false;
  const isFrame = isHostEvent(type) || FRAMES.has(type);
  return BRIDGE_TYPE.test(type) && !isFrame && !UNJOURNALED.has(type);
}

/** The entry of a message, without type, channel and wire version in its data. */
export function entryOf({
  type,
  ipc_version: _version,
  channel: _channel,
  ...data
}: OutboundMessage): NewEntry {
  return { type, data: withCleanErrors(type, data) };
}

/** Fields with texts of other programs that a client may print as an error. */
const ERROR_FIELDS: Readonly<Record<string, readonly string[]>> = {
  error: ["message", "reason"],
  process_exit: ["stderr_tail"],
};

function withCleanErrors(type: string, data: NewEntry["data"]): NewEntry["data"] {
  const names = entryIn(ERROR_FIELDS, type) ?? [];
  const cleaned = names.flatMap((name) => {
    const value = data[name];
    return typeof value === "string" ? [[name, showHidden(value)] as const] : [];
  });
  return cleaned.length === 0 ? data : { ...data, ...Object.fromEntries(cleaned) };
}

const FINAL: ReadonlySet<string> = new Set(["completed", "cancelled", "rejected", "failed"]);

/** Whether the message is the last receipt of a user message. */
export function isFinalReceipt(message: OutboundMessage): boolean {
  return message.type === "message_status" && FINAL.has(message.status);
}

/** This bridge starts no further Claude. Another bridge can. */
export function isLastExit(message: OutboundMessage): boolean {
  return message.type === "process_exit" && !message.will_restart;
}
