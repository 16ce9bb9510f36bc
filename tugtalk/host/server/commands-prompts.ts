/**
 * Commands that answer Claude's prompts. Each takes the fields of the bridge's message. The commands of other
 * hosts name a prompt by its tool call.
 */
import type { AliasName } from "../api/alias-routes.ts";
import { ApiError } from "../api/api-error.ts";
import { type Command, type CommandAnswer, checked, command, ok } from "../api/command.ts";
import type { Caller, HostSession, HostSessions } from "../api/host-session.ts";
import { COMMAND_FIELDS } from "../fields/command-fields.ts";
import { ALIAS_COMMANDS } from "../fields/prompt-fields.ts";
import { answerMessage, type GivenAnswer } from "../prompts/answer-message.ts";
import { pendingPrompt } from "../prompts/plan-prompts.ts";

export function promptCommands(sessions: HostSessions) {
  type Prompt = { readonly id: string; readonly request_id: string };
  const answer = async ({ id, request_id }: Prompt, given: GivenAnswer, caller: Caller) => {
    await answerPrompt(sessions.get(id), request_id, given, caller);
    return ok({ status: "ok" });
  };
  return {
    pending: command(COMMAND_FIELDS.pending, async ({ id }) => {
      const prompts = await sessions.get(id).prompts();
      return ok({ pending: prompts.map((prompt) => pendingPrompt(id, prompt)) });
    }),
    approve: command(
      COMMAND_FIELDS.approve,
      async ({ id, request_id = "", tool_use_id, decision = "allow", ...fields }, caller) => {
        const given = { type: "tool_approval", decision, ...fields } as const;
        return tool_use_id === undefined
          ? answer({ id, request_id }, given, caller)
          : answerCall(sessions.get(id), tool_use_id, given, caller);
      },
    ),
    answer: command(COMMAND_FIELDS.answer, ({ id, request_id, ...fields }, caller) =>
      answer({ id, request_id }, { type: "question_answer", ...fields }, caller),
    ),
    elicitation: command(COMMAND_FIELDS.elicitation, ({ id, request_id, ...fields }, caller) =>
      answer({ id, request_id }, { type: "elicitation_answer", ...fields }, caller),
    ),
    dialog: command(COMMAND_FIELDS.dialog, ({ id, request_id, ...fields }, caller) =>
      answer({ id, request_id }, { type: "dialog_answer", ...fields }, caller),
    ),
  };
}

export function aliasCommands(sessions: HostSessions): Readonly<Record<AliasName, Command>> {
  return {
    submit_answers: async (given, caller) => {
      const missing = "toolCallId and answers are required";
      const { id, tool_use_id, answers } = checked(ALIAS_COMMANDS.submit_answers, given, missing);
      const answer = { type: "question_answer", answers } as const;
      return answerCall(sessions.get(id), tool_use_id, answer, caller);
    },
    deny_call: async (given, caller) => {
      const { id, tool_use_id, ...denied } = checked(
        ALIAS_COMMANDS.deny_call,
        given,
        "toolCallId is required",
      );
      const answer = { type: "tool_approval", decision: "deny", ...denied } as const;
      return answerCall(sessions.get(id), tool_use_id, answer, caller);
    },
  };
}

async function answerPrompt(
  session: HostSession,
  requestId: string,
  given: GivenAnswer,
  caller: Caller,
): Promise<void> {
  const message = answerMessage(await session.prompt(requestId), given);
  await session.answer(message, caller);
}

/** An answer of one of the two kinds that a tool call can have. */
type CallAnswer = Extract<GivenAnswer, { type: "tool_approval" | "question_answer" }>;

/** The kind of prompts that each message answers, and the error if the call has none of that kind. */
const ANSWERED = {
  tool_approval: { kind: "permission", none: "No pending approval" },
  question_answer: { kind: "question", none: "No pending question" },
} as const;

async function answerCall(
  session: HostSession,
  toolUseId: string,
  given: CallAnswer,
  caller: Caller,
): Promise<CommandAnswer<{ readonly ok: true }>> {
  const { kind, none } = ANSWERED[given.type];
  const prompt = await session.promptOfCall(toolUseId);
  if (prompt === undefined || ("kind" in prompt && prompt.kind !== kind))
    throw new ApiError(404, "unknown_request", none);
  await answerPrompt(session, prompt.requestId, given, caller);
  return ok({ ok: true });
}
