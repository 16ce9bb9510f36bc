/** Prompts for a person, the answers to those other than permissions, and how every prompt is closed. */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { inbound, looseOutbound, outbound } from "./envelope.ts";

const text = z.string();

/** Fields of an elicitation that pass from Claude to the host. */
export const elicitationFields = {
  mcp_server_name: text,
  message: text,
  mode: text.optional(),
  url: text.optional(),
  requested_schema: jsonObject.optional(),
};

/** Fields of a dialog that pass from Claude to the host. */
export const dialogFields = {
  dialog_kind: text,
  payload: jsonObject,
  tool_use_id: text.optional(),
};

/** A permission prompt or a question; further fields of Claude pass through. */
const ControlRequestForward = looseOutbound("control_request_forward", {
  request_id: text,
  tool_name: text,
  input: jsonObject,
  tool_use_id: text.optional(),
  is_question: z.boolean(),
  permission_suggestions: z.array(z.looseObject({ type: text })).nullish(),
});

/** An MCP server requests data, with a form or a page to visit. */
export const ElicitationRequest = looseOutbound("elicitation_request", {
  request_id: text,
  ...elicitationFields,
});

/** The answer to an `elicitation_request`. */
export const ElicitationAnswer = inbound("elicitation_answer", {
  request_id: text,
  action: z.enum(["accept", "decline", "cancel"]),
  content: jsonObject.optional(),
});
export type ElicitationAnswer = z.infer<typeof ElicitationAnswer>;

/** Claude requests a dialog of a kind that the host declared in `options.dialogs`. */
export const DialogRequest = looseOutbound("dialog_request", { request_id: text, ...dialogFields });

/** The answer to a `dialog_request`. */
export const DialogAnswer = inbound("dialog_answer", {
  request_id: text,
  behavior: z.enum(["completed", "cancelled"]),
  result: z.unknown().optional(),
});
export type DialogAnswer = z.infer<typeof DialogAnswer>;

const ControlRequestResolved = outbound("control_request_resolved", {
  request_id: text,
  outcome: z.enum(["allow", "deny", "answered"]),
});

export const ControlRequestCancel = outbound("control_request_cancel", {
  request_id: text,
  reason: z.enum(["withdrawn", "interrupted", "timeout", "exited"]),
});
export type ControlRequestCancel = z.infer<typeof ControlRequestCancel>;

export const PROMPT_MESSAGES = [
  ControlRequestForward,
  ElicitationRequest,
  DialogRequest,
  ControlRequestResolved,
  ControlRequestCancel,
] as const;
