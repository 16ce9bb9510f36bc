/** One prompt, with the controls to answer it. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { cancelDialog, completeDialog } from "../../client/answers.ts";
import type { DialogData, OpenPrompt } from "../../client/prompt-models.ts";
import type { McpServerStatus } from "../../client/reduced-session.ts";
import { type PromptView, viewPrompt } from "../../client/views/prompt-view.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { KeyView } from "../elements/key-view.tsx";
import { useApp } from "../store/app.ts";
import { FolderProvider, useFolderOf } from "../store/folder.ts";
import { ElicitationForm } from "./elicitation-form.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { type PromptActions, usePromptActions } from "./prompt-actions.ts";
import { usePromptFocus } from "./prompt-focus.ts";
import { usePromptKeys } from "./prompt-keys.ts";
import { chipOf, titleOf } from "./prompt-summary.ts";
import { QuestionForm } from "./question-form.tsx";

type PromptCardProps = {
  readonly sessionId: string;
  readonly prompt: OpenPrompt;
  /** MCP servers of the session, which name its tools. */
  readonly servers?: readonly McpServerStatus[];
  /** The agent that asks, if it is not the main conversation. */
  readonly agent?: string | undefined;
};

/** Give it the request id as its `key`: another prompt is another card. */
export function PromptCard({ sessionId, prompt, servers, agent }: PromptCardProps) {
  const card = useRef<HTMLElement>(null);
  const isFresh = useFresh();
  const actions = usePromptActions(sessionId, prompt.requestId, isFresh.value);
  const view = useMemo(() => viewPrompt(prompt, servers), [prompt, servers]);
  usePromptKeys(card);
  usePromptFocus(card, sessionId);
  const phase = actions.form.phase.value;
  return (
    <article
      ref={card}
      class={`prompt stack card ${phase === "sent" ? "card-good" : "card-warn"}`}
      aria-label={titleOf(view)}
      aria-busy={phase === "sending" || isFresh.value}
      tabIndex={-1}
    >
      <Heading view={view} agent={agent} isSending={phase === "sending"} />
      <FolderProvider value={useFolderOf(sessionId)}>
        <Body view={view} actions={actions} />
      </FolderProvider>
      <Failure actions={actions} />
    </article>
  );
}

type HeadingProps = {
  readonly view: PromptView;
  readonly agent: string | undefined;
  readonly isSending: boolean;
};

function Heading({ view, agent, isSending }: HeadingProps) {
  const chip = chipOf(view);
  const { displayName, description } =
    view.kind === "permission" ? view : { displayName: undefined, description: undefined };
  return (
    <header class="prompt-header row">
      <h2 class="line small warn-text">
        <Icon name={view.kind === "permission" ? "circle-dot" : "message"} /> {titleOf(view)}
      </h2>
      {chip !== undefined && <code class="chip chip-warn">{chip}</code>}
      {displayName !== undefined && displayName !== chip && <span>{showHidden(displayName)}</span>}
      {agent !== undefined && <span class="muted small">for {showHidden(agent)}</span>}
      {isSending && <span class="spinner" />}
      <span class="prompt-way hint">
        <KeyView keys="Shift+Tab" /> leads here
      </span>
      {description !== undefined && <p dir="auto">{showHidden(description)}</p>}
    </header>
  );
}

function Body({ view, actions }: { readonly view: PromptView; readonly actions: PromptActions }) {
  switch (view.kind) {
    case "permission":
      return <PermissionCard view={view} actions={actions} />;
    case "plan":
      return <PlanCard view={view} actions={actions} />;
    case "question":
      return <QuestionForm view={view} actions={actions} />;
    case "elicitation":
      return <ElicitationForm view={view} actions={actions} />;
    case "dialog":
      return <DialogForm view={view} actions={actions} />;
  }
}

function Failure({ actions: { form } }: { readonly actions: PromptActions }) {
  const { host } = useApp();
  const problem = form.problem.value;
  return (
    <>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {host.status.value !== "connected" && (
        <p class="prompt-why hint" role="status">
          The host cannot be reached. You can answer when it is back.
        </p>
      )}
    </>
  );
}

/** About as long as a person needs to notice it. */
const FRESH_MS = 400;

/** True for a moment after the component has appeared. */
function useFresh(): ReadonlySignal<boolean> {
  const isFresh = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => {
      isFresh.value = false;
    }, FRESH_MS);
    return () => clearTimeout(timer);
  }, [isFresh]);
  return isFresh;
}

type DialogFormProps = { readonly view: DialogData; readonly actions: PromptActions };

/** A dialog of Claude of a kind that the page has no drawing for. */
function DialogForm({ view: { fields, dialogKind }, actions }: DialogFormProps) {
  const { request, answer, isDisabled } = actions;
  return (
    <>
      <p>
        Claude opens a dialog of the kind <code>{showHidden(dialogKind)}</code>.
      </p>
      <dl class="facts">
        {fields.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={isDisabled}
          onClick={() => answer(completeDialog(request))}
        >
          Complete
        </button>
        <button type="button" disabled={isDisabled} onClick={() => answer(cancelDialog(request))}>
          Cancel
        </button>
      </div>
    </>
  );
}
