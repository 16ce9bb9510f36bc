/** One tool call in the transcript: a line, and behind it the input and the outcome. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ToolCallView } from "../../client/entry-models.ts";
import type { NamedText, QuestionView, ToolName } from "../../client/prompt-models.ts";
import type { ToolItem, TranscriptItem } from "../../client/transcript-models.ts";
import { viewToolCall } from "../../client/views/tool-view.ts";
import { toolRow } from "../../client/views/tools.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { AcceptedChanges } from "./accepted-changes.tsx";
import { AgentLine } from "./agent-line.tsx";
import { opensItself } from "./opens-itself.ts";
import { RunningTask, statusWith, useTask } from "./running-task.tsx";
import { ToolBody } from "./tool-body.tsx";
import { ToolState } from "./tool-state.tsx";
import { ToolTitle } from "./tool-title.tsx";

type ToolCardProps = {
  readonly item: ToolItem;
  /** The servers of the session, for the names of their tools. */
  readonly servers: readonly { readonly name: string }[];
  /** The work of the agent that it started, and the same drawn. */
  readonly steps?: readonly TranscriptItem[] | undefined;
  readonly children?: ComponentChildren;
};

/** Its content is drawn while it is open. */
export function ToolCard({ item, servers, steps, children }: ToolCardProps) {
  const chosen = useSignal<boolean | undefined>(undefined);
  const call = viewToolCall(item, servers);
  const task = useTask(call.taskId);
  const status = statusWith(call, task);
  const isOpen = chosen.value ?? opensItself(item, call);
  const agent = { item, status, task, steps: steps ?? [], isOpen };
  return (
    <div class={`tool card ${tintOf(call)} tool-${status}`}>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) chosen.value = currentTarget.open;
        }}
      >
        <summary class="tool-line line small">
          <ToolIcon tool={call.tool} />
          <ToolTitle call={call} isOpen={isOpen} />
          <CardState call={call} status={status} />
          {(steps !== undefined || task?.kind === "agent") && <AgentLine {...agent} />}
        </summary>
        {isOpen && (
          <ToolBody item={item} call={call} hasSteps={agent.steps.length > 0}>
            {children}
            {task !== undefined && <RunningTask task={task} />}
          </ToolBody>
        )}
      </details>
      <Answers call={call} />
      <AcceptedChanges permission={item.permission} servers={servers} />
    </div>
  );
}

/** Given answers stand out, as the calls that wait for them do. */
function tintOf({ status, answers }: ToolCallView): string {
  if (answers !== undefined) return "card-good";
  return status === "waiting" ? "card-warn" : "";
}

type CardStateProps = Pick<ToolCallView, "status"> & { readonly call: ToolCallView };

function CardState({ call: { elapsedSeconds, exitCode, ...call }, status }: CardStateProps) {
  if (status !== call.status)
    return (
      <ToolState status={status} text={status === "running" ? "In the background" : undefined} />
    );
  const failure = status === "failed" && exitCode !== undefined && `Exit code ${exitCode}`;
  return <ToolState status={status} elapsedSeconds={elapsedSeconds} text={failure || undefined} />;
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
