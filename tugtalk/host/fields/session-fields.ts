/**
 * The fields of the commands about whole sessions: list, create, read, change, delete, move, fork, rewind.
 */
import { z } from "zod";
import { SessionOptions } from "../../src/messages/options.ts";
import { countUpTo, flag, limit, name, ofSession, title } from "./common-fields.ts";

/** Claude is ended in at most two steps of this length, and the host ends within 10 s. */
export const MAX_SHUTDOWN_GRACE_MS = 4_000;

/** Options for a program that stays as long as the bridge; clients of the host come and go. */
export const OF_PROGRAMS = ["host_tools", "host_hooks", "transcript_mirror"] as const;

const Options = SessionOptions.superRefine((options, context) => {
  const refuse = (path: keyof SessionOptions, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if ((options.shutdown_grace_ms ?? 0) > MAX_SHUTDOWN_GRACE_MS)
    refuse("shutdown_grace_ms", `expected at most ${MAX_SHUTDOWN_GRACE_MS}`);
  for (const name of OF_PROGRAMS)
    if (options[name] !== undefined)
      refuse(name, "no client of this host is there as long as the session");
});

const uuid = z.uuid().toLowerCase();

/** The fields that need a conversation to continue. */
const OF_RESUMED = ["fork", "at_message", "force"] as const;

const Fields = z.strictObject({
  dir: name.optional(),
  place: name.optional(),
  model: name.optional(),
  permission_mode: name.optional(),
  limit_usd: limit.optional(),
  options: Options.optional(),
  title: title.optional(),
  /** Claude's id of a conversation to continue. */
  resume: uuid.optional(),
  fork: z.boolean().optional(),
  at_message: uuid.optional(),
  /** The host keeps Claude's own files of the conversation, so that the session can move. */
  mirror: z.boolean().optional(),
  /** A repeated id gives the same session. */
  request_id: name.optional(),
  /** A person has read the list of programs and permissions of the folder. */
  trust: z.boolean().optional(),
  /** Continues a conversation that another process may be using. */
  force: z.boolean().optional(),
});

export const NewSessionFields = Fields.superRefine((fields, context) => {
  if (fields.resume !== undefined) return;
  const [alone] = OF_RESUMED.filter((field) => (fields[field] ?? false) !== false);
  if (alone !== undefined)
    context.addIssue({ code: "custom", path: [alone], message: "is given without resume" });
});
export type NewSessionFields = z.infer<typeof NewSessionFields>;

/** The target of a session's move. */
export const MoveFields = z.strictObject({
  ...ofSession,
  place: name,
  dir: name.optional(),
  /** A person has read the list of programs and permissions of the folder. */
  trust: flag.optional(),
  /** Moves even while Claude works. */
  force: flag.optional(),
});
export type MoveFields = z.infer<typeof MoveFields>;

export const SessionChanges = z
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
export type SessionChanges = z.infer<typeof SessionChanges>;

const Rewind = z
  .strictObject({
    ...ofSession,
    message_id: name,
    files: flag.optional(),
    conversation: z.enum(["here", "fork"]).optional(),
    dry_run: flag.optional(),
  })
  .refine(({ files, conversation, dry_run }) => files || dry_run || conversation !== undefined, {
    path: ["files"],
    message: "is missing, as is conversation",
  });

export const SESSION_COMMANDS = {
  sessions: z.strictObject({}),
  create: NewSessionFields,
  session: z.strictObject(ofSession),
  update: SessionChanges,
  delete: z.strictObject({ ...ofSession, keep: flag.optional() }),
  snapshot: z.strictObject(ofSession),
  turns: z.strictObject({
    ...ofSession,
    before: name.optional(),
    limit: countUpTo(200).default(50),
  }),
  rewind: Rewind,
  move: MoveFields,
  fork: z.strictObject({ ...ofSession, at_message: uuid.optional() }),
};
