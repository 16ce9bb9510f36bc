/** Prompts in the form of `pending` and of the board: with the fields of other hosts. Pure. */
import type { PendingPrompt } from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";

/** Other hosts' names of a session's id. */
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
