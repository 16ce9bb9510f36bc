/** What the messages of a bridge change in the row of their session. Pure. */
import type { OutboundMessage } from "../../src/types.ts";
import type { BridgeMark, SessionRow } from "../journal/journal.ts";
import type { Change } from "./session-log.ts";

type RowChange = Pick<Change, "session" | "unset">;

const FINAL: ReadonlySet<string> = new Set(["completed", "cancelled", "rejected", "failed"]);

/** Whether it is the last receipt of a user message. */
export function isFinalReceipt(message: OutboundMessage): boolean {
  return message.type === "message_status" && FINAL.has(message.status);
}

/** Undefined if the message changes nothing in the row. */
export function rowChange(row: SessionRow, message: OutboundMessage): RowChange | undefined {
  switch (message.type) {
    case "session_init":
      return { session: { claudeSessionId: message.session_id, ...emptied(message.mode) } };
    case "turn_started":
      return row.choice !== undefined && row.choice.mode !== "resume"
        ? { unset: ["choice"] }
        : undefined;
    // Before Claude has answered, the conversation still has to be cut at the chosen message.
    case "turn_complete":
      return row.choice !== undefined ? { unset: ["choice"] } : undefined;
    case "message_status":
      return message.message_id === row.inFlight && isFinalReceipt(message)
        ? { unset: ["inFlight"] }
        : undefined;
    case "process_started":
      return row.bridge && { session: { bridge: { ...row.bridge, claudePid: message.pid } } };
    case "process_exit":
      return row.bridge && { session: { bridge: withoutClaude(row.bridge) } };
    case "permission_mode_changed":
      return { session: { permissionMode: message.mode } };
    case "model_changed":
      return message.model === null ? { unset: ["model"] } : { session: { model: message.model } };
    default:
      return titleChange(message);
  }
}

/** A bridge whose Claude has ended. */
export function withoutClaude({ claudePid: _ended, ...bridge }: BridgeMark): BridgeMark {
  return bridge;
}

/** Nothing was said in it yet, so it cannot be resumed. */
function emptied(mode: string): Pick<SessionRow, "choice"> {
  return mode === "clear" ? { choice: { mode: "new" } } : {};
}

function titleChange(message: OutboundMessage): RowChange | undefined {
  if (message.type !== "session_title_changed") return undefined;
  const { title } = message;
  return typeof title === "string" && title !== "" ? { session: { title } } : undefined;
}

/** Both changes as one; the later one wins. */
export function mergedChanges(one: RowChange, other: RowChange): RowChange {
  const set = new Set(Object.keys(other.session ?? {}));
  const gone = new Set<string>(other.unset ?? []);
  const session = Object.fromEntries(
    Object.entries({ ...one.session, ...other.session }).filter(([name]) => !gone.has(name)),
  );
  const unset = [...(one.unset ?? []).filter((name) => !set.has(name)), ...(other.unset ?? [])];
  return { session, unset };
}
