/** How a form of an MCP server is refused, beside the way to accept it. */
import type { ComponentChildren } from "preact";
import type { Asked } from "./asked.ts";

export type ElicitationActionsProps = {
  readonly asked: Asked;
  readonly children: ComponentChildren;
};

export function ElicitationActions({ asked, children }: ElicitationActionsProps) {
  const { answer, isDisabled } = asked;
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
