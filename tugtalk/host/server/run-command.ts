/** Runs commands by name, and turns their errors into answers. */
import type { Fields } from "../../src/base/json.ts";
import { ApiError, badField, databaseAway } from "../api/api-error.ts";
import type { CommandName, CommandRunner, CommandTable } from "../api/command.ts";
import { answerOf } from "../api/error-answer.ts";

/** The commands that are answered even while the sessions' database is away. */
const OF_THE_HOST: ReadonlySet<CommandName> = new Set(["health", "page", "places"]);

/**
 * `seek` is awaited with the session of a command, which the host may not know yet. `report` gets errors that
 * are mistakes of ours; the client learns nothing of them. `isAway`: the database of the sessions cannot be
 * reached.
 */
export function openCommandRunner(
  commands: CommandTable,
  seek: (session: string) => Promise<void>,
  report: (error: unknown) => void,
  isAway = () => false,
): CommandRunner {
  return async (name, fields, caller) => {
    try {
      if (isAway() && !OF_THE_HOST.has(name)) throw databaseAway();
      const given = withSession(fields);
      if (typeof given["id"] === "string") await seek(given["id"]);
      return await commands[name](named(name, given), caller);
    } catch (error) {
      if (!(error instanceof ApiError)) report(error);
      return answerOf(error);
    }
  };
}

/** Renames `stageId`, another host's name for the session. */
function withSession({ stageId, ...fields }: Fields): Fields {
  if (stageId === undefined) return fields;
  const { id = stageId } = fields;
  if (id !== stageId) throw badField("stageId", "names another session");
  return { ...fields, id };
}

const ofPrompt = { requestId: "request_id" } as const;
const ofCall = { toolCallId: "tool_use_id" } as const;
const ofDenial = { reason: "message" } as const;

/** The names of other hosts for fields of these commands. */
export const ALIASES: Readonly<Partial<Record<CommandName, Readonly<Record<string, string>>>>> = {
  approve: { ...ofPrompt, ...ofCall, ...ofDenial },
  answer: ofPrompt,
  elicitation: ofPrompt,
  dialog: ofPrompt,
  submit_answers: ofCall,
  deny_call: { ...ofCall, ...ofDenial },
  mode: { mode: "permission_mode" },
};

/** The fields under our names. Throws `ApiError` 400 if a field comes under both names. */
function named(command: CommandName, fields: Fields): Fields {
  const renamed = { ...fields };
  for (const [alias, field] of Object.entries(ALIASES[command] ?? {})) {
    if (!Object.hasOwn(fields, alias)) continue;
    if (Object.hasOwn(fields, field)) throw badField(alias, `is given beside ${field}`);
    renamed[field] = fields[alias];
    delete renamed[alias];
  }
  return renamed;
}
