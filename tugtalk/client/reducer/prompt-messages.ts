/** The messages that open and close prompts, of the bridge or as a host passes them on. */

import { present } from "../claude-value.ts";
import { handler } from "./handler.ts";
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
import { elicitedPrompt, forwardedPrompt, promptFields, suggestionsOf } from "./prompt-of.ts";
import { closePrompt, openPrompt } from "./prompts.ts";

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
  (state, message) => openPrompt(state, forwardedPrompt(message)),
);

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
  (state, message) => openPrompt(state, elicitedPrompt(message)),
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
