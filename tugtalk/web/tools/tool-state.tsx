/** How far a tool call is: a sign, and a text that is hidden where the sign says enough. */
import type { ToolStatus } from "../../client/transcript-models.ts";
import type { IconName } from "../../host/page/icons.ts";
import { formatDuration } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";

const TEXTS: Readonly<Record<ToolStatus, string>> = {
  streaming: "Preparing",
  running: "Running",
  waiting: "Waiting for you",
  done: "Done",
  failed: "Failed",
  denied: "Denied",
  abandoned: "Stopped",
};

type ToolStateProps = {
  readonly status: ToolStatus;
  readonly elapsedSeconds?: number | undefined;
  /** Takes the place of the text for the status. */
  readonly text?: string | undefined;
};

export function ToolState({ status, elapsedSeconds, text }: ToolStateProps) {
  const isSilent = SILENT.has(status) && text === undefined;
  return (
    <span class="tool-state line muted">
      {elapsedSeconds !== undefined && status !== "running" && (
        <span class="numeric">{formatDuration(1_000 * elapsedSeconds)}</span>
      )}
      <span class={isSilent ? "visually-hidden" : "tool-text"}>{text ?? TEXTS[status]}</span>
      <Sign status={status} />
    </span>
  );
}

/** The foot says that a call goes on, and a card that it waits. */
const SILENT: ReadonlySet<ToolStatus> = new Set(["done", "streaming", "running", "waiting"]);

/** A call of any other status goes on, and has a spinner. */
const SIGNS: Readonly<Partial<Record<ToolStatus, IconName>>> = {
  waiting: "circle-dot",
  done: "check",
  failed: "cross",
  denied: "shield-x",
  abandoned: "stop",
};

function Sign({ status }: { readonly status: ToolStatus }) {
  const icon = SIGNS[status];
  return icon === undefined ? <span class="spinner" /> : <Icon name={icon} />;
}
