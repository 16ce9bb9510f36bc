/**
 * The messages of one session that have left its queue and that Claude has not read: those that the bridge
 * has, and those that came back and stay until a person takes them.
 */
import type { ReturnedMessage } from "../../client/host-api.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { UnreadReceipt } from "../api/host-session.ts";
import type { Journal, QueuedRow } from "../journal/journal.ts";
import { isTaken } from "./bridge-messages.ts";
import { returnedMessage } from "./message-queue.ts";
import type { Change, NewEntry } from "./session-change.ts";
import { eventSession, messageReturned, messageTaken } from "./session-events.ts";
import type { SessionLog } from "./session-log.ts";

export type UnreadMessagesPorts = {
  readonly log: SessionLog;
  readonly journal: Pick<Journal, "messageEnd">;
};

/** What a commit has of a step. */
type UnreadStep = Pick<Change, "queued" | "unqueued"> & { readonly entries: readonly NewEntry[] };

const NOTHING: UnreadStep = { entries: [] };

export class UnreadMessages {
  readonly #ports: UnreadMessagesPorts;
  readonly #session;
  readonly #sent: Map<string, QueuedRow>;
  readonly #returned: Map<string, QueuedRow>;

  constructor(ports: UnreadMessagesPorts, rows: readonly QueuedRow[]) {
    this.#ports = ports;
    this.#session = eventSession(ports.log.row.id);
    this.#sent = byId(rows.filter(({ stage }) => stage === "sent"));
    this.#returned = byId(rows.filter(({ stage }) => stage === "returned"));
  }

  /** What the bridge has and Claude did not take. */
  get sent(): readonly QueuedRow[] {
    return [...this.#sent.values()];
  }

  get returned(): readonly QueuedRow[] {
    return [...this.#returned.values()];
  }

  /** A message goes to the bridge. Call it once that is in the journal. */
  recordSent(row: QueuedRow): void {
    this.#sent.set(row.messageId, row);
  }

  /** A receipt has come: Claude has the message, or never will. */
  recordReceipt(message: OutboundMessage): UnreadStep {
    const row = isTaken(message) ? this.#sent.get(message.message_id) : undefined;
    if (row === undefined || !isTaken(message)) return NOTHING;
    if (!UNREAD.has(message.status)) {
      this.#sent.delete(row.messageId);
      return { entries: [], unqueued: [row.messageId] };
    }
    const step = this.returning([row]);
    this.recordReturned(step);
    return step;
  }

  /** Claude has given these back. Their receipts may be told later. */
  giveBack(messageIds: readonly string[]): void {
    const step = this.returning(
      this.sent.filter(({ messageId }) => messageIds.includes(messageId)),
    );
    if (step.queued.length === 0) return;
    this.#ports.log.append(step.entries, { queued: step.queued });
    this.recordReturned(step);
  }

  /** No bridge has any message. */
  returnSent(): UnreadStep {
    const step = this.returning(this.sent);
    this.recordReturned(step);
    return step;
  }

  /** What the journal has to take before `noteReturned`. */
  returning(rows: readonly QueuedRow[]) {
    const last = this.returned.at(-1)?.position ?? 0;
    const queued = rows.map((row, index) => {
      return { ...row, position: last + index + 1, stage: "returned" } as const;
    });
    return { entries: rows.map((row) => messageReturned(this.#session, row)), queued };
  }

  recordReturned({ queued }: { readonly queued: readonly QueuedRow[] }): void {
    for (const row of queued) {
      this.#sent.delete(row.messageId);
      this.#returned.set(row.messageId, row);
    }
  }

  /** Throws `ApiError`: 409 for one that was taken, 404 for any other that is not here. */
  read(messageId: string): ReturnedMessage {
    const row = this.#returned.get(messageId);
    if (row !== undefined) return returnedMessage(row);
    if (this.#endOf(messageId) === "taken")
      throw new ApiError(409, "already_taken", "the message was taken back already");
    throw new ApiError(404, "unknown_message", "the message was not returned");
  }

  /** Throws as `read` does. */
  take(messageId: string): ReturnedMessage {
    const message = this.read(messageId);
    this.#ports.log.append([messageTaken(this.#session, messageId)], {
      unqueued: [messageId],
      endedMessages: [{ messageId, status: "taken" }],
    });
    this.#returned.delete(messageId);
    return message;
  }

  /** What became of a message that Claude will not read; undefined for any other. */
  receiptOf(message_id: string): UnreadReceipt | undefined {
    const status = this.#returned.has(message_id) ? "returned" : this.#endOf(message_id);
    return status && { status, message_id };
  }

  #endOf(messageId: string) {
    const { journal, log } = this.#ports;
    return journal.messageEnd(log.row.id, messageId);
  }
}

/** Receipts that end a message which has not started. */
const UNREAD: ReadonlySet<string> = new Set(["cancelled", "rejected", "failed"]);

function byId(rows: readonly QueuedRow[]): Map<string, QueuedRow> {
  return new Map(rows.map((row) => [row.messageId, row]));
}
