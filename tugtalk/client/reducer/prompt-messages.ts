/** The messages that open and close prompts, of the bridge or as a host passes them on. */

import { isFields, present, textOf } from "../claude-value.ts";
import type { OpenPrompt, PromptFields } from "../prompt-models.ts";
import { handler, type Scope } from "./handler.ts";
import {
  anything,
  flag,
  list,
  nullish,
  number,
  object,
  objects,
  optional,
  text,
  texts,
} from "./message-fields.ts";
import { closePrompt, openPrompt } from "./prompts.ts";

type PromptMessage = Scope & {
  readonly request_id: string;
  readonly tool_use_id?: string | undefined;
  readonly at: number | undefined;
};

function promptFields(message: PromptMessage): PromptFields {
  const { request_id: requestId, turn_id: turnId, parent_tool_use_id: parentToolUseId } = message;
  const { tool_use_id: toolUseId, at: createdAt } = message;
  return { requestId, ...present({ turnId, parentToolUseId, toolUseId, createdAt }) };
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
    at: optional(number),
  },
  (state, message) => {
    const { tool_name: toolName, input } = message;
    const fields = { ...promptFields(message), toolName, input };
    if (message.is_question)
      return openPrompt(state, {
        kind: "question",
        ...fields,
        questions: questionsOf(input["questions"]),
      });
    return openPrompt(state, {
      kind: "permission",
      ...fields,
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
function questionsOf(value: unknown): QuestionPrompt["questions"] {
  if (!Array.isArray(value)) return [];
  return value.filter((one) => isFields(one) && text(one["question"]));
}

function suggestionsOf(value: unknown): PermissionPrompt["permissionSuggestions"] {
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
    at: optional(number),
  },
  (state, message) => {
    const { mcp_server_name: serverName, message: asked, url } = message;
    const { requested_schema: requestedSchema, property_order: propertyOrder } = message;
    return openPrompt(state, {
      kind: "elicitation",
      ...promptFields(message),
      serverName,
      message: asked,
      ...present({ url, requestedSchema, propertyOrder }),
    });
  },
);

const dialog = handler(
  "dialog_request",
  {
    request_id: text,
    dialog_kind: text,
    payload: object,
    tool_use_id: optional(text),
    at: optional(number),
  },
  (state, message) =>
    openPrompt(state, {
      kind: "dialog",
      ...promptFields(message),
      dialogKind: message.dialog_kind,
      payload: message.payload,
    }),
);

const resolved = handler(
  "control_request_resolved",
  {
    request_id: text,
    outcome: text,
    by: optional(text),
    updated_permissions: optional(list),
    at: optional(number),
  },
  (state, { request_id: requestId, outcome, by, updated_permissions: permissions, at }) =>
    closePrompt(state, {
      requestId,
      outcome,
      ...present({ by, at }),
      ...(permissions && { updatedPermissions: suggestionsOf(permissions) }),
    }),
);

const cancelled = handler(
  "control_request_cancel",
  { request_id: text, reason: text, at: optional(number) },
  (state, { request_id: requestId, reason, at }) =>
    closePrompt(state, { requestId, outcome: "cancelled", reason, ...present({ at }) }),
);

export const PROMPT_HANDLERS = [forwarded, elicitation, dialog, resolved, cancelled] as const;
