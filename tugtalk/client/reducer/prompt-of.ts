/** The prompt that a message of the bridge opens. Pure. */
import { isFields, present, textOf } from "../claude-value.ts";
import type {
  ElicitationPrompt,
  PermissionPrompt,
  PromptFields,
  QuestionPrompt,
} from "../prompt-models.ts";
import type { MessageOf, Scope } from "./handler.ts";
import { text } from "./message-fields.ts";

type PromptMessage = Scope & {
  readonly request_id: string;
  readonly tool_use_id?: string | undefined;
  readonly at?: number | undefined;
};

export function promptFields(message: PromptMessage): PromptFields {
  const { request_id: requestId, turn_id: turnId, parent_tool_use_id: parentToolUseId } = message;
  const { tool_use_id: toolUseId, at: createdAt } = message;
  return { requestId, ...present({ turnId, parentToolUseId, toolUseId, createdAt }) };
}

type Forwarded = PromptMessage &
  Pick<
    MessageOf<"control_request_forward">,
    "tool_name" | "input" | "is_question" | "plan" | "permission_suggestions"
  > & {
    readonly display_name?: unknown;
    readonly description?: unknown;
    readonly decision_reason?: unknown;
    readonly blocked_path?: unknown;
  };

export function forwardedPrompt(message: Forwarded): PermissionPrompt | QuestionPrompt {
  const { tool_name: toolName, input } = message;
  const fields = { ...promptFields(message), toolName, input };
  if (message.is_question)
    return { kind: "question", ...fields, questions: questionsOf(input["questions"]) };
  return {
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
  };
}

/** The questions that can be shown: those with a text. */
function questionsOf(value: unknown): QuestionPrompt["questions"] {
  if (!Array.isArray(value)) return [];
  return value.filter((one) => isFields(one) && text(one["question"]));
}

export function suggestionsOf(value: unknown): PermissionPrompt["permissionSuggestions"] {
  if (!Array.isArray(value)) return [];
  return value.filter((one) => isFields(one) && text(one["type"]));
}

type Elicited = PromptMessage &
  Pick<
    MessageOf<"elicitation_request">,
    "mcp_server_name" | "message" | "url" | "requested_schema" | "property_order"
  >;

export function elicitedPrompt(message: Elicited): ElicitationPrompt {
  const { mcp_server_name: serverName, message: asked, url } = message;
  const { requested_schema: requestedSchema, property_order: propertyOrder } = message;
  return {
    kind: "elicitation",
    ...promptFields(message),
    serverName,
    message: asked,
    ...present({ url, requestedSchema, propertyOrder }),
  };
}
