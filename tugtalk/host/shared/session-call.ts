/** A command for a session in its form in the database: its method and arguments as JSON, and its outcome. */
import { z } from "zod";
import { ApiError } from "../api/api-error.ts";
import { refusalOf } from "../api/error-answer.ts";
import type { HostSession } from "../api/host-session.ts";

/** The methods that only the session's holder can execute. */
const METHODS = [
  "rename",
  "setLimit",
  "setArchived",
  "setGoesOn",
  "cancelGoingOn",
  "previewRewind",
  "rewind",
  "message",
  "editQueued",
  "deleteQueued",
  "sendQueued",
  "takeReturned",
  "answer",
  "interrupt",
  "stopTask",
  "setMode",
  "setModel",
  "control",
  "end",
] as const satisfies readonly (keyof HostSession)[];

export type SessionMethod = (typeof METHODS)[number];

/** `fork`, `delete` and `hand_over` are commands to all sessions of a host. */
const Call = z.object({
  method: z.enum([...METHODS, "fork", "delete", "hand_over"]),
  args: z.array(z.unknown()),
});
export type SessionCall = z.infer<typeof Call>;

const Reply = z.union([
  z.object({ value: z.unknown() }),
  z.object({
    refusal: z.object({
      status: z.number(),
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
  }),
]);
export type CallReply = z.infer<typeof Reply>;

/** Throws if the text is no call of this version. */
export function parseCall(text: string): SessionCall {
  return Call.parse(JSON.parse(text));
}

/** The value of an answer. Throws the `ApiError` of a refusal. */
export function answeredBy(text: string): unknown {
  const reply = Reply.parse(JSON.parse(text));
  if ("value" in reply) return reply.value;
  const { status, code, message, details } = reply.refusal;
  throw new ApiError(status, code, message, details);
}

/** Runs a command, and gives the answer. `report` gets errors that are mistakes of ours. */
export async function replyOf(
  run: () => Promise<unknown>,
  report: (error: unknown) => void,
): Promise<CallReply> {
  try {
    return { value: (await run()) ?? null };
  } catch (error) {
    if (!(error instanceof ApiError)) report(error);
    const { status, code, message, details } = refusalOf(error);
    return { refusal: { status, code, message, details: { ...details } } };
  }
}

/** The arguments fit the method, since a host of this version or a neighbouring one has sent them. */
export function callSession(
  session: HostSession,
  method: SessionMethod,
  args: readonly unknown[],
): Promise<unknown> {
  const run: (...args: never[]) => Promise<unknown> = session[method];
  return run.apply(session, args as never[]);
}
