/** One tool call in the transcript: a line, and behind it what the call does and what came of it. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ToolCallView } from "../../client/entry-models.ts";
import type { NamedText, QuestionView, ToolName } from "../../client/prompt-models.ts";
import type { ToolItem } from "../../client/transcript-models.ts";
import { viewToolCall } from "../../client/views/tool-view.ts";
import { toolRow } from "../../client/views/tools.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { AcceptedChanges } from "./accepted-changes.tsx";
import { LineCounts } from "./diff.tsx";
import { FilePath } from "./file-path.tsx";
import { RunningTask, TaskState } from "./running-task.tsx";
import { ToolBody } from "./tool-body.tsx";
import { ToolState } from "./tool-state.tsx";

type ToolCardProps = {
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
    <div class={`tool card ${tintOf(call)} tool-${call.status}`}>
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary class="tool-line line small">
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

/** Answers that were given stand out, as what waits for them does. */
function tintOf({ status, answers }: ToolCallView): string {
  if (answers !== undefined) return "card-good";
  return status === "waiting" ? "card-warn" : "";
}

function CardState({ call: { status, elapsedSeconds, taskId } }: { readonly call: ToolCallView }) {
  // The call of a task in the background is done when the task has begun.
  if (taskId !== undefined && status === "done") return <TaskState taskId={taskId} />;
  return <ToolState status={status} elapsedSeconds={elapsedSeconds} />;
}

type TitleProps = { readonly call: ToolCallView };

function ToolTitle({ call }: TitleProps) {
  const { tool, diff, preview } = call;
  const body = preview?.body.kind === "diff" ? preview.body : undefined;
  const hunks = diff?.structuredPatch ?? (body?.isWhole === true ? undefined : body?.hunks);
  return (
    <span class="line grow">
      <span class="tool-name strong">{tool?.label ?? "Tool"}</span>
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

type AnswerLinesProps = {
  readonly answers: readonly NamedText[];
  /** For their chips. */
  readonly questions: readonly QuestionView[];
};

/** Questions of Claude's with the answers that a person gave, one line each. */
function AnswerLines({ answers, questions }: AnswerLinesProps) {
  return (
    <ul class="answer-lines stack tight">
      {answers.map(({ name, text }) => (
        <li key={name} title={showHidden(name)} class="row good-text small">
          <Icon name="check" label="Answered" />
          <span class="chip">{showHidden(headerOf(name, questions))}</span>
          <span>{`Selected: "${text}"`}</span>
        </li>
      ))}
    </ul>
  );
}

/** A question without a chip is named itself. */
function headerOf(question: string, questions: readonly QuestionView[]): string {
  return questions.find((one) => one.question === question)?.header ?? question;
}

/** The icon of a tool. */
function ToolIcon({ tool }: { readonly tool: ToolName | undefined }) {
  const isMcp = tool?.server !== undefined;
  return <Icon name={isMcp ? "plug" : (toolRow(tool?.name)?.icon ?? "wrench")} />;
}
