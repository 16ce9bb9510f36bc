/** What the messages of a bridge are to the session that has it. Pure. */
import { entryIn } from "../../client/claude-value.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { isFinalReceipt } from "./row-changes.ts";
import type { NewEntry } from "./session-change.ts";

/** No bridge on a place passes for the host, or begins a new line of a stream. */
const BRIDGE_TYPE = /^\w+$/;

/** Pages of past conversations are for who has asked for them. */
export function isJournaled({ type }: OutboundMessage): boolean {
  const isPage = type === "session_history_result" || type === "session_list_result";
  return BRIDGE_TYPE.test(type) && !isPage;
}

/** Type, channel and the version of the wire are not in the data. */
export function entryOf({
  type,
  ipc_version: _version,
  channel: _channel,
  ...data
}: OutboundMessage): NewEntry {
  return { type, data: withCleanErrors(type, data) };
}

/** Fields with words of other programs, which a client may print as an error. */
const ERROR_FIELDS: Readonly<Record<string, readonly string[]>> = {
  error: ["message", "reason"],
  process_exit: ["stderr_tail"],
};

function withCleanErrors(type: string, data: NewEntry["data"]): NewEntry["data"] {
  const names = entryIn(ERROR_FIELDS, type) ?? [];
  const cleaned = names.flatMap((name) => {
    const words = data[name];
    return typeof words === "string" ? [[name, showHidden(words)] as const] : [];
  });
  return cleaned.length === 0 ? data : { ...data, ...Object.fromEntries(cleaned) };
}

export function isTaken(
  message: OutboundMessage,
): message is Extract<OutboundMessage, { type: "message_status" }> {
  return (
    message.type === "message_status" && (message.status === "started" || isFinalReceipt(message))
  );
}

/** This bridge starts Claude no more; another one can. */
export function isLastExit(message: OutboundMessage): boolean {
  return message.type === "process_exit" && !message.will_restart;
}
