/** A client's answer to a prompt, from the command to Claude. The first answer wins. */
import { ApiError } from "../api/api-error.ts";
import type { PromptAnswer } from "../api/host-session.ts";
import type { PromptEnd, PromptRow } from "../journal/journal.ts";
import { type AnswerMessage, answerMessage } from "../prompts/answer-message.ts";
import type { PromptDesk } from "./prompt-desk.ts";

type Ports = {
  readonly prompts: PromptDesk;
  /** Resolves when the bridge has confirmed it. Rejects with an `ApiError`. */
  readonly request: (message: AnswerMessage) => Promise<unknown>;
  /** A prompt in the journal, open or closed. */
  readonly known: (requestId: string) => PromptRow | undefined;
};

type Given = {
  readonly requestId: string;
  readonly answer: PromptAnswer;
  readonly by: string | undefined;
};

/**
 * Resolves when Claude has been given the answer. Rejects with `ApiError`: 400 for an answer that does
 * not fit, 404 for an unknown prompt, 409 for one that is closed.
 */
export async function answerPrompt(
  { prompts, request, known }: Ports,
  { requestId, answer, by }: Given,
): Promise<void> {
  // Several may wait for the same answer, and the first of them may give the next one.
  while (prompts.answering(requestId)) await prompts.answering(requestId);
  const prompt = prompts.find(requestId);
  if (prompt === undefined) throw closedPrompt(requestId, known(requestId));
  const message = answerMessage(prompt, answer);
  try {
    await prompts.claim(requestId, { by, ...changesOf(message) }, () => request(message));
  } catch (error) {
    // What came before the refusal may have closed it.
    await new Promise(setImmediate);
    if (prompts.find(requestId) !== undefined) throw error;
  }
  const end = known(requestId)?.end;
  if (end === undefined || end.outcome === "cancelled") throw alreadyResolved(end);
}

/** What an answer changes for the prompts to come. */
function changesOf(message: AnswerMessage) {
  return message.type === "tool_approval" && message.decision === "allow"
    ? { updatedPermissions: message.updatedPermissions }
    : {};
}

function closedPrompt(requestId: string, row: PromptRow | undefined): ApiError {
  if (row !== undefined) return alreadyResolved(row.end);
  return new ApiError(404, "unknown_request", `there is no prompt ${requestId}`);
}

function alreadyResolved(end: PromptEnd | undefined): ApiError {
  const { outcome = "cancelled", by, reason } = end ?? {};
  return new ApiError(409, "already_resolved", "the prompt is closed already", {
    outcome,
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  });
}
