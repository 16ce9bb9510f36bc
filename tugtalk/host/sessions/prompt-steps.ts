/** Steps of prompts: send a client's answer to Claude. The first answer wins. */
import { isPrompt } from "../../client/answers.ts";
import { present } from "../../client/claude-value.ts";
import type { PromptEnd, ReducedSession } from "../../client/reduced-session.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { BridgeInput } from "./session-input.ts";
import { type Claim, changesOf, type PromptAnswer } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";

/** Throws `ApiError`: 404 for an unknown prompt, 409 for a closed one. */
export function answer(draft: StepDraft, given: PromptAnswer): void {
  const { request_id } = given.message;
  checkOpen(draft.state.reduced, request_id);
  const claim = draft.state.claims.get(request_id);
  if (claim === undefined) send(draft, { sent: given, next: [] });
  else setClaim(draft, request_id, { ...claim, next: [...claim.next, given] });
}

/** The host's fields in a message that opens or closes a prompt. */
export function promptDetails(draft: StepDraft, message: OutboundMessage) {
  if (message.type !== "control_request_resolved")
    return isPrompt(message) || message.type === "control_request_cancel"
      ? { at: draft.at }
      : undefined;
  const claim = draft.state.claims.get(message.request_id);
  const known = claim && { by: claim.sent.by, updated_permissions: changesOf(claim.sent) };
  return { at: draft.at, ...present(known ?? {}) };
}

/** The bridge has refused an answer: the next answer is sent. */
export function answerRefused(
  draft: StepDraft,
  { requestId, error }: Extract<BridgeInput, { kind: "answer_refused" }>,
): void {
  const claim = draft.state.claims.get(requestId);
  // A message before the refusal may have closed the prompt.
  if (claim === undefined) return;
  draft.reject(claim.sent.reply, error);
  const [sent, ...next] = claim.next;
  if (sent === undefined) setClaim(draft, requestId, undefined);
  else send(draft, { sent, next });
}

/** Answers the clients whose prompts are closed. */
export function settleClaims(draft: StepDraft): void {
  for (const [requestId, { sent, next }] of draft.state.claims) {
    const { reduced } = draft.state;
    if (reduced.prompts.some((prompt) => prompt.requestId === requestId)) continue;
    setClaim(draft, requestId, undefined);
    const end = endOf(reduced, requestId);
    if (end === undefined || end.outcome === "cancelled")
      draft.reject(sent.reply, alreadyResolved(end));
    else draft.resolve(sent.reply, undefined);
    for (const late of next) draft.reject(late.reply, alreadyResolved(end));
  }
}

function send(draft: StepDraft, claim: Claim): void {
  const { request_id: requestId } = claim.sent.message;
  setClaim(draft, requestId, claim);
  draft.do({ kind: "answer", requestId, message: claim.sent.message });
}

function setClaim(draft: StepDraft, requestId: string, claim: Claim | undefined): void {
  const claims = new Map(draft.state.claims);
  if (claim === undefined) claims.delete(requestId);
  else claims.set(requestId, claim);
  draft.setClaims(claims);
}

/** Throws `ApiError`: 404 for an unknown prompt, 409 for a closed one. */
export function checkOpen(reduced: ReducedSession, requestId: string): void {
  if (reduced.prompts.some((prompt) => prompt.requestId === requestId)) return;
  const end = endOf(reduced, requestId);
  if (end !== undefined) throw alreadyResolved(end);
  throw new ApiError(404, "unknown_request", `there is no prompt ${requestId}`);
}

function endOf({ closedPrompts }: ReducedSession, requestId: string): PromptEnd | undefined {
  return closedPrompts.find((end) => end.requestId === requestId);
}

function alreadyResolved(end: PromptEnd | undefined): ApiError {
  const { outcome = "cancelled", by, reason } = end ?? {};
  const details = { outcome, ...present({ by, reason }) };
  return new ApiError(409, "already_resolved", "the prompt is closed already", details);
}
