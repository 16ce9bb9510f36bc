/** The answers to prompts, as the messages that a host sends. */
import type { DialogAnswer, ElicitationAnswer } from "../src/messages/prompt-messages.ts";
import type { PermissionSuggestion } from "../src/protocol-types.ts";
import type { OutboundMessage, QuestionAnswer, ToolApproval } from "../src/types.ts";

/** The user's answer to a prompt of any kind. */
export type AnswerMessage = ToolApproval | QuestionAnswer | ElicitationAnswer | DialogAnswer;

/** A message that waits for the user's answer. */
export type PromptRequest = Extract<
  OutboundMessage,
  { type: "control_request_forward" | "elicitation_request" | "dialog_request" }
>;
export type PermissionRequest = Extract<PromptRequest, { type: "control_request_forward" }>;
export type ElicitationRequest = Extract<PromptRequest, { type: "elicitation_request" }>;
export type DialogRequest = Extract<PromptRequest, { type: "dialog_request" }>;

/** A prompt, as its answer names it. */
export type PromptId = Pick<PromptRequest, "request_id">;

/** Answers to questions: a label or free text; for a multi-select question also several labels. */
export type Answers = Readonly<Record<string, string | string[]>>;

/** Whether a message is a prompt. */
export function isPrompt(message: OutboundMessage): message is PromptRequest {
  return (
    message.type === "control_request_forward" ||
    message.type === "elicitation_request" ||
    message.type === "dialog_request"
  );
}

/** Allows a tool once; with suggestions, exactly as Claude made them, also from then on. */
export function allow(
  { request_id }: PromptId,
  suggestions: readonly PermissionSuggestion[] = [],
): ToolApproval {
  const updatedPermissions = suggestions.length > 0 ? [...suggestions] : undefined;
  return { type: "tool_approval", decision: "allow", updatedPermissions, ...replyTo(request_id) };
}

/** Refuses a tool, or a question. Claude gets the reason. */
export function deny({ request_id }: PromptId, reason?: string): ToolApproval {
  const message = reason === "" ? undefined : reason;
  return { type: "tool_approval", decision: "deny", message, ...replyTo(request_id) };
}

/**
 * Answers the questions of a `control_request_forward` whose `is_question` is true. They are in its
 * `input.questions`, and `viewQuestions` gives them their types.
 */
export function answerQuestions({ request_id }: PromptId, answers: Answers): QuestionAnswer {
  return { type: "question_answer", answers, ...replyTo(request_id) };
}

/** Gives an MCP server the data that it asked for. */
export function acceptElicitation(
  { request_id }: PromptId,
  content?: Readonly<Record<string, unknown>>,
): ElicitationAnswer {
  return { type: "elicitation_answer", action: "accept", content, ...replyTo(request_id) };
}

/** Gives an MCP server no data: the user refuses (`decline`), or has not decided (`cancel`). */
export function refuseElicitation(
  { request_id }: PromptId,
  action: "decline" | "cancel",
): ElicitationAnswer {
  return { type: "elicitation_answer", action, ...replyTo(request_id) };
}

/** Completes a dialog with its result. */
export function completeDialog({ request_id }: PromptId, result?: unknown): DialogAnswer {
  return { type: "dialog_answer", behavior: "completed", result, ...replyTo(request_id) };
}

/** Closes a dialog without a result. */
export function cancelDialog({ request_id }: PromptId): DialogAnswer {
  return { type: "dialog_answer", behavior: "cancelled", ...replyTo(request_id) };
}

/** Refuses a prompt of any kind. Only the refusal of a permission or question can give a reason. */
export function refuse(
  prompt: PromptRequest,
  reason?: string,
): ToolApproval | ElicitationAnswer | DialogAnswer {
  switch (prompt.type) {
    case "control_request_forward":
      return deny(prompt, reason);
    case "elicitation_request":
      return refuseElicitation(prompt, "decline");
    case "dialog_request":
      return cancelDialog(prompt);
  }
}

/** An answer has the id of its prompt as its own `id`, so that an error about the answer names the prompt. */
function replyTo(request_id: string) {
  return { id: request_id, request_id };
}
