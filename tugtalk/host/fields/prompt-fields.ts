/** The fields of the commands that answer prompts. The bridge's messages have the same. */
import { z } from "zod";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { DialogAnswer, ElicitationAnswer } from "../../src/messages/prompt-messages.ts";
import { PermissionSuggestion } from "../../src/protocol-types.ts";
import { name, ofSession } from "./common-fields.ts";

const ofPrompt = { ...ofSession, request_id: name };

/** Names a prompt by its request or its tool call. By a tool call, an approval without a decision allows. */
const ApprovalFields = z.strictObject({
  ...ofSession,
  request_id: name.optional(),
  tool_use_id: name.optional(),
  decision: z.enum(["allow", "deny"]).optional(),
  message: z.string().optional(),
  updatedInput: jsonObject.optional(),
  /** Indexes of the prompt's suggestions. */
  suggestions: z.array(z.number().int().nonnegative()).max(100).optional(),
  /** Further permission changes, beside those suggestions. */
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

const { action, content } = ElicitationAnswer.shape;
const { behavior, result } = DialogAnswer.shape;

export const PROMPT_COMMANDS = {
  pending: z.strictObject(ofSession),
  approve: Approval,
  answer: z.strictObject({
    ...ofPrompt,
    answers: jsonObject,
    annotations: jsonObject.optional(),
    response: z.string().optional(),
  }),
  elicitation: z.strictObject({ ...ofPrompt, action, content }),
  dialog: z.strictObject({ ...ofPrompt, behavior, result }),
};

const ofCall = { ...ofSession, tool_use_id: name };
const { message, interrupt } = ApprovalFields.shape;

/** The fields of the commands of other hosts, which name a prompt by its tool call. */
export const ALIAS_COMMANDS = {
  submit_answers: z.strictObject({ ...ofCall, answers: jsonObject }),
  deny_call: z.strictObject({ ...ofCall, message, interrupt }),
};
