/** The answers to the messages that clients send. */
import type { MessageReceipt } from "../../client/host-api.ts";
import type { Dedupe, Reply } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";
import { isReturned, placeIn } from "./unread-messages.ts";

export type Answering = {
  readonly reply: Reply<MessageReceipt>;
  readonly dedupe?: Dedupe | undefined;
};

export function respond(
  draft: StepDraft,
  { reply, dedupe }: Answering,
  receipt: MessageReceipt,
): void {
  keepReply(draft, dedupe, receipt);
  draft.resolve(reply, receipt);
}

/** Stores the receipt of a sent or queued message. The fate of other messages is stored with the message. */
export function keepReply(
  draft: StepDraft,
  dedupe: Dedupe | undefined,
  receipt: MessageReceipt,
): void {
  if (dedupe === undefined || (receipt.status !== "sent" && receipt.status !== "queued")) return;
  draft.replies.push({ ...dedupe, body: receipt });
}

/** Answers the commands whose message was returned, or whose session is not starting any more. */
export function settleDeferred(draft: StepDraft): void {
  for (const { messageId: message_id } of draft.state.deferred) {
    const { reduced, bridge } = draft.state;
    const position = placeIn(reduced, message_id);
    if (isReturned(draft.state, message_id))
      respondDeferred(draft, message_id, { status: "returned", message_id });
    else if (bridge.phase !== "starting" && !bridge.isRenewing)
      respondDeferred(draft, message_id, { status: "queued", message_id, position });
  }
}

/** Answers the command whose message waits for a start. */
export function respondDeferred(
  draft: StepDraft,
  messageId: string,
  receipt: MessageReceipt,
): void {
  const deferred = draft.state.deferred.filter((one) => one.messageId === messageId);
  draft.setDeferred(draft.state.deferred.filter((one) => one.messageId !== messageId));
  for (const one of deferred) respond(draft, one, receipt);
}
