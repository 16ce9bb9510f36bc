/** A plan that Claude wants to carry out. Pure. */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { allow, deny } from "../../client/answers.ts";
import { present } from "../../client/claude-value.ts";
import type { PermissionPrompt, PlanCardData } from "../../client/prompt-models.ts";
import { viewPlan } from "../../client/views/prompt-view.ts";
import { textContent } from "../updates/text-content.ts";
import { toolCallOf } from "./asked-call.ts";
import { refusals } from "./refusals.ts";
import { type Audience, type Choice, choiceStep, type Step } from "./step.ts";

/** The text for Claude where a plan is refused without a reason: its own text says that it must stop. */
const KEEP_PLANNING =
  "The user has not approved the plan and wants you to keep planning. Stay in plan mode.";

/** The plan with the ways out of plan mode. With any refusal the turn goes on, in plan mode. */
export function planStep(audience: Audience, prompt: PermissionPrompt): Step {
  const id = { request_id: prompt.requestId };
  const card = viewPlan(prompt);
  const { planFilePath: path } = card;
  const toolCall = {
    ...toolCallOf(audience, prompt),
    title: "Carry out the plan?",
    // The call has the plan, which the prompt may lack.
    rawInput: { ...prompt.input, ...present({ plan: card.plan }) },
    content: contentOf(card),
    ...(path !== undefined && { locations: [{ path }] }),
  };
  const approvals = card.approvals.map(
    ({ text: name, updatedPermissions }, index): Choice => ({
      ...{ optionId: `approve-${index}`, name },
      kind: updatedPermissions.length > 0 ? "allow_always" : "allow_once",
      next: () => ({ answer: allow(id, updatedPermissions) }),
    }),
  );
  const no = { id, name: "No, keep planning", message: KEEP_PLANNING };
  const choices = [...approvals, ...refusals(audience, toolCall, no)];
  return choiceStep({ ...audience, toolCall }, choices, (why) => ({ answer: deny(id, why) }));
}

function contentOf({ plan, requests }: PlanCardData): ToolCallContent[] {
  const lines = requests.map(({ tool, prompt }) => `- ${prompt} (${tool})`);
  return [
    ...textContent(plan ?? "Claude has given no text of the plan."),
    ...(lines.length > 0
      ? textContent(["Without further questions it would:", ...lines].join("\n"))
      : []),
  ];
}
