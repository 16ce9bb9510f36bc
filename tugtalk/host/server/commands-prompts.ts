/** Commands that answer what Claude asks. */
import { z } from "zod";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { PermissionSuggestion } from "../../src/protocol-types.ts";
import { command, ok } from "../api/command.ts";
import type { Caller, HostSessions, PromptAnswer } from "../api/host-session.ts";
import { name, ofSession } from "./command-fields.ts";

const ofPrompt = { ...ofSession, requestId: name };

const Approval = z.object({
  ...ofPrompt,
  decision: z.enum(["allow", "deny"]),
  reason: z.string().optional(),
  updatedInput: jsonObject.optional(),
  /** Indexes of the prompt's suggestions. */
  suggestions: z.array(z.number().int().nonnegative()).max(100).optional(),
  /** Further changes of permissions, beside those suggestions. */
  updatedPermissions: z.array(PermissionSuggestion).max(100).optional(),
  interrupt: z.boolean().optional(),
});

const Answers = z.object({
  ...ofPrompt,
  answers: jsonObject,
  annotations: jsonObject.optional(),
});

const Elicitation = z.object({
  ...ofPrompt,
  action: z.enum(["accept", "decline", "cancel"]),
  content: jsonObject.optional(),
});

const Dialog = z.object({ ...ofPrompt, behavior: name, result: z.unknown().optional() });

export function promptCommands(sessions: HostSessions) {
  type Prompt = { readonly id: string; readonly requestId: string };
  const answer = async (prompt: Prompt, given: PromptAnswer, caller: Caller) => {
    await sessions.get(prompt.id).answer(prompt.requestId, given, caller);
    return ok({ status: "ok" });
  };
  return {
    pending: command(z.object(ofSession), ({ id }) => ok({ pending: sessions.get(id).pending() })),
    approve: command(Approval, ({ id, requestId, ...fields }, caller) =>
      answer({ id, requestId }, { kind: "approval", ...fields }, caller),
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
