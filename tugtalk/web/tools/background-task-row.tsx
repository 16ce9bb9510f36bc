/** An agent, a shell or another task that runs beside the conversation, with a way to stop it. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BackgroundTaskView } from "../../client/entry-models.ts";
import type { IconName } from "../../host/page/icons.ts";
import { BusyButton } from "../elements/busy-button.tsx";
import { formatCount, formatDuration, formatTokens } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";
import { focusMessageField } from "../elements/message-field.ts";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";

type BackgroundTaskRowProps = {
  readonly session: SessionStore;
  readonly task: BackgroundTaskView;
};

const ICONS: Readonly<Record<BackgroundTaskView["kind"], IconName>> = {
  agent: "fork",
  shell: "terminal",
  other: "wrench",
};

export function BackgroundTaskRow({ session, task }: BackgroundTaskRowProps) {
  const { kind, title, status, isRunning, detail } = task;
  return (
    <li class="line background-task">
      <Icon name={ICONS[kind]} />
      <div class="grow">
        <p>{title}</p>
        {detail !== undefined && <p class="muted small">{detail}</p>}
        <p class="muted small numeric">{factsOf(task)}</p>
      </div>
      {isRunning ? (
        <StopButton session={session} task={task} />
      ) : (
        <span class="chip">{status}</span>
      )}
    </li>
  );
}

type TaskAmounts = Pick<BackgroundTaskView, "durationMs" | "toolUses" | "totalTokens">;

/** `1 min 5 s · 3 tool calls · 2.0k tokens` */
export function factsOf({ durationMs, toolUses, totalTokens }: TaskAmounts): string {
  const facts = [
    durationMs === undefined ? undefined : formatDuration(durationMs),
    toolUses === undefined ? undefined : formatCount(toolUses, "tool call"),
    totalTokens === undefined ? undefined : `${formatTokens(totalTokens)} tokens`,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

export function StopButton({ session, task: { taskId, title } }: BackgroundTaskRowProps) {
  const { toasts } = useApp();
  const isStopping = useSignal(false);
  const button = useLeaving();
  const stop = async () => {
    isStopping.value = true;
    const stopped = await toasts.attempt(session.command("stop_task", { task_id: taskId }));
    isStopping.value = stopped !== undefined;
  };
  return (
    <BusyButton
      ref={button}
      class="danger small"
      aria-label={`Stop ${title}`}
      isBusy={isStopping.value}
      onClick={() => void stop()}
    >
      <Icon name="stop" />
      {isStopping.value ? "Stopping…" : "Stop"}
    </BusyButton>
  );
}

/** The button goes when the task has ended: the focus stays in its dialog, or is where messages are written. */
function useLeaving() {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current?.matches(":focus") !== true) return;
      const body = current.closest<HTMLElement>(".dialog-body");
      if (body === null) focusMessageField();
      else body.focus();
    };
  }, []);
  return button;
}
