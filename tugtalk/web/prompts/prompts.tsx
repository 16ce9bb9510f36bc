/** The prompts of Claude in this session, at the composer: one prompt in full, the others in a word. */
import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { McpServerStatus } from "../../client/reduced-session.ts";
import { viewPrompt } from "../../client/views/prompt-view.ts";
import { IS_TOUCH } from "../elements/is-touch.ts";
import { messageField } from "../elements/message-field.ts";
import type { SessionStore } from "../store/session-store.ts";
import { ClosedNote, useClosed } from "./closed-note.tsx";
import { PromptCard } from "./prompt-card.tsx";
import { inOrder } from "./prompt-order.ts";
import { chipOf, summaryOf, titleOf } from "./prompt-summary.ts";

export function Prompts({ session }: { readonly session: SessionStore }) {
  const region = useRef<HTMLElement>(null);
  const chosen = useSignal<string | undefined>(undefined);
  const closed = useClosed(session);
  const [shown, ...waiting] = inOrder(session.prompts.value, chosen.value);
  useFocusReturn(region, shown?.requestId);
  const choose = (requestId: string) => {
    chosen.value = requestId;
  };
  return (
    <section ref={region} class="prompts stack" aria-label="Claude asks" tabIndex={-1}>
      {closed.value !== undefined && (
        <ClosedNote
          key={closed.value.requestId}
          session={session}
          prompt={closed.value}
          onDismiss={() => {
            closed.value = undefined;
          }}
        />
      )}
      <Arrival session={session} prompt={shown} />
      {shown !== undefined && (
        <Shown key={shown.requestId} session={session} prompt={shown} onWork={choose} />
      )}
      <WaitingPrompts prompts={waiting} servers={session.mcpServers.value} onChoose={choose} />
    </section>
  );
}

type ShownProps = {
  readonly session: SessionStore;
  readonly prompt: OpenPrompt;
  /** A person works on it, and is not to be interrupted by a more urgent one. */
  readonly onWork: (requestId: string) => void;
};

function Shown({ session, prompt, onWork }: ShownProps) {
  const { requestId, parentToolUseId } = prompt;
  const tasks = useComputed(() => session.state.value.backgroundTasks);
  const task = tasks.value.find(({ toolUseId }) => toolUseId === parentToolUseId);
  const agent = task?.description ?? "a subagent";
  return (
    <div onFocusIn={() => onWork(requestId)}>
      <PromptCard
        sessionId={session.id}
        prompt={prompt}
        servers={session.mcpServers.value}
        agent={parentToolUseId === undefined ? undefined : agent}
      />
    </div>
  );
}

type ArrivalProps = { readonly session: SessionStore; readonly prompt: OpenPrompt | undefined };

/** Announces a new prompt to screen readers. They read a text that changes, but not its first state. */
function Arrival({ session, prompt }: ArrivalProps) {
  const view = prompt && viewPrompt(prompt, session.mcpServers.value);
  const announcement = view
    ? [titleOf(view), chipOf(view), summaryOf(view)].filter(Boolean).join(": ")
    : "";
  const announced = useSignal("");
  useEffect(() => {
    announced.value = announcement;
  }, [announced, announcement]);
  return (
    <p class="visually-hidden" role="status">
      {announced.value}
    </p>
  );
}

type WaitingPromptsProps = {
  readonly prompts: readonly OpenPrompt[];
  readonly servers: readonly McpServerStatus[];
  readonly onChoose: (requestId: string) => void;
};

/** The prompts behind the shown one, each as a line that brings it to the front. */
function WaitingPrompts({ prompts, servers, onChoose }: WaitingPromptsProps) {
  if (prompts.length === 0) return null;
  return (
    <details class="prompts-waiting small">
      <summary>{prompts.length} more</summary>
      {prompts.map((prompt) => {
        const view = viewPrompt(prompt, servers);
        return (
          <button
            key={prompt.requestId}
            type="button"
            class="quiet"
            onClick={() => onChoose(prompt.requestId)}
          >
            <span class="chip">{chipOf(view) ?? titleOf(view)}</span>{" "}
            <span class="truncate">{summaryOf(view)}</span>
          </button>
        );
      })}
    </details>
  );
}

/** `shownId`: the prompt that the region shows, undefined for none. */
function useFocusReturn(region: RefObject<HTMLElement | null>, shownId: string | undefined): void {
  const previous = useRef<string | undefined>(undefined);
  useEffect(() => {
    const isReplaced = previous.current !== undefined && previous.current !== shownId;
    previous.current = shownId;
    if (!isReplaced || document.activeElement !== document.body) return;
    // The keys answer the next prompt. If there is none, the person goes on writing.
    const isOver = shownId === undefined && !IS_TOUCH;
    const next = isOver ? messageField() : region.current;
    next?.focus({ preventScroll: true });
  }, [region, shownId]);
}
