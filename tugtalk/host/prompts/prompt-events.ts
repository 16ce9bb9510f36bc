/** Prompts as a host tells clients of them: from the bridge's message to the events of a prompt's life. Pure. */
import { isPrompt, type PermissionRequest, type PromptRequest } from "../../client/answers.ts";
import { textOf } from "../../client/claude-value.ts";
import type { PendingPrompt } from "../../client/host-api.ts";
import { questionsOf, suggestionsOf } from "../../client/reducer/prompt-messages.ts";
import type { HostEvent } from "../../client/session-input.ts";
import type { PermissionSuggestion } from "../../src/protocol-types.ts";
import type { OutboundMessage } from "../../src/types.ts";

/** An event before it is in the journal. */
export type EventDraft<Event extends HostEvent = HostEvent> = Event extends HostEvent
  ? { readonly type: Event["type"]; readonly data: Omit<Event, "type"> }
  : never;

/** Where and when a prompt was opened; `createdAt` in milliseconds since 1970. */
export type PromptOrigin = { readonly sessionId: string; readonly createdAt: number };

/** The prompt that a message of the bridge opens; undefined for any other message. */
export function pendingPrompt(
  message: OutboundMessage,
  origin: PromptOrigin,
): PendingPrompt | undefined {
  // A bridge on a place is another program, whose messages nobody has checked.
  if (!isPrompt(message) || textOf(message.request_id) === undefined) return undefined;
  const fields = commonFields(message, origin);
  switch (message.type) {
    case "control_request_forward":
      return message.is_question ? question(message, fields) : approval(message, fields);
    case "elicitation_request":
      return {
        type: "elicitation",
        ...fields,
        serverName: message.mcp_server_name,
        message: message.message,
        ...given("url", message.url),
        ...given("requestedSchema", message.requested_schema),
        ...given("propertyOrder", message.property_order),
      };
    case "dialog_request":
      return {
        type: "dialog",
        ...fields,
        dialogKind: message.dialog_kind,
        payload: message.payload,
      };
  }
}

/** A person is asked. */
export function promptRequested(prompt: PendingPrompt): EventDraft {
  switch (prompt.type) {
    case "approval":
      return { type: "approval-requested", data: withoutType(prompt) };
    case "question":
      return { type: "question-requested", data: withoutType(prompt) };
    case "elicitation":
      return { type: "elicitation-requested", data: withoutType(prompt) };
    case "dialog":
      return { type: "dialog-requested", data: withoutType(prompt) };
  }
}

function withoutType<Prompt extends PendingPrompt>({ type: _type, ...data }: Prompt) {
  return data;
}

/** Who has answered, and which permissions the answer changes. */
export type AnswerOrigin = {
  readonly by?: string | undefined;
  readonly updatedPermissions?: readonly PermissionSuggestion[] | undefined;
};

type Resolution = AnswerOrigin & { readonly decision: string; readonly at: number };

/** A client has answered: `decision` is the `outcome` that the bridge has confirmed. */
export function promptResolved(prompt: PendingPrompt, end: Resolution): EventDraft {
  const { decision, by, updatedPermissions, at } = end;
  const origin = { ...given("by", by), ...given("updatedPermissions", updatedPermissions) };
  const data = { ...identity(prompt), decision, ...origin, at };
  return { type: "approval-resolved", data };
}

/** No answer is needed: `reason` is that of the bridge's `control_request_cancel`. */
export function promptCancelled(
  prompt: PendingPrompt,
  { reason, at }: { readonly reason: string; readonly at: number },
): EventDraft {
  return { type: "approval-cancelled", data: { ...identity(prompt), reason, at } };
}

type CommonFields = ReturnType<typeof commonFields>;

function commonFields(message: PromptRequest, { sessionId, createdAt }: PromptOrigin) {
  const { request_id, turn_id, parent_tool_use_id } = message;
  return {
    sessionId,
    stageId: sessionId,
    requestId: request_id,
    ...given("toolUseId", textOf(message.tool_use_id)),
    ...given("turnId", turn_id),
    ...given("parentToolUseId", parent_tool_use_id),
    createdAt,
  };
}

function approval(message: PermissionRequest, fields: CommonFields): PendingPrompt {
  return {
    type: "approval",
    ...fields,
    toolName: message.tool_name,
    input: message.input,
    suggestions: suggestionsOf(message.permission_suggestions),
    ...given("displayName", textOf(message["display_name"])),
    ...given("description", textOf(message["description"])),
    ...given("decisionReason", textOf(message.decision_reason)),
    ...given("blockedPath", textOf(message.blocked_path)),
  };
}

function question(message: PermissionRequest, fields: CommonFields): PendingPrompt {
  const { tool_name: toolName, input } = message;
  const questions = questionsOf(input["questions"]);
  return { type: "question", ...fields, toolName, questions, input };
}

function identity({ sessionId, stageId, requestId, toolUseId }: PendingPrompt) {
  return { sessionId, stageId, requestId, ...given("toolUseId", toolUseId) };
}

/** A field, or none if there is no value for it. */
function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  const fields: { [Key in Name]?: Value } = {};
  if (value !== undefined) fields[name] = value;
  return fields;
}
