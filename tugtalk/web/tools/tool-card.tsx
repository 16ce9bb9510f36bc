/** One tool call in the transcript: a line, and behind it what the call does and what came of it. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { viewToolCall } from "../../client/views/tool-view.ts";
import type { ToolCallView } from "../../src/messages/entry-models.ts";
import type { ToolItem } from "../../src/messages/transcript-models.ts";
import { AcceptedChanges } from "./accepted-changes.tsx";
import { AnswerLines } from "./answer-lines.tsx";
import { FilePath } from "./file-path.tsx";
import { LineCounts } from "./line-counts.tsx";
import { RunningTask, TaskState } from "./running-task.tsx";
import { ToolBody } from "./tool-body.tsx";
import { ToolIcon } from "./tool-icon.tsx";
import { ToolState } from "./tool-state.tsx";

export type ToolCardProps = {
  readonly item: ToolItem;
  /** Of the session, for the names of their tools. */
  readonly servers: readonly { readonly name: string }[];
  /** What the agent did that it started. */
  readonly children?: ComponentChildren;
};

/** What is in it is drawn while it is open. */
export function ToolCard({ item, servers, children }: ToolCardProps) {
  const isOpen = useSignal(false);
  const call = viewToolCall(item, servers);
  return (
    <div class={`tool tool-${call.status}`}>
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary class="tool-line">
          <ToolIcon tool={call.tool} />
          <ToolTitle call={call} />
          <CardState call={call} />
        </summary>
        {isOpen.value && (
          <ToolBody item={item} call={call}>
            {children}
            {call.taskId !== undefined && <RunningTask taskId={call.taskId} />}
          </ToolBody>
        )}
      </details>
      <Answers call={call} />
      <AcceptedChanges permission={item.permission} servers={servers} />
    </div>
  );
}

function CardState({ call: { status, elapsedSeconds, taskId } }: { readonly call: ToolCallView }) {
  // The call of a task in the background is done when the task has begun.
  if (taskId !== undefined && status === "done") return <TaskState taskId={taskId} />;
  return <ToolState status={status} elapsedSeconds={elapsedSeconds} />;
}

type TitleProps = { readonly call: ToolCallView };

function ToolTitle({ call }: TitleProps) {
  const { tool, diff, preview } = call;
  const hunks = diff?.structuredPatch ?? (preview?.body.kind === "diff" && preview.body.hunks);
  return (
    <span class="tool-title">
      <span class="tool-name">{tool?.label ?? "Tool"}</span>
      {tool?.server !== undefined && <span class="chip">{tool.server}</span>}
      <Summary call={call} />
      {hunks && <LineCounts hunks={hunks} />}
    </span>
  );
}

/** The one line that tells the most of what it is about. */
function Summary({ call: { diff, preview, summary } }: TitleProps) {
  const kind = diff === undefined ? preview?.body.kind : "diff";
  if (summary === undefined) return null;
  if (kind === "diff" || kind === "file") return <FilePath path={summary} />;
  const isCode = kind === "command" || kind === "search";
  return (
    <span class={isCode ? "truncate mono muted" : "truncate muted"} title={summary}>
      {kind === "command" && "$ "}
      {summary}
    </span>
  );
}

function Answers({ call: { answers, preview } }: { readonly call: ToolCallView }) {
  if (answers === undefined) return null;
  const questions = preview?.body.kind === "questions" ? preview.body.questions : [];
  return <AnswerLines answers={answers} questions={questions} />;
}
