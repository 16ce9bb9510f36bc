/** Commands that answer what Claude asks. */
import { z } from "zod";
import type { PendingPrompt } from "../../client/host-api.ts";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { PermissionSuggestion } from "../../src/protocol-types.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { Caller, HostSession, HostSessions, PromptAnswer } from "../api/host-session.ts";
import { answerCall } from "./aliases.ts";
import { name, ofSession } from "./command-fields.ts";

const ofPrompt = { ...ofSession, request_id: name };

/** By its request or by its tool call; that of a tool call allows where it has no decision. */
const ApprovalFields = z.strictObject({
  ...ofSession,
  request_id: name.optional(),
  tool_use_id: name.optional(),
  decision: z.enum(["allow", "deny"]).optional(),
  reason: z.string().optional(),
  updatedInput: jsonObject.optional(),
  /** Indexes of the prompt's suggestions. */
  suggestions: z.array(z.number().int().nonnegative()).max(100).optional(),
  /** Further changes of permissions, beside those suggestions. */
  updatedPermissions: z.array(PermissionSuggestion).max(100).optional(),
  interrupt: z.boolean().optional(),
});

const Approval = ApprovalFields.superRefine(({ request_id, tool_use_id, decision }, context) => {
  const refuse = (field: keyof typeof ApprovalFields.shape, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (request_id === undefined && tool_use_id === undefined)
    refuse("request_id", "is missing, as is tool_use_id");
  else if (request_id === undefined) return;
  else if (tool_use_id !== undefined) refuse("tool_use_id", "is given beside request_id");
  else if (decision === undefined) refuse("decision", "is missing");
});
type Approval = z.infer<typeof Approval>;

const Answers = z.strictObject({
  ...ofPrompt,
  answers: jsonObject,
  annotations: jsonObject.optional(),
});

const Elicitation = z.strictObject({
  ...ofPrompt,
  action: z.enum(["accept", "decline", "cancel"]),
  content: jsonObject.optional(),
});

const Dialog = z.strictObject({ ...ofPrompt, behavior: name, result: z.unknown().optional() });

async function approve(
  session: HostSession,
  { request_id = "", tool_use_id, decision = "allow", ...fields }: Omit<Approval, "id">,
  caller: Caller,
): Promise<CommandAnswer> {
  const answer = { ...fields, kind: "approval", decision } as const;
  if (tool_use_id !== undefined) return answerCall(session, { ...answer, tool_use_id }, caller);
  await session.answer(request_id, answer, caller);
  return ok({ status: "ok" });
}

export function promptCommands(sessions: HostSessions) {
  type Prompt = { readonly id: string; readonly request_id: string };
  const answer = async (prompt: Prompt, given: PromptAnswer, caller: Caller) => {
    await sessions.get(prompt.id).answer(prompt.request_id, given, caller);
    return ok({ status: "ok" });
  };
  return {
    pending: command(z.strictObject(ofSession), ({ id }) =>
      ok({ pending: sessions.get(id).pending().map(withRequestId) }),
    ),
    approve: command(Approval, ({ id, ...fields }, caller) =>
      approve(sessions.get(id), fields, caller),
    ),
    answer: command(Answers, ({ id, request_id, ...fields }, caller) =>
      answer({ id, request_id }, { kind: "answers", ...fields }, caller),
    ),
    elicitation: command(Elicitation, ({ id, request_id, ...fields }, caller) =>
      answer({ id, request_id }, { kind: "elicitation", ...fields }, caller),
    ),
    dialog: command(Dialog, ({ id, request_id, ...fields }, caller) =>
      answer({ id, request_id }, { kind: "dialog", ...fields }, caller),
    ),
  };
}

/** A prompt with its id in both spellings. */
function withRequestId(prompt: PendingPrompt) {
  return { ...prompt, request_id: prompt.requestId };
}
