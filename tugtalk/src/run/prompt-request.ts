/**
 * What Claude may ask a person: permission, questions, the forms of MCP servers, declared dialogs.
 * From its request to what the host is shown. Protocol reference §5a, §5d, §21.
 */
import type { AskerClues } from "../conversation/askers.ts";
import { withoutReserved } from "../messages/envelope.ts";
import { askedBy, type PromptContent } from "../permissions.ts";
import {
  type ControlRequest,
  DialogAsk,
  ElicitationAsk,
  PermissionRequest,
} from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

/** A request for a person: what is asked, what the host is shown, and what it tells of who asks. */
export type PromptRequest = {
  readonly asked: PromptContent;
  readonly forward: OutboundDraft;
  readonly clues: AskerClues;
};

/** Reads a request of Claude's; nothing where it is not for a person, malformed or not declared. */
export function parsePrompt(
  { request_id, request }: ControlRequest,
  dialogs: readonly string[],
): PromptRequest | undefined {
  switch (request.subtype) {
    case "can_use_tool":
      return permission(request_id, request);
    case "elicitation":
      return elicitation(request_id, request);
    case "request_user_dialog":
      return dialog(request_id, request, dialogs);
    default:
      return undefined;
  }
}

function permission(request_id: string, request: unknown): PromptRequest | undefined {
  const parsed = PermissionRequest.safeParse(request);
  if (!parsed.success) return undefined;
  const { subtype: _subtype, ...fields } = parsed.data;
  const asked = askedBy(parsed.data);
  const is_question = asked.kind === "question";
  return {
    asked,
    forward: {
      ...withoutReserved(fields),
      type: "control_request_forward",
      request_id,
      is_question,
    },
    clues: { agentId: parsed.data.agent_id, toolUseId: parsed.data.tool_use_id },
  };
}

function elicitation(request_id: string, request: unknown): PromptRequest | undefined {
  const parsed = ElicitationAsk.safeParse(request);
  if (!parsed.success) return undefined;
  const { subtype: _subtype, ...fields } = parsed.data;
  const forward: OutboundDraft = {
    ...withoutReserved(fields),
    type: "elicitation_request",
    request_id,
  };
  return {
    asked: { kind: "elicitation" },
    forward,
    clues: { server: parsed.data.mcp_server_name },
  };
}

function dialog(
  request_id: string,
  request: unknown,
  dialogs: readonly string[],
): PromptRequest | undefined {
  const parsed = DialogAsk.safeParse(request);
  if (!parsed.success || !dialogs.includes(parsed.data.dialog_kind)) return undefined;
  const { subtype: _subtype, ...fields } = parsed.data;
  const forward: OutboundDraft = { ...withoutReserved(fields), type: "dialog_request", request_id };
  return { asked: { kind: "dialog" }, forward, clues: { toolUseId: parsed.data.tool_use_id } };
}
