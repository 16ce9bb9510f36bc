/** Commands about sessions as a whole: listed, created, read, renamed, deleted, forked. */
import { z } from "zod";
import type { SessionInfo } from "../../client/host-api.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { HostSession, HostSessions } from "../api/host-session.ts";
import { flag, limit, name, ofSession, title } from "./command-fields.ts";
import { NewSessionFields } from "./new-session-fields.ts";

type Create = (fields: NewSessionFields) => Promise<HostSession>;

export function sessionCommands(sessions: HostSessions, create: Create) {
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
    fork: command(z.strictObject({ ...ofSession, at_message: name.optional() }), async (fields) =>
      created(await sessions.fork(fields.id, fields.at_message)),
    ),
  };
}

const Changes = z
  .strictObject({ ...ofSession, title: title.optional(), limit_usd: limit.nullable().optional() })
  .refine((fields) => fields.title !== undefined || fields.limit_usd !== undefined, {
    path: ["title"],
    message: "is missing, as is limit_usd",
  });

async function changed(
  session: HostSession,
  { title, limit_usd }: Omit<z.infer<typeof Changes>, "id">,
): Promise<SessionInfo> {
  if (title !== undefined) await session.rename(title);
  if (limit_usd !== undefined) await session.setLimit(limit_usd);
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
