/** A host's events about prompts. */
import type { PromptFields } from "../../src/messages/prompt-models.ts";
import { handler } from "./handler.ts";
import { list, number, object, optional, present, text, texts } from "./message-fields.ts";
import { questionsOf, suggestionsOf } from "./prompt-messages.ts";
import { closePrompt, openPrompt } from "./prompts.ts";

const PROMPT = {
  requestId: text,
  turnId: optional(text),
  parentToolUseId: optional(text),
  toolUseId: optional(text),
  createdAt: optional(number),
};

function promptFields(event: {
  readonly requestId: string;
  readonly turnId?: string | undefined;
  readonly parentToolUseId?: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly createdAt?: number | undefined;
}): PromptFields {
  const { requestId, turnId, parentToolUseId, toolUseId, createdAt } = event;
  return { requestId, ...present({ turnId, parentToolUseId, toolUseId, createdAt }) };
}

const approvalRequested = handler(
  "approval-requested",
  {
    ...PROMPT,
    toolName: text,
    input: object,
    suggestions: optional(list),
    displayName: optional(text),
    description: optional(text),
    decisionReason: optional(text),
    blockedPath: optional(text),
  },
  (state, event) => {
    const { toolName, input, displayName, description, decisionReason, blockedPath } = event;
    return openPrompt(state, {
      kind: "permission",
      ...promptFields(event),
      toolName,
      input,
      permissionSuggestions: suggestionsOf(event.suggestions),
      ...present({ displayName, description, decisionReason, blockedPath }),
    });
  },
);

const questionRequested = handler(
  "question-requested",
  { ...PROMPT, questions: optional(list), input: optional(object) },
  (state, event) => {
    const questions = questionsOf(event.questions ?? event.input?.["questions"]);
    return openPrompt(state, { kind: "question", ...promptFields(event), questions });
  },
);

const elicitationRequested = handler(
  "elicitation-requested",
  {
    ...PROMPT,
    serverName: text,
    message: text,
    url: optional(text),
    requestedSchema: optional(object),
    propertyOrder: optional(texts),
  },
  (state, event) => {
    const { serverName, message, url, requestedSchema, propertyOrder } = event;
    return openPrompt(state, {
      kind: "elicitation",
      ...promptFields(event),
      serverName,
      message,
      ...present({ url, requestedSchema, propertyOrder }),
    });
  },
);

const dialogRequested = handler(
  "dialog-requested",
  { ...PROMPT, dialogKind: text, payload: object },
  (state, event) => {
    const { dialogKind, payload } = event;
    return openPrompt(state, { kind: "dialog", ...promptFields(event), dialogKind, payload });
  },
);

const END = { requestId: text, toolUseId: optional(text), at: optional(number) };

const approvalResolved = handler(
  "approval-resolved",
  { ...END, decision: text, by: optional(text), updatedPermissions: optional(list) },
  (state, { requestId, toolUseId, decision, by, updatedPermissions, at }) =>
    closePrompt(state, {
      requestId,
      outcome: decision === "allow" || decision === "deny" ? decision : "answered",
      ...present({ toolUseId, by, at }),
      ...(updatedPermissions && { updatedPermissions: suggestionsOf(updatedPermissions) }),
    }),
);

const approvalCancelled = handler(
  "approval-cancelled",
  { ...END, reason: text },
  (state, { requestId, toolUseId, reason, at }) =>
    closePrompt(state, { requestId, outcome: "cancelled", reason, ...present({ toolUseId, at }) }),
);

export const HOST_PROMPT_HANDLERS = [
  approvalRequested,
  questionRequested,
  elicitationRequested,
  dialogRequested,
  approvalResolved,
  approvalCancelled,
] as const;
