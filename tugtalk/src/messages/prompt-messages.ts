/**
 * The ways in which Claude asks a person for more than a permission: the forms of MCP servers, and
 * dialogs that the host has declared. Both directions. Contract: `elicitation_request`.
 */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { inbound, looseOutbound, outbound } from "./envelope.ts";

const text = z.string();

/** An MCP server asks for data, by form or by a page to visit. */
export const ElicitationRequest = looseOutbound("elicitation_request", {
  request_id: text,
  mcp_server_name: text,
  message: text,
  mode: text.optional(),
  url: text.optional(),
  requested_schema: jsonObject.optional(),
});
export type ElicitationRequest = z.infer<typeof ElicitationRequest>;

/** A person's answer to it. */
export const ElicitationAnswer = inbound("elicitation_answer", {
  request_id: text,
  action: z.enum(["accept", "decline", "cancel"]),
  content: jsonObject.optional(),
});
export type ElicitationAnswer = z.infer<typeof ElicitationAnswer>;

/** Claude asks for a dialog of a kind that the host declared in `options.dialogs`. */
export const DialogRequest = looseOutbound("dialog_request", {
  request_id: text,
  dialog_kind: text,
  payload: jsonObject,
  tool_use_id: text.optional(),
});
export type DialogRequest = z.infer<typeof DialogRequest>;

/** What became of the dialog. */
export const DialogAnswer = inbound("dialog_answer", {
  request_id: text,
  behavior: z.enum(["completed", "cancelled"]),
  result: z.unknown().optional(),
});
export type DialogAnswer = z.infer<typeof DialogAnswer>;

export const ControlRequestResolved = outbound("control_request_resolved", {
  request_id: text,
  outcome: z.enum(["allow", "deny", "answered"]),
});

export const ControlRequestCancel = outbound("control_request_cancel", {
  request_id: text,
  reason: z.enum(["withdrawn", "interrupted", "timeout", "exited"]),
});
export type ControlRequestCancel = z.infer<typeof ControlRequestCancel>;
