/** Prompts as `pending` and the board have them: with the fields of other hosts. Pure. */
import type { PendingPrompt } from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";

/** The names of a session there. */
export function namesOf(sessionId: string) {
  return { sessionId, stageId: sessionId };
}

/** An open prompt of a session. */
export function pendingPrompt(sessionId: string, prompt: OpenPrompt): PendingPrompt {
  const { requestId: request_id, createdAt = 0 } = prompt;
  const names = { ...namesOf(sessionId), request_id, createdAt };
  switch (prompt.kind) {
    case "permission": {
      const { kind: _kind, permissionSuggestions: suggestions, ...fields } = prompt;
      return { ...fields, ...names, type: "approval", suggestions };
    }
    case "question": {
      const { kind: type, ...fields } = prompt;
      return { ...fields, ...names, type };
    }
    case "elicitation": {
      const { kind: type, ...fields } = prompt;
      return { ...fields, ...names, type };
    }
    case "dialog": {
      const { kind: type, ...fields } = prompt;
      return { ...fields, ...names, type };
    }
  }
}
