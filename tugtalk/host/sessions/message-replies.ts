/** What is kept of messages with a `client_msg_id`, so that the same again is taken once. */
import { createHash } from "node:crypto";
import { ApiError } from "../api/api-error.ts";
import type { MessageReceipt, NewMessage } from "../api/host-session.ts";
import type { Journal, ReplyRow } from "../journal/journal.ts";
import type { Change } from "./session-change.ts";
import type { SessionLog } from "./session-log.ts";
import type { UnreadMessages } from "./unread-messages.ts";

export type Dedupe = Pick<ReplyRow, "clientId" | "hash">;

type Known = { readonly hash: string; readonly receipt: Promise<MessageReceipt> };

export type MessageRepliesPorts = {
  readonly log: SessionLog;
  readonly journal: Pick<Journal, "reply">;
  readonly unread: Pick<UnreadMessages, "receiptOf">;
};

export class MessageReplies {
  readonly #ports: MessageRepliesPorts;
  /** Commands that are being answered. */
  readonly #answering = new Map<string, Known>();

  constructor(ports: MessageRepliesPorts) {
    this.#ports = ports;
  }

  /** The same message again gets the receipt of the first time, or what became of the message. */
  async once(
    message: NewMessage,
    take: (dedupe: Dedupe | undefined) => Promise<MessageReceipt>,
  ): Promise<MessageReceipt> {
    const { clientMessageId: clientId } = message;
    if (clientId === undefined) return take(undefined);
    const hash = hashOf(message);
    const known = this.#answering.get(clientId) ?? this.#answered(clientId);
    if (known !== undefined) {
      if (known.hash === hash) return known.receipt;
      const words = "client_msg_id: another message was sent with it";
      throw new ApiError(409, "client_msg_id_used", words);
    }
    const receipt = take({ clientId, hash });
    this.#answering.set(clientId, { hash, receipt });
    return receipt.finally(() => this.#answering.delete(clientId));
  }

  #answered(clientId: string): Known | undefined {
    const { journal, log, unread } = this.#ports;
    const reply = journal.reply(log.row.id, clientId);
    if (reply === undefined) return undefined;
    // Written by `replyOf`.
    const first = reply.body as MessageReceipt;
    const receipt = Promise.resolve(unread.receiptOf(first.message_id) ?? first);
    return { hash: reply.hash, receipt };
  }
}

export function replyOf(
  dedupe: Dedupe | undefined,
  receipt: MessageReceipt,
): Pick<Change, "reply"> {
  if (dedupe === undefined) return {};
  const status = receipt.status === "sent" ? 200 : 202;
  return { reply: { ...dedupe, status, body: receipt } };
}

/** Tells two messages apart. */
function hashOf({ message, attachments = [], delivery = "queue" }: NewMessage): string {
  const body = JSON.stringify([message, attachments, delivery]);
  return createHash("sha256").update(body).digest("hex");
}
