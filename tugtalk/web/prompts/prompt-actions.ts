/** The means to answer every kind of prompt. */
import type { AnswerMessage, PromptId } from "../../client/answers.ts";
import type { HostCommand } from "../../client/host-routes.ts";
import { useApp } from "../store/app.ts";
import { formOf, type PromptForm } from "./prompt-form.ts";

export type PromptActions = {
  /** The session that asks. */
  readonly sessionId: string;
  readonly form: PromptForm;
  /** The prompt, for the functions that build its answer. */
  readonly request: PromptId;
  readonly answer: (message: AnswerMessage) => void;
  /** No answer is possible: one is being sent, the host is away, or the prompt has just appeared. */
  readonly isDisabled: boolean;
};

/** `isFresh`: the prompt has just appeared. */
export function usePromptActions(
  sessionId: string,
  requestId: string,
  isFresh: boolean,
): PromptActions {
  const { host } = useApp();
  const form = formOf(sessionId, requestId);
  return {
    sessionId,
    form,
    request: { request_id: requestId },
    answer: (message) =>
      void form.send(() => host.transport.command(...answerCommand(sessionId, message))),
    isDisabled: isFresh || form.phase.value !== "open" || host.status.value !== "connected",
  };
}

/** The command for each answer. */
const COMMANDS = {
  tool_approval: "approve",
  question_answer: "answer",
  elicitation_answer: "elicitation",
  dialog_answer: "dialog",
} as const satisfies Readonly<Record<AnswerMessage["type"], HostCommand>>;

/** The command and its fields: the fields of the message, with the id of the session instead of its own. */
function answerCommand(sessionId: string, { type, ...fields }: AnswerMessage) {
  return [COMMANDS[type], { ...fields, id: sessionId }] as const;
}
