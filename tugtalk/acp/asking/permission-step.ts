/** A permission that Claude asks for. Pure. */
import { allow, deny } from "../../client/answers.ts";
import type { PermissionPrompt } from "../../client/prompt-models.ts";
import { viewSuggestion } from "../../client/views/suggestion-view.ts";
import type { Before } from "../updates/file-diff.ts";
import { textContent } from "../updates/text-content.ts";
import { shownContent, toolCallOf } from "./asked-call.ts";
import { refusals } from "./refusals.ts";
import { type Audience, type Choice, choiceStep, type Step } from "./step.ts";

/** Once; each suggestion alone, in words that name its rule and scope; all of them; no. */
export function permissionStep(audience: Audience, prompt: PermissionPrompt, before: Before): Step {
  const { permissionSuggestions: suggestions, decisionReason } = prompt;
  const id = { request_id: prompt.requestId };
  const known = suggestions
    .map((suggestion, index) => viewSuggestion(suggestion, index))
    .filter(({ isKnown }) => isKnown);
  const allowing = (indexes: readonly number[]) => () => ({
    answer: allow(
      id,
      suggestions.filter((_, index) => indexes.includes(index)),
    ),
  });
  const kind = "allow_always";
  const always = known.map(({ index, text }): Choice => {
    return { optionId: `allow-${index}`, name: text, kind, next: allowing([index]) };
  });
  const every = allowing(known.map(({ index }) => index));
  const all: Choice = { optionId: "allow-all", name: "All of these", kind, next: every };
  const why = decisionReason === undefined ? [] : textContent(decisionReason);
  const content = [...shownContent(audience, prompt, before), ...why];
  const toolCall = {
    ...toolCallOf(audience, prompt),
    ...(content.length > 0 && { content }),
  };
  const choices: readonly Choice[] = [
    { optionId: "allow", name: "Allow once", kind: "allow_once", next: allowing([]) },
    ...always,
    ...(known.length > 1 ? [all] : []),
    ...refusals(audience, toolCall, { id, name: "No" }),
  ];
  return choiceStep({ ...audience, toolCall }, choices, (reason) => ({ answer: deny(id, reason) }));
}
