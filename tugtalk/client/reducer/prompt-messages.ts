/** The bridge's messages about prompts. */
import type { OpenPrompt, PromptFields } from "../../src/messages/prompt-models.ts";
import { isFields, textOf } from "../claude-value.ts";
import { handler, type Scope } from "./handler.ts";
import {
  anything,
  flag,
  nullish,
  object,
  objects,
  optional,
  present,
  text,
  texts,
} from "./message-fields.ts";
import { closePrompt, openPrompt } from "./prompts.ts";

function promptFields(
  requestId: string,
  { turn_id: turnId, parent_tool_use_id: parentToolUseId }: Scope,
  toolUseId?: string,
): PromptFields {
  return { requestId, ...present({ turnId, parentToolUseId, toolUseId }) };
}

const forwarded = handler(
  "control_request_forward",
  {
    request_id: text,
    tool_name: text,
    input: object,
    is_question: flag,
    tool_use_id: optional(text),
    plan: optional(text),
    permission_suggestions: nullish(objects),
    display_name: anything,
    description: anything,
    decision_reason: anything,
    blocked_path: anything,
  },
  (state, message) => {
    const fields = promptFields(message.request_id, message, message.tool_use_id);
    const { input } = message;
    if (message.is_question)
      return openPrompt(state, {
        kind: "question",
        ...fields,
        questions: questionsOf(input["questions"]),
      });
    return openPrompt(state, {
      kind: "permission",
      ...fields,
      toolName: message.tool_name,
      input,
      permissionSuggestions: suggestionsOf(message.permission_suggestions),
      ...present({
        plan: message.plan,
        displayName: textOf(message.display_name),
        description: textOf(message.description),
        decisionReason: textOf(message.decision_reason),
        blockedPath: textOf(message.blocked_path),
      }),
    });
  },
);

type QuestionPrompt = Extract<OpenPrompt, { kind: "question" }>;
type PermissionPrompt = Extract<OpenPrompt, { kind: "permission" }>;

/** The questions that can be shown: those with a text. */
export function questionsOf(value: unknown): QuestionPrompt["questions"] {
  if (!Array.isArray(value)) return [];
  return value.filter((one) => isFields(one) && text(one["question"]));
}

export function suggestionsOf(value: unknown): PermissionPrompt["permissionSuggestions"] {
  if (!Array.isArray(value)) return [];
  return value.filter((one) => isFields(one) && text(one["type"]));
}

const elicitation = handler(
  "elicitation_request",
  {
    request_id: text,
    mcp_server_name: text,
    message: text,
    url: optional(text),
    requested_schema: optional(object),
    property_order: optional(texts),
  },
  (state, message) => {
    const { mcp_server_name: serverName, message: asked, url } = message;
    const { requested_schema: requestedSchema, property_order: propertyOrder } = message;
    return openPrompt(state, {
      kind: "elicitation",
      ...promptFields(message.request_id, message),
      serverName,
      message: asked,
      ...present({ url, requestedSchema, propertyOrder }),
    });
  },
);

const dialog = handler(
  "dialog_request",
  { request_id: text, dialog_kind: text, payload: object, tool_use_id: optional(text) },
  (state, message) =>
    openPrompt(state, {
      kind: "dialog",
      ...promptFields(message.request_id, message, message.tool_use_id),
      dialogKind: message.dialog_kind,
      payload: message.payload,
    }),
);

const resolved = handler(
  "control_request_resolved",
  { request_id: text, outcome: text },
  (state, { request_id: requestId, outcome }) => closePrompt(state, { requestId, outcome }),
);

const cancelled = handler(
  "control_request_cancel",
  { request_id: text, reason: text },
  (state, { request_id: requestId, reason }) =>
    closePrompt(state, { requestId, outcome: "cancelled", reason }),
);

export const PROMPT_HANDLERS = [forwarded, elicitation, dialog, resolved, cancelled] as const;
