/** The first request to the client for a prompt of Claude. Pure. */
import { elicitedPrompt, forwardedPrompt } from "../../client/reducer/prompt-of.ts";
import type { Before } from "../updates/file-diff.ts";
import type { MessageOf } from "../updates/update-state.ts";
import { elicitationStep } from "./elicitation-step.ts";
import { permissionStep } from "./permission-step.ts";
import { planStep } from "./plan-step.ts";
import { questionStep } from "./question-step.ts";
import type { Audience, Step } from "./step.ts";

/** A request of Claude that a person answers. */
export type ClaudeRequest = MessageOf<"control_request_forward" | "elicitation_request">;

/** `before` is the text of the file that the call changes. */
export function firstStep(audience: Audience, asked: ClaudeRequest, before?: Before): Step {
  if (asked.type === "elicitation_request") {
    const { elicitation_id: visit = asked.request_id } = asked;
    return elicitationStep(audience, elicitedPrompt(asked), visit);
  }
  const prompt = forwardedPrompt(asked);
  if (prompt.kind === "question") return questionStep(audience, prompt);
  return prompt.toolName === "ExitPlanMode"
    ? planStep(audience, prompt)
    : permissionStep(audience, prompt, before);
}
