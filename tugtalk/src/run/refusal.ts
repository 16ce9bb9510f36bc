/**
 * What becomes of a request of Claude's that nobody here can grant: its answer, so that Claude does
 * not wait for ever, and what the host is told. Contract, guarantee 4.
 */
import { type ControlAnswer, formatRefusal } from "../control.ts";
import { type ControlRequest, HookCallback } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

/** Requests that must stay unanswered, because another client is there to answer them. */
const NOT_OURS: ReadonlySet<string> = new Set([
  "request_user_dialog",
  "remote_tool_call",
  "remote_plumbing_call",
  "remote_tools_probe",
  "remote_tools_reannounce",
]);

/** Requests of known kinds that only a host could answer which had asked for them. */
const NOT_DECLARED: ReadonlySet<string> = new Set([
  "hook_callback",
  "mcp_message",
  "elicitation",
  "request_user_dialog",
  // Undeclared: asked only of who has announced that it can.
  "host_auth_token_refresh",
  "oauth_token_refresh",
  "remote_control_work_secret",
  "ui_copy",
  "ui_prompt_fill",
  "ui_prompt_paint",
  "ui_prompt_read",
  "ui_prompt_suggest",
  "ui_read_selection",
]);

export type Refusal = {
  readonly answer: ControlAnswer | undefined;
  readonly message: OutboundDraft;
};

/** Says how a request is turned down; without an answer where another client will give it. */
export function refuse(event: ControlRequest): Refusal {
  const { subtype } = event.request;
  const isMalformed = subtype === "can_use_tool";
  const words = isMalformed ? "malformed can_use_tool" : `unsupported control request: ${subtype}`;
  return {
    answer: NOT_OURS.has(subtype) ? undefined : formatRefusal(event.request_id, words),
    message: NOT_DECLARED.has(subtype) ? notDeclared(event) : unknownRequest(event),
  };
}

/** Turns down what nobody can be asked while so much else is asked. */
export function refuseExcess({ request_id, request }: ControlRequest, limit: number): Refusal {
  const words = `${limit} prompts are open already: ${request.subtype} was refused`;
  return {
    answer: formatRefusal(request_id, words),
    message: {
      type: "error",
      code: "control_rejected",
      message: words,
      recoverable: true,
      source: "claude",
    },
  };
}

function notDeclared({ request }: ControlRequest): OutboundDraft {
  const hook = HookCallback.safeParse(request);
  const event = hook.success ? ` (${hook.data.input.hook_event_name})` : "";
  return {
    type: "error",
    code: "control_rejected",
    message: `claude asked for ${request.subtype}${event}, which no host has declared: it was not done`,
    recoverable: true,
    source: "claude",
  };
}

function unknownRequest(event: ControlRequest): OutboundDraft {
  const { type, request } = event;
  return {
    type: "unknown_event",
    original_type: type,
    original_subtype: request.subtype,
    raw: event,
  };
}
