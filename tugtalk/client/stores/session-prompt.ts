/**
 * An open prompt of any session, as the state of its session has it. Only this file reads the form in
 * which the host gives prompts to those who follow all sessions. Pure.
 */
import type { PendingPrompt } from "../host-api.ts";
import type { OpenPrompt } from "../prompt-models.ts";

/** Names a prompt. The request ids are Claude's: two sessions may have the same ones. */
type PromptId = { readonly sessionId: string; readonly requestId: string };

export type SessionPrompt = OpenPrompt & {
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
};

export function sessionPrompt(pending: PendingPrompt): SessionPrompt {
  switch (pending.type) {
    case "approval":
      return { ...pending, kind: "permission", permissionSuggestions: pending.suggestions };
    case "question":
      return { ...pending, kind: "question" };
    case "elicitation":
      return { ...pending, kind: "elicitation" };
    case "dialog":
      return { ...pending, kind: "dialog" };
  }
}

export function promptName({ sessionId, requestId }: PromptId): string {
  return `${sessionId} ${requestId}`;
}
