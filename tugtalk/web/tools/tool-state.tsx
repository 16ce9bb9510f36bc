/** How far a tool call is: a sign, and words. Of a call that is done a person needs no words. */
import type { ToolStatus } from "../../src/messages/transcript-models.ts";
import { formatDuration } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";

const WORDS: Readonly<Record<ToolStatus, string>> = {
  streaming: "Preparing",
  running: "Running",
  waiting: "Waiting for you",
  done: "Done",
  failed: "Failed",
  denied: "Denied",
  abandoned: "Interrupted",
};

export type ToolStateProps = {
  readonly status: ToolStatus;
  readonly elapsedSeconds?: number | undefined;
  /** Other words than those of the status. */
  readonly words?: string;
};

export function ToolState({ status, elapsedSeconds, words }: ToolStateProps) {
  const isKnown = status === "done" || status === "streaming" || status === "running";
  const isSilent = isKnown && words === undefined;
  return (
    <span class="tool-state">
      {elapsedSeconds !== undefined && (
        <span class="numeric">{formatDuration(1_000 * elapsedSeconds)}</span>
      )}
      <span class={isSilent ? "visually-hidden" : "tool-words"}>{words ?? WORDS[status]}</span>
      <Sign status={status} />
    </span>
  );
}

function Sign({ status }: { readonly status: ToolStatus }) {
  switch (status) {
    case "streaming":
    case "running":
      return <span class="spinner" />;
    case "waiting":
      return <Icon name="circle-dot" />;
    case "done":
      return <Icon name="check" />;
    case "failed":
      return <Icon name="cross" />;
    case "denied":
      return <Icon name="shield-x" />;
    case "abandoned":
      return <Icon name="stop" />;
  }
}
