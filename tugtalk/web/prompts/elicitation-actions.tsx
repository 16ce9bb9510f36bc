/** How a form of an MCP server is refused, beside the way to accept it. */
import type { ComponentChildren } from "preact";
import type { PromptActions } from "./prompt-actions.ts";

export type ElicitationActionsProps = {
  readonly actions: PromptActions;
  readonly children: ComponentChildren;
};

export function ElicitationActions({ actions, children }: ElicitationActionsProps) {
  const { answer, isDisabled } = actions;
  return (
    <div class="buttons">
      {children}
      <button
        type="button"
        disabled={isDisabled}
        title="The server is told that you refuse"
        onClick={() => answer("elicitation", { action: "decline" })}
      >
        Decline
      </button>
      <button
        type="button"
        class="quiet"
        disabled={isDisabled}
        title="The server is told that you have not decided"
        onClick={() => answer("elicitation", { action: "cancel" })}
      >
        Cancel
      </button>
    </div>
  );
}
