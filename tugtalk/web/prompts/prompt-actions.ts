/** What every kind of prompt needs to be answered. */
import { useApp } from "../store/app.ts";
import { formOf, type PromptForm } from "./prompt-form.ts";

export type AnswerCommand = "approve" | "answer" | "elicitation" | "dialog";

export type PromptActions = {
  readonly form: PromptForm;
  /** Sends the answer, with the fields of the command. */
  readonly answer: (command: AnswerCommand, fields: Readonly<Record<string, unknown>>) => void;
  /** Nothing can be answered: it is being sent, the host is away, or the prompt has just appeared. */
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
    form,
    answer: (command, fields) =>
      void form.send(() =>
        host.transport.command(command, { id: sessionId, request_id: requestId, ...fields }),
      ),
    isDisabled: isFresh || form.phase.value !== "open" || host.status.value !== "connected",
  };
}
