/** Answers to prompts that are named by their tool call, in the words that other hosts use. */
import { z } from "zod";
import { jsonObject } from "../../src/base/json-schemas.ts";
import type { AliasName } from "../api/alias-routes.ts";
import { ApiError } from "../api/api-error.ts";
import { type Command, type CommandAnswer, checked, ok } from "../api/command.ts";
import type { Caller, HostSession, HostSessions, PromptAnswer } from "../api/host-session.ts";
import { name, ofSession } from "./command-fields.ts";

const ofCall = { ...ofSession, tool_use_id: name };

const Submitted = z.strictObject({ ...ofCall, answers: jsonObject });
const Denied = z.strictObject({
  ...ofCall,
  reason: z.string().optional(),
  interrupt: z.boolean().optional(),
});

export function aliasCommands(sessions: HostSessions): Readonly<Record<AliasName, Command>> {
  return {
    submit_answers: async (given, caller) => {
      const missing = "toolCallId and answers are required";
      const { id, tool_use_id, answers } = checked(Submitted, given, missing);
      return answerCall(sessions.get(id), { tool_use_id, kind: "answers", answers }, caller);
    },
    deny_call: async (given, caller) => {
      const { id, ...denied } = checked(Denied, given, "toolCallId is required");
      const answer = { ...denied, kind: "approval", decision: "deny" } as const;
      return answerCall(sessions.get(id), answer, caller);
    },
  };
}

/** An answer of one of the two kinds that a tool call can have. */
type CallAnswer = Extract<PromptAnswer, { kind: "approval" | "answers" }> & {
  readonly tool_use_id: string;
};

/** What is said where the call has no prompt of that kind. */
const NONE = { approval: "No pending approval", answers: "No pending question" } as const;
const TYPES = { approval: "approval", answers: "question" } as const;

export async function answerCall(
  session: HostSession,
  { tool_use_id, ...answer }: CallAnswer,
  caller: Caller,
): Promise<CommandAnswer> {
  const requestId = session.requestOfTool(tool_use_id);
  const open = session.pending().find((prompt) => prompt.requestId === requestId);
  const isOfOtherKind = open !== undefined && open.type !== TYPES[answer.kind];
  if (requestId === undefined || isOfOtherKind)
    throw new ApiError(404, "unknown_request", NONE[answer.kind]);
  await session.answer(requestId, answer, caller);
  return ok({ ok: true });
}
