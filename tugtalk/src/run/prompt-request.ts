/**
 * Parses Claude's requests to a person: permissions, questions, forms of MCP servers, declared dialogs.
 * Protocol reference §5a, §5d, §21.
 */
import { isPermission } from "../claude/plain-checks.generated.ts";
import type { AskerClues } from "../conversation/askers.ts";
import { withoutReserved } from "../messages/envelope.ts";
import { askedBy, type PromptContent } from "../permissions.ts";
import type {
  ControlRequest,
  DialogAsk,
  ElicitationAsk,
  PermissionRequest,
} from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

/** Loaded with the first request that is not plain. */
const schemas = () => require("../protocol-types.ts") as typeof import("../protocol-types.ts");

/** A request to a person: its content, the message for the host, and the clues about the asker. */
export type PromptRequest = {
  readonly asked: PromptContent;
  readonly forward: OutboundDraft;
  readonly clues: AskerClues;
};

/** Undefined for a request that is not to a person, malformed or not declared. */
export function parsePrompt(
  { request_id, request }: ControlRequest,
  dialogs: readonly string[],
): PromptRequest | undefined {
  switch (request.subtype) {
    case "can_use_tool":
      return permission(request_id, readPermission(request));
    case "elicitation":
      return elicitation(request_id, schemas().ElicitationAsk.safeParse(request).data);
    case "request_user_dialog":
      return dialog(request_id, schemas().DialogAsk.safeParse(request).data, dialogs);
    default:
      return undefined;
  }
}

function readPermission(request: ControlRequest["request"]): PermissionRequest | undefined {
  if (isPermission(request)) return request;
  return schemas().PermissionRequest.safeParse(request).data;
}

function permission(request_id: string, request?: PermissionRequest): PromptRequest | undefined {
  if (request === undefined) return undefined;
  const { subtype: _subtype, ...fields } = withoutReserved(request);
  const asked = askedBy(request);
  const is_question = asked.kind === "question";
  return {
    asked,
    forward: { ...fields, type: "control_request_forward", request_id, is_question },
    clues: { agentId: request.agent_id, toolUseId: request.tool_use_id },
  };
}

function elicitation(request_id: string, request?: ElicitationAsk): PromptRequest | undefined {
  if (request === undefined) return undefined;
  const { subtype: _subtype, ...fields } = withoutReserved(request);
  return {
    asked: { kind: "elicitation" },
    forward: { ...fields, type: "elicitation_request", request_id },
    clues: { server: request.mcp_server_name },
  };
}

function dialog(
  request_id: string,
  request: DialogAsk | undefined,
  dialogs: readonly string[],
): PromptRequest | undefined {
  if (request === undefined || !dialogs.includes(request.dialog_kind)) return undefined;
  const { subtype: _subtype, ...fields } = withoutReserved(request);
  return {
    asked: { kind: "dialog" },
    forward: { ...fields, type: "dialog_request", request_id },
    clues: { toolUseId: request.tool_use_id },
  };
}
