/** Commands about sessions as a whole: listed, created, read, renamed, deleted, moved, forked. */
import { z } from "zod";
import type { SessionInfo } from "../../client/host-api.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { HostSession, HostSessions } from "../api/host-session.ts";
import { flag, limit, name, ofSession, title } from "./command-fields.ts";
import { MoveFields, NewSessionFields } from "./new-session-fields.ts";

type InFolder = {
  readonly create: (fields: NewSessionFields) => Promise<HostSession>;
  readonly move: (fields: MoveFields) => Promise<HostSession>;
};

export function sessionCommands(sessions: HostSessions, { create, move }: InFolder) {
  return {
    sessions: command(z.strictObject({}), () => ok({ sessions: sessions.list() })),
    create: command(NewSessionFields, async (fields) => created(await create(fields))),
    session: command(z.strictObject(ofSession), ({ id }) => ok({ ...sessions.get(id).info() })),
    update: command(Changes, async ({ id, ...changes }) =>
      ok({ ...(await changed(sessions.get(id), changes)) }),
    ),
    delete: command(
      z.strictObject({ ...ofSession, keep: flag.optional() }),
      async ({ id, keep }) => {
        if (keep === true) await sessions.get(id).end();
        else await sessions.delete(id);
        return ok({ status: "ok" });
      },
    ),
    snapshot: command(z.strictObject(ofSession), async ({ id }) =>
      ok({ ...(await sessions.get(id).snapshot()) }),
    ),
    turns: command(Page, async ({ id, before, limit }) =>
      ok({ ...(await sessions.get(id).turns(before, limit)) }),
    ),
    move: command(MoveFields, async (fields) => ok({ ...(await move(fields)).info() })),
    fork: command(z.strictObject({ ...ofSession, at_message: name.optional() }), async (fields) =>
      created(await sessions.fork(fields.id, fields.at_message)),
    ),
  };
}

const Changes = z
  .strictObject({
    ...ofSession,
    title: title.optional(),
    limit_usd: limit.nullable().optional(),
    archived: flag.optional(),
    goes_on: flag.optional(),
    goes_on_at: z.null().optional(),
  })
  .refine(({ id: _, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
    path: ["title"],
    message: "is missing, as are limit_usd, archived, goes_on and goes_on_at",
  });

async function changed(
  session: HostSession,
  { title, limit_usd, archived, goes_on, goes_on_at }: Omit<z.infer<typeof Changes>, "id">,
): Promise<SessionInfo> {
  if (title !== undefined) await session.rename(title);
  if (limit_usd !== undefined) await session.setLimit(limit_usd);
  if (archived !== undefined) await session.setArchived(archived);
  if (goes_on !== undefined) await session.setGoesOn(goes_on);
  if (goes_on_at !== undefined) await session.cancelGoingOn();
  return session.info();
}

const Page = z.strictObject({
  ...ofSession,
  before: name.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

function created(session: HostSession): CommandAnswer {
  return { status: 201, body: { ...session.info() } };
}
