/** The open prompt of a board as the state of its session has it. Pure. */
import { defined } from "../../client/claude-value.ts";
import type { PendingPrompt } from "../../client/host-api.ts";
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";

export function fromPending(pending: PendingPrompt): OpenPrompt {
  const { requestId, turnId, parentToolUseId, toolUseId, createdAt } = pending;
  const fields = { requestId, createdAt, ...defined({ turnId, parentToolUseId, toolUseId }) };
  switch (pending.type) {
    case "approval": {
      const { toolName, input, suggestions: permissionSuggestions } = pending;
      const { displayName, description, decisionReason, blockedPath } = pending;
      const words = defined({ displayName, description, decisionReason, blockedPath });
      return { ...fields, kind: "permission", toolName, input, permissionSuggestions, ...words };
    }
    case "question":
      return { ...fields, kind: "question", questions: pending.questions };
    case "elicitation": {
      const { serverName, message, url, requestedSchema, propertyOrder } = pending;
      const form = defined({ url, requestedSchema, propertyOrder });
      return { ...fields, kind: "elicitation", serverName, message, ...form };
    }
    case "dialog": {
      const { dialogKind, payload } = pending;
      return { ...fields, kind: "dialog", dialogKind, payload };
    }
  }
}
