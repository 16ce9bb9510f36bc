/** The command that rewinds to before a message: its files, its conversation, or both. */
import type { RewoundFiles } from "../../client/rewind-models.ts";
import { ApiError, halfDone } from "../api/api-error.ts";
import { command, ok } from "../api/command.ts";
import type { HostSession, HostSessions } from "../api/host-session.ts";
import { COMMAND_FIELDS } from "../fields/command-fields.ts";

export function rewindCommands(sessions: HostSessions) {
  return {
    rewind: command(
      COMMAND_FIELDS.rewind,
      async ({ id, message_id, dry_run, files = false, conversation }) => {
        const session = sessions.get(id);
        if (dry_run === true)
          return ok({ status: "ok", ...(await session.previewRewind(message_id)) });
        const put = await session.rewind(message_id, { files, conversation });
        const fork =
          conversation === "fork" ? await forkAfter(sessions, id, message_id, put) : undefined;
        return ok({
          status: "ok",
          ...(put && { files: put }),
          ...(fork !== undefined && { session: fork.info() }),
        });
      },
    ),
  };
}

/** If no copy can be made, the refusal still names the files that were put back. */
async function forkAfter(
  sessions: HostSessions,
  id: string,
  messageId: string,
  files: RewoundFiles | undefined,
): Promise<HostSession> {
  try {
    return await sessions.fork(id, messageId);
  } catch (error) {
    throw error instanceof ApiError ? halfDone(error, files) : error;
  }
}
