/** Why an answer of the host is not accepted, and how the host gets to know. Contract, guarantees 4 and 10. */
import { replyTo } from "../messages/envelope.ts";
import { errorMessage } from "../messages/errors.ts";
import type { OutboundDraft } from "../types.ts";

export type AnswerProblem = {
  readonly problem: "unknown_request" | "stale_request" | "bad_message";
  readonly message: string;
};

/** Claude reads no answer any more. */
export const TOO_LATE = stale("claude is ending");

/** Claude does not wait for this answer any more. */
export function stale(message: string): AnswerProblem {
  return { problem: "stale_request", message };
}

/** The request is not open. If `everSettled` has it, the answer is late; otherwise its id is wrong. */
export function notOpen(requestId: string, everSettled: ReadonlySet<string>): AnswerProblem {
  return everSettled.has(requestId)
    ? stale(`request ${requestId} is already settled`)
    : { problem: "unknown_request", message: `no request ${requestId} was forwarded` };
}

/** Rejects an answer of the host with an error. */
export function rejectAnswer(
  answer: { readonly request_id: string; readonly id?: string | undefined },
  { problem, message }: AnswerProblem,
  emit: (message: OutboundDraft) => void,
): void {
  const { request_id } = answer;
  emit(errorMessage(problem, message, { source: "host", request_id, ...replyTo(answer) }));
}
