/**
 * Refuses Claude's requests that no host can answer: builds the answer for Claude, which would wait without
 * end, and the message for the host. Contract, guarantee 4.
 */
import { fieldsOf } from "../base/json.ts";
import { type ControlAnswer, formatRefusal } from "../control.ts";
import { errorMessage } from "../messages/errors.ts";
import type { ControlRequest } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

/** Requests that must stay unanswered: another client answers them. */
const NOT_OURS: ReadonlySet<string> = new Set([
  "request_user_dialog",
  "remote_tool_call",
  "remote_plumbing_call",
  "remote_tools_probe",
  "remote_tools_reannounce",
]);

/** Requests that only a host which declared them could answer. */
const NOT_DECLARED: ReadonlySet<string> = new Set([
  "hook_callback",
  "mcp_message",
  "elicitation",
  "request_user_dialog",
  // Undocumented. Claude sends them only to a client that announced them.
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

/** Refuses a request that no host can answer. No answer where another client gives it. */
export function refuse(event: ControlRequest): Refusal {
  const { request_id, request } = event;
  const { subtype } = request;
  const isMalformed = subtype === "can_use_tool";
  const reason = isMalformed ? "malformed can_use_tool" : `unsupported control request: ${subtype}`;
  return {
    answer: NOT_OURS.has(subtype) ? undefined : formatRefusal(request_id, reason),
    message: NOT_DECLARED.has(subtype)
      ? rejected(`claude asked for ${nameOf(request)}, which no host has declared: it was not done`)
      : {
          type: "unknown_event",
          original_type: event.type,
          original_subtype: subtype,
          raw: event,
        },
  };
}

/** Refuses a prompt because too many are open. */
export function refuseExcess({ request_id, request }: ControlRequest, limit: number): Refusal {
  const reason = `${limit} prompts are open already: ${request.subtype} was refused`;
  return { answer: formatRefusal(request_id, reason), message: rejected(reason) };
}

/** With the event of a hook of the host, which no host can declare (§22). */
function nameOf({ subtype, ...fields }: ControlRequest["request"]): string {
  const { hook_event_name: hook } = fieldsOf(fields["input"]);
  return subtype === "hook_callback" && typeof hook === "string" ? `${subtype} (${hook})` : subtype;
}

function rejected(message: string): OutboundDraft {
  return errorMessage("control_rejected", message, { source: "claude" });
}
