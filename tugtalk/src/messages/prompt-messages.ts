/** Prompts for a person, the answers to those other than permissions, and how every prompt is closed. */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { nullish, nullishFields, optional } from "./claude-fields.ts";
import {
  described,
  flag,
  inbound,
  looseOutbound,
  optionalText,
  outbound,
  text,
  texts,
} from "./message-schemas.ts";

const requestId = text.describe("Identifies the prompt; its answer repeats it. Set by Claude.");
const answeredId = text.describe("The `request_id` of the prompt.");
const closedId = text.describe("The `request_id` of the request.");

/**
 * Passed on as it is. The JSON Schema names the fields of the known kinds, so that types that are
 * generated from it lose none before it is sent back.
 */
const suggestion = z
  .looseObject({ type: text.describe("The kind of change: `addRules`, `setMode`, …") })
  .meta({ known: "PermissionSuggestion" });

/** Claude's fields of a permission that it asks for. */
export const PERMISSION_FIELDS = {
  tool_name: text.describe("The tool that Claude wants to run."),
  input: jsonObject.describe("Its input. For a question it is an `AskUserQuestionInput`."),
  ...described(optional(text), {
    tool_use_id: "The tool call. Absent if Claude does not say.",
    agent_id: "The subagent that called the tool. Absent for the main conversation.",
  }),
  ...nullishFields(text, {
    decision_reason: "Why a person is asked. Absent if Claude does not say.",
    blocked_path: "The path that the tool may not use by itself. Absent if that is not the reason.",
  }),
  permission_suggestions: nullish(z.array(suggestion)).describe(
    'Rules that would make the prompt needless, each a `PermissionSuggestion`. For "always allow" the chosen ones are sent back in `updatedPermissions`.',
  ),
};

const ControlRequestForward = looseOutbound("control_request_forward", {
  request_id: requestId,
  ...PERMISSION_FIELDS,
  is_question: flag.describe(
    "True: answered with `question_answer`. False: answered with `tool_approval`.",
  ),
  plan: optionalText.describe(
    "For `ExitPlanMode`: the plan, from `input` or from the tool call. Absent if neither has one.",
  ),
}).describe(
  "Claude asks a person for a permission or an answer. Claude's further fields pass through: `display_name`, `description`, `decision_reason_type`, … Without `turn_id` it is from work in the background.",
);

/** Claude's fields of a request of an MCP server. */
export const ELICITATION_FIELDS = {
  mcp_server_name: text.describe("The MCP server."),
  message: text.describe("The request in words, for a person."),
  ...described(optional(text), {
    mode: "`form` or `url`. Absent: `form`.",
    url: "For `url`: the page to visit.",
  }),
  requested_schema: optional(jsonObject).describe("For `form`: a JSON Schema of the data."),
  elicitation_id: optional(text).describe(
    "For `url`: names the visit; `elicitation_complete` repeats it.",
  ),
  property_order: optional(texts).describe(
    "For `form`: the names of the fields, in the order in which to show them. Since Claude 2.1.330.",
  ),
};

export const ElicitationRequest = looseOutbound("elicitation_request", {
  request_id: requestId,
  ...ELICITATION_FIELDS,
}).describe(
  "An MCP server asks a person for data, with a form or a page to visit. Claude's further fields pass through. Answered with `elicitation_answer`.",
);

export const ElicitationAnswer = inbound("elicitation_answer", {
  request_id: answeredId,
  action: z.enum(["accept", "decline", "cancel"]).describe("The choice of the person."),
  content: jsonObject.optional().describe("For `accept`: the data."),
}).describe("The answer to an `elicitation_request`.");
export type ElicitationAnswer = z.infer<typeof ElicitationAnswer>;

/** Claude's fields of a dialog. */
export const DIALOG_FIELDS = {
  dialog_kind: text.describe("The kind of dialog, by Claude's name."),
  payload: jsonObject.describe("The content to show, in a form that the kind defines."),
  tool_use_id: optional(text).describe("The tool call that needs it. Absent if none does."),
};

export const DialogRequest = looseOutbound("dialog_request", {
  request_id: requestId,
  ...DIALOG_FIELDS,
}).describe(
  "Claude requests a dialog of a kind that `options.dialogs` names. Answered with `dialog_answer`.",
);

export const DialogAnswer = inbound("dialog_answer", {
  request_id: answeredId,
  behavior: z.enum(["completed", "cancelled"]).describe("The action of the person."),
  result: z.unknown().optional().describe("For `completed`: the result of the dialog."),
}).describe("The answer to a `dialog_request`.");
export type DialogAnswer = z.infer<typeof DialogAnswer>;

const ControlRequestResolved = outbound("control_request_resolved", {
  request_id: closedId,
  outcome: z.enum(["allow", "deny", "answered"]).describe("The answer."),
}).describe("The host's answer to a request was written to Claude.");

export const ControlRequestCancel = outbound("control_request_cancel", {
  request_id: closedId,
  reason: z
    .enum(["withdrawn", "interrupted", "timeout", "exited"])
    .describe(
      "`withdrawn`: Claude withdrew it, or all that may have asked was over. `interrupted`: the same after an end that the host wanted. `timeout`: `options.prompt_timeout_ms` was over, or for a call or a hook its `timeout_ms`. `exited`: Claude ended.",
    ),
}).describe("A request needs no answer. A later one gets `error{stale_request}`.");
export type ControlRequestCancel = z.infer<typeof ControlRequestCancel>;

export const PROMPT_MESSAGES = [
  ControlRequestForward,
  ElicitationRequest,
  DialogRequest,
  ControlRequestResolved,
  ControlRequestCancel,
] as const;
