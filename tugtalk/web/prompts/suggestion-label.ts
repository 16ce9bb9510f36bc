/** What is written on the button that accepts a suggestion. Pure. */
import type { SuggestionView } from "../../src/messages/prompt-models.ts";

/** "Always allow …" for a rule that allows; any other change comes with the permission. */
export function suggestionLabel({ text }: SuggestionView): string {
  const words = text.charAt(0).toLowerCase() + text.slice(1);
  return text.startsWith("Allow ") ? `Always ${words}` : `Allow, and ${words}`;
}
