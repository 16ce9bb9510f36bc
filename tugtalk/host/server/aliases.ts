/** Routes by which other hosts answer prompts: they name the tool call instead of the request. */
import { z } from "zod";
import type { HostRoute } from "../../client/host-routes.ts";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { ApiError } from "../api/api-error.ts";
import { type Command, type CommandAnswer, ok } from "../api/command.ts";
import type { Caller, HostSessions, PromptAnswer } from "../api/host-session.ts";
import { name } from "./command-fields.ts";

export const ALIAS_ROUTES = {
  submit_answers: { method: "POST", path: "/api/sessions/:id/submit-answers" },
  deny_call: { method: "POST", path: "/api/sessions/:id/deny" },
} as const satisfies Readonly<Record<string, HostRoute>>;

/** `approve_call` has the path of the command `approve`, and a `toolCallId`. */
export type AliasName = keyof typeof ALIAS_ROUTES | "approve_call";

const Submitted = z.object({ id: name, toolCallId: name, answers: jsonObject });
const Call = z.object({ id: name, toolCallId: name, reason: z.string().optional() });

export function aliasCommands(sessions: HostSessions): Readonly<Record<AliasName, Command>> {
  return {
    submit_answers: async (fields, caller) => {
      const { data } = Submitted.safeParse(fields);
      if (data === undefined) throw badRequest("toolCallId and answers are required");
      const answer = { kind: "answers", answers: data.answers } as const;
      return answerCall(sessions, { ...data, answer, none: "No pending question" }, caller);
    },
    approve_call: (fields, caller) => decide(sessions, "allow", fields, caller),
    deny_call: (fields, caller) => decide(sessions, "deny", fields, caller),
  };
}

async function decide(
  sessions: HostSessions,
  decision: "allow" | "deny",
  fields: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<CommandAnswer> {
  const { data } = Call.safeParse(fields);
  if (data === undefined) throw badRequest("toolCallId is required");
  const answer = { kind: "approval", decision, reason: data.reason } as const;
  return answerCall(sessions, { ...data, answer, none: "No pending approval" }, caller);
}

type CallAnswer = {
  readonly id: string;
  readonly toolCallId: string;
  readonly answer: PromptAnswer;
  /** What is said where the call has no prompt. */
  readonly none: string;
};

async function answerCall(
  sessions: HostSessions,
  { id, toolCallId, answer, none }: CallAnswer,
  caller: Caller,
): Promise<CommandAnswer> {
  const session = sessions.get(id);
  const requestId = session.requestOfTool(toolCallId);
  const open = session.pending().find((prompt) => prompt.requestId === requestId);
  const type = answer.kind === "answers" ? "question" : "approval";
  const isOfOtherKind = open !== undefined && open.type !== type;
  if (requestId === undefined || isOfOtherKind) throw new ApiError(404, "unknown_request", none);
  await session.answer(requestId, answer, caller);
  return ok({ ok: true });
}

function badRequest(message: string): ApiError {
  return new ApiError(400, "bad_request", message);
}
