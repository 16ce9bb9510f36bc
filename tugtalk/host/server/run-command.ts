/** Runs commands by name, and turns what they throw into answers. */
import { ApiError } from "../api/api-error.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { CommandAnswer, CommandRunner, CommandTable } from "./command.ts";

/** `report` is given what was thrown by mistake; the client learns nothing of it. */
export function openCommandRunner(
  commands: CommandTable,
  report: (error: unknown) => void,
): CommandRunner {
  return async (name, fields, caller) => {
    try {
      return await commands[name](withSession(fields), caller);
    } catch (error) {
      if (!(error instanceof ApiError)) report(error);
      return answerOf(error);
    }
  };
}

/** The answer to a refusal; 500 for any other error. */
export function answerOf(error: unknown): CommandAnswer {
  if (error instanceof ApiError) return { status: error.status, body: error.body };
  if (error instanceof JournalError)
    return { status: 500, body: { error: error.message, code: "journal_failed" } };
  const message = "the host has failed; its log says more";
  return { status: 500, body: { error: message, code: "internal_error" } };
}

/** The session may be called `stageId`. */
function withSession(fields: Readonly<Record<string, unknown>>) {
  const { id = fields["stageId"], ...rest } = fields;
  return id === undefined ? rest : { ...rest, id };
}
