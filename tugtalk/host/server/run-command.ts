/** Runs commands by name, and turns what they throw into answers. */
import { ApiError, badField } from "../api/api-error.ts";
import type { CommandRunner, CommandTable } from "../api/command.ts";
import { answerOf } from "../api/error-answer.ts";

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

/** The session may be called `stageId`. */
function withSession({ stageId, ...fields }: Readonly<Record<string, unknown>>) {
  if (stageId === undefined) return fields;
  const { id = stageId } = fields;
  if (id !== stageId) throw badField("stageId", "names another session");
  return { ...fields, id };
}
