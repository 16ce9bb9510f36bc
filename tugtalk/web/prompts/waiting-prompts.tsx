/** The prompts behind the one that is shown, each as a line that brings it to the front. */
import { viewPrompt } from "../../client/views/prompt-view.ts";
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";
import type { McpServerStatus } from "../../src/web-components.ts";
import { chipOf, summaryOf, titleOf } from "./prompt-summary.ts";

export type WaitingPromptsProps = {
  readonly prompts: readonly OpenPrompt[];
  readonly servers: readonly McpServerStatus[];
  readonly onChoose: (requestId: string) => void;
};

export function WaitingPrompts({ prompts, servers, onChoose }: WaitingPromptsProps) {
  if (prompts.length === 0) return null;
  return (
    <details class="prompts-waiting">
      <summary>{prompts.length} more</summary>
      {prompts.map((prompt) => {
        const view = viewPrompt(prompt, servers);
        return (
          <button
            key={prompt.requestId}
            type="button"
            class="quiet"
            onClick={() => onChoose(prompt.requestId)}
          >
            <span class="chip">{chipOf(view) ?? titleOf(view)}</span>{" "}
            <span class="truncate">{summaryOf(view)}</span>
          </button>
        );
      })}
    </details>
  );
}
