/** What the messages of a bridge change in the row of their session. Pure. */
import type { OutboundMessage } from "../../src/types.ts";
import type { SessionRow } from "../journal/journal.ts";
import type { Change } from "./session-change.ts";

type RowChange = Pick<Change, "session" | "unset">;

const FINAL: ReadonlySet<string> = new Set(["completed", "cancelled", "rejected", "failed"]);

/** Whether it is the last receipt of a user message. */
export function isFinalReceipt(message: OutboundMessage): boolean {
  return message.type === "message_status" && FINAL.has(message.status);
}

const NOTHING: RowChange = {};

export function rowChange(row: SessionRow, message: OutboundMessage): RowChange {
  switch (message.type) {
    case "session_init":
      return { session: { claudeSessionId: message.session_id, ...emptied(message.mode) } };
    case "turn_started":
      return row.choice !== undefined && row.choice.mode !== "resume"
        ? { unset: ["choice"] }
        : NOTHING;
    // Before Claude has answered, the conversation still has to be cut at the chosen message.
    case "turn_complete":
      return row.choice !== undefined ? { unset: ["choice"] } : NOTHING;
    case "message_status":
      return message.message_id === row.inFlight && isFinalReceipt(message)
        ? { unset: ["inFlight"] }
        : NOTHING;
    case "process_started":
      return row.bridge === undefined
        ? NOTHING
        : { session: { bridge: { ...row.bridge, claudePid: message.pid } } };
    case "process_exit":
      return withoutClaude(row);
    case "permission_mode_changed":
      return { session: { permissionMode: message.mode } };
    case "model_changed":
      return message.model === null ? { unset: ["model"] } : { session: { model: message.model } };
    default:
      return titleChange(message);
  }
}

/** Nothing was said in it yet, so it cannot be resumed. */
function emptied(mode: string): Pick<SessionRow, "choice"> {
  return mode === "clear" ? { choice: { mode: "new" } } : {};
}

function withoutClaude({ bridge }: SessionRow): RowChange {
  if (bridge === undefined) return NOTHING;
  const { claudePid: _gone, ...rest } = bridge;
  return { session: { bridge: rest } };
}

function titleChange(message: OutboundMessage): RowChange {
  if (message.type !== "session_title_changed") return NOTHING;
  const { title } = message;
  return typeof title === "string" && title !== "" ? { session: { title } } : NOTHING;
}

/** Both changes as one; the later one wins. */
export function mergedChanges(one: RowChange, other: RowChange): RowChange {
  if (other === NOTHING) return one;
  const set = new Set(Object.keys(other.session ?? {}));
  const gone = new Set<string>(other.unset ?? []);
  const session = Object.fromEntries(
    Object.entries({ ...one.session, ...other.session }).filter(([name]) => !gone.has(name)),
  );
  const unset = [...(one.unset ?? []).filter((name) => !set.has(name)), ...(other.unset ?? [])];
  return { session, unset };
}
