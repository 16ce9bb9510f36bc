/** The earlier answer to a repeated command, and the fate of the message that it names. */

import { createHash } from "node:crypto";
import type { MessageReceipt } from "../../client/host-api.ts";
import type { Journal } from "../journal/journal.ts";
import type { SessionInput, StepContext } from "./session-input.ts";
import type { StepDraft } from "./step-draft.ts";

export type KnownJournal = Pick<Journal, "reply" | "messageEnd">;

export async function readKnown(
  journal: KnownJournal,
  id: string,
  input: SessionInput,
): Promise<Pick<StepContext, "known" | "ended">> {
  if (input.kind === "take_returned")
    return { ended: await journal.messageEnd(id, input.messageId) };
  if (input.kind !== "message" || input.dedupe === undefined) return {};
  const reply = await journal.reply(id, input.dedupe.clientId);
  if (reply === undefined) return {};
  // The step of the message has written the body.
  const receipt = reply.body as MessageReceipt;
  const ended = await journal.messageEnd(id, receipt.message_id);
  return { known: { hash: reply.hash, receipt }, ended };
}

/** The journal with these steps, which are not written yet. */
export function withSteps(
  journal: KnownJournal,
  steps: readonly Pick<StepDraft, "replies" | "endedMessages">[],
): KnownJournal {
  return {
    reply: async (id, clientId) => {
      const replies = steps.flatMap((one) => one.replies);
      return replies.findLast((one) => one.clientId === clientId) ?? journal.reply(id, clientId);
    },
    messageEnd: async (id, messageId) => {
      const ended = steps.flatMap(({ endedMessages }) => endedMessages);
      const end = ended.findLast((one) => one.messageId === messageId);
      return end?.status ?? journal.messageEnd(id, messageId);
    },
  };
}

/** The hash by which messages are compared. */
export function hashOf(message: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(message)).digest("hex");
}
