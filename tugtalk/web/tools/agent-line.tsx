/** The work of an agent, under the line of its closed card: its latest step, how many there were, and the time. */
import { numberOf, objectOf, present } from "../../client/claude-value.ts";
import type { BackgroundTaskView, ToolCallView } from "../../client/entry-models.ts";
import type { ToolItem, TranscriptItem } from "../../client/transcript-models.ts";
import { pathIn } from "../../client/views/path-in.ts";
import { viewToolCall } from "../../client/views/tool-view.ts";
import { firstLine, showHidden } from "../../client/views/visible-text.ts";
import { useFolder } from "../store/folder.ts";
import { factsOf } from "./background-task-row.tsx";
import { useElapsed } from "./use-elapsed.ts";

type AgentLineProps = {
  readonly item: ToolItem;
  /** How far the agent is. */
  readonly status: ToolCallView["status"];
  readonly task: BackgroundTaskView | undefined;
  readonly steps: readonly TranscriptItem[];
  readonly isOpen: boolean;
};

export function AgentLine({ item, status, task, steps, isOpen }: AgentLineProps) {
  const folder = useFolder();
  const amounts = amountsOf(item, task, steps);
  const isRunning = status === "running";
  const durationMs = useElapsed(amounts.durationMs, isRunning);
  const facts = factsOf({ ...amounts, ...(durationMs !== undefined && { durationMs }) });
  // The last step of a finished agent is its report, and an open card shows all steps.
  const step = status === "done" || isOpen ? undefined : latestStep(steps, folder);
  if (step === undefined && facts === "") return null;
  return (
    <span class="agent-line line hint">
      {step !== undefined && <span class="truncate">{step}</span>}
      <span class="agent-facts numeric">{facts}</span>
    </span>
  );
}

/**
 * The amounts in the result. Without a result, the amounts that the task reports, or the steps that were
 * seen.
 */
function amountsOf(
  { structured }: ToolItem,
  task: BackgroundTaskView | undefined,
  steps: readonly TranscriptItem[],
): Parameters<typeof factsOf>[0] {
  const result = objectOf(structured);
  const seen = steps.filter(({ kind }) => kind === "tool").length;
  const amounts = {
    durationMs: numberOf(result?.["totalDurationMs"]) ?? task?.durationMs,
    toolUses: numberOf(result?.["totalToolUseCount"]) ?? Math.max(task?.toolUses ?? 0, seen),
    totalTokens: numberOf(result?.["totalTokens"]) ?? task?.totalTokens,
  };
  return present({ ...amounts, toolUses: amounts.toolUses || undefined });
}

/** A card says by itself that its call waits. */
const STATES: Readonly<Partial<Record<ToolItem["status"], string>>> = {
  failed: "failed",
  denied: "denied",
};

function latestStep(steps: readonly TranscriptItem[], folder: string): string | undefined {
  const step = steps.findLast(({ kind }) => kind === "tool" || kind === "text");
  if (step?.kind === "text") return showHidden(firstLine(step.text.trim()));
  if (step?.kind !== "tool") return undefined;
  const { tool, summary = "" } = viewToolCall(step);
  const state = STATES[step.status];
  const what = `${tool?.label ?? "Tool"} ${pathIn(folder, summary) ?? summary}`.trim();
  return state === undefined ? what : `${what} · ${state}`;
}
