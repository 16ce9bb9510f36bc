/** What is kept of a message with a `client_msg_id`, so that the same again gets the same answer. Pure. */
import { createHash } from "node:crypto";
import type { MessageReceipt, NewMessage } from "../api/host-session.ts";
import type { ReplyRow } from "../journal/journal.ts";
import type { Change } from "./session-change.ts";

export type Dedupe = Pick<ReplyRow, "clientId" | "hash">;

export function replyOf(
  dedupe: Dedupe | undefined,
  receipt: MessageReceipt,
): Pick<Change, "reply"> {
  if (dedupe === undefined) return {};
  const status = receipt.status === "sent" ? 200 : 202;
  return { reply: { ...dedupe, status, body: receipt } };
}

/** Tells two messages apart. */
export function hashOf({ message, attachments = [], delivery = "queue" }: NewMessage): string {
  const body = JSON.stringify([message, attachments, delivery]);
  return createHash("sha256").update(body).digest("hex");
}
