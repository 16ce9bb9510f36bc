/** Commands that answer what Claude asks. */
import { z } from "zod";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { PermissionSuggestion } from "../../src/protocol-types.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { Caller, HostSession, HostSessions, PromptAnswer } from "../api/host-session.ts";
import { answerCall } from "./aliases.ts";
import { name, ofSession } from "./command-fields.ts";

const ofPrompt = { ...ofSession, requestId: name };

/** By its request or by its tool call; that of a tool call allows where it has no decision. */
const ApprovalFields = z.strictObject({
  ...ofSession,
  requestId: name.optional(),
  toolCallId: name.optional(),
  decision: z.enum(["allow", "deny"]).optional(),
  reason: z.string().optional(),
  updatedInput: jsonObject.optional(),
  /** Indexes of the prompt's suggestions. */
  suggestions: z.array(z.number().int().nonnegative()).max(100).optional(),
  /** Further changes of permissions, beside those suggestions. */
  updatedPermissions: z.array(PermissionSuggestion).max(100).optional(),
  interrupt: z.boolean().optional(),
});

const Approval = ApprovalFields.superRefine(({ requestId, toolCallId, decision }, context) => {
  const refuse = (field: keyof typeof ApprovalFields.shape, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (requestId === undefined && toolCallId === undefined)
    refuse("requestId", "is missing, as is toolCallId");
  else if (requestId === undefined) return;
  else if (toolCallId !== undefined) refuse("toolCallId", "is given beside requestId");
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
  { requestId = "", toolCallId, decision = "allow", ...fields }: Omit<Approval, "id">,
  caller: Caller,
): Promise<CommandAnswer> {
  const answer = { ...fields, kind: "approval", decision } as const;
  if (toolCallId !== undefined) return answerCall(session, { ...answer, toolCallId }, caller);
  await session.answer(requestId, answer, caller);
  return ok({ status: "ok" });
}

export function promptCommands(sessions: HostSessions) {
  type Prompt = { readonly id: string; readonly requestId: string };
  const answer = async (prompt: Prompt, given: PromptAnswer, caller: Caller) => {
    await sessions.get(prompt.id).answer(prompt.requestId, given, caller);
    return ok({ status: "ok" });
  };
  return {
    pending: command(z.strictObject(ofSession), ({ id }) =>
      ok({ pending: sessions.get(id).pending() }),
    ),
    approve: command(Approval, ({ id, ...fields }, caller) =>
      approve(sessions.get(id), fields, caller),
    ),
    answer: command(Answers, ({ id, requestId, ...fields }, caller) =>
      answer({ id, requestId }, { kind: "answers", ...fields }, caller),
    ),
    elicitation: command(Elicitation, ({ id, requestId, ...fields }, caller) =>
      answer({ id, requestId }, { kind: "elicitation", ...fields }, caller),
    ),
    dialog: command(Dialog, ({ id, requestId, ...fields }, caller) =>
      answer({ id, requestId }, { kind: "dialog", ...fields }, caller),
    ),
  };
}
