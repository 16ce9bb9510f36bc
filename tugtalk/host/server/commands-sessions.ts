/** Commands about whole sessions: list, create, read, rename, delete, move, fork. */
import type { SessionInfo } from "../../client/host-api.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { HostSession, HostSessions } from "../api/host-session.ts";
import { COMMAND_FIELDS } from "../fields/command-fields.ts";
import type { MoveFields, NewSessionFields, SessionChanges } from "../fields/session-fields.ts";

type InFolder = {
  readonly create: (fields: NewSessionFields) => Promise<HostSession>;
  readonly move: (fields: MoveFields) => Promise<HostSession>;
};

export function sessionCommands(sessions: HostSessions, { create, move }: InFolder) {
  return {
    sessions: command(COMMAND_FIELDS.sessions, () => ok({ sessions: sessions.list() })),
    create: command(COMMAND_FIELDS.create, async (fields) => created(await create(fields))),
    session: command(COMMAND_FIELDS.session, ({ id }) => ok(sessions.get(id).info())),
    update: command(COMMAND_FIELDS.update, async ({ id, ...changes }) =>
      ok(await changed(sessions.get(id), changes)),
    ),
    delete: command(COMMAND_FIELDS.delete, async ({ id, keep }) => {
      if (keep === true) await sessions.get(id).end();
      else await sessions.delete(id);
      return ok({ status: "ok" });
    }),
    snapshot: command(COMMAND_FIELDS.snapshot, async ({ id }) =>
      ok(await sessions.get(id).snapshot()),
    ),
    turns: command(COMMAND_FIELDS.turns, async ({ id, before, limit }) =>
      ok(await sessions.get(id).turns(before, limit)),
    ),
    move: command(COMMAND_FIELDS.move, async (fields) => ok((await move(fields)).info())),
    fork: command(COMMAND_FIELDS.fork, async (fields) =>
      created(await sessions.fork(fields.id, fields.at_message)),
    ),
  };
}

async function changed(
  session: HostSession,
  { title, limit_usd, archived, goes_on, goes_on_at }: Omit<SessionChanges, "id">,
): Promise<SessionInfo> {
  if (title !== undefined) await session.rename(title);
  if (limit_usd !== undefined) await session.setLimit(limit_usd);
  if (archived !== undefined) await session.setArchived(archived);
  if (goes_on !== undefined) await session.setGoesOn(goes_on);
  if (goes_on_at !== undefined) await session.cancelGoingOn();
  return session.info();
}

function created(session: HostSession): CommandAnswer<SessionInfo> {
  return { status: 201, body: session.info() };
}
