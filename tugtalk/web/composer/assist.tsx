/** Help with writing, from the first key on: completion, earlier messages, a suggestion, the mode. */
import {
  type ReadonlySignal,
  untracked,
  useComputed,
  useSignal,
  useSignalEffect,
} from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { viewCommands } from "../../client/views/command-view.ts";
import { IconButton } from "../elements/icon-button.tsx";
import { type App, useApp } from "../store/app.ts";
import { nextPermissionMode } from "../store/next-mode.ts";
import type { SessionStore } from "../store/session-store.ts";
import { type Choice, commandChoices, fileChoices, type Trigger } from "./completion.ts";
import { CompletionList } from "./completion-list.ts";
import { CompletionView } from "./completion-view.tsx";
import { HistoryKeys } from "./history-keys.ts";

type AssistProps = {
  readonly session: SessionStore;
  readonly field: HTMLTextAreaElement;
  /** The key that was pressed before this was loaded. */
  readonly lastKey: RefObject<KeyboardEvent | null>;
};

export function Assist({ session, field, lastKey }: AssistProps) {
  const app = useApp();
  const list = useMemo(() => openList(app, session, field), [app, session, field]);
  useEffect(() => {
    const draft = app.drafts.of(session.id);
    const history = new HistoryKeys(draft, session, field);
    const ending = new AbortController();
    const { signal } = ending;
    const isAsked = watchAsked(session, signal);
    const isTaken = (event: KeyboardEvent) => {
      if (list.onKey(event)) return true;
      if (!history.onKey(event)) return onTab(app, session, event, isAsked());
      // A text from the history needs no completion, and the arrows go on through the messages.
      list.close();
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || !isTaken(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const onSelection = () => {
      if (document.activeElement === field) list.update();
    };
    // Before the composer's own keys.
    field.addEventListener("keydown", onKey, { capture: true, signal });
    field.addEventListener("input", () => history.leave(), { signal });
    field.addEventListener("blur", () => list.close(), { signal });
    document.addEventListener("selectionchange", onSelection, { signal });
    const { current: key } = lastKey;
    if (key !== null && isRecent(key)) isTaken(key);
    // `subscribe` also calls back at once. A sent message changes the text too.
    signal.addEventListener(
      "abort",
      draft.text.subscribe(() => list.update()),
    );
    return () => ending.abort();
  }, [app, session, field, list, lastKey]);
  const capabilities = useComputed(() => session.state.value.capabilities);
  // Commands that come while a person types one.
  useSignalEffect(() => {
    if (capabilities.value !== undefined) untracked(() => list.refresh());
  });
  return (
    <>
      <CompletionView list={list} field={field} />
      <GrowButton field={field} text={app.drafts.of(session.id).text} />
    </>
  );
}

/** It was pressed while this was loaded, and not before the connection was lost. */
function isRecent({ timeStamp }: Event): boolean {
  return performance.now() - timeStamp < 2_000;
}

function openList(app: App, session: SessionStore, field: HTMLTextAreaElement): CompletionList {
  const { text } = app.drafts.of(session.id);
  return new CompletionList({
    field,
    find: (trigger) => findChoices(session, trigger),
    onText: (changed) => {
      text.value = changed;
    },
  });
}

function findChoices(
  session: SessionStore,
  { kind, query }: Trigger,
): Promise<readonly Choice[]> | readonly Choice[] {
  if (kind === "command") return commandChoices(viewCommands(session.state.value), query);
  return session.command("files", { q: query }).then(
    ({ files }) => fileChoices(files),
    // Files of other machines cannot be listed, and without a connection none.
    () => [],
  );
}

/**
 * Tab takes Claude's suggestion for an empty composer. Shift+Tab changes the permission mode, or leads to the
 * open prompt if there is one.
 */
function onTab(
  app: App,
  session: SessionStore,
  { key, shiftKey, repeat }: KeyboardEvent,
  isAsked: boolean,
): boolean {
  if (key === "Tab" && shiftKey) {
    // The browser would stop at the messages that wait between the two, at the button that drops one.
    if (isAsked) document.querySelector<HTMLElement>(".prompt")?.focus();
    else if (!repeat) void nextPermissionMode(app, session);
    return true;
  }
  const { text } = app.drafts.of(session.id);
  const { promptSuggestion } = session.state.value;
  const isTaking = (key === "Tab" || key === "ArrowRight") && text.value === "";
  if (!isTaking || promptSuggestion === undefined) return false;
  text.value = promptSuggestion;
  return true;
}

/** Until then a person may not have seen that nothing is asked any more. */
const SEEN_MS = 1_000;

/** Whether Claude asks something, or did a moment ago. */
function watchAsked({ prompts }: SessionStore, signal: AbortSignal): () => boolean {
  let until = 0;
  const stop = prompts.subscribe(({ length }) => {
    if (length > 0) until = Number.POSITIVE_INFINITY;
    else if (until === Number.POSITIVE_INFINITY) until = performance.now() + SEEN_MS;
  });
  signal.addEventListener("abort", stop);
  return () => performance.now() < until;
}

type GrowButtonProps = {
  readonly field: HTMLTextAreaElement;
  readonly text: ReadonlySignal<string>;
};

/** Makes the field as high as its text, where the browser does not. */
function fit(field: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

/** Shows the whole of a long text in the field, on demand. */
function GrowButton({ field, text }: GrowButtonProps) {
  const isTall = useSignal(false);
  const isCut = useSignal(false);
  const { value } = text;
  useLayoutEffect(() => {
    fit(field);
    field.classList.toggle("is-tall", isTall.value && value !== "");
    if (value === "") isTall.value = false;
    isCut.value = field.scrollHeight > field.clientHeight + 1;
  });
  if (!isTall.value && !isCut.value) return null;
  const label = isTall.value ? "Show less of the text" : "Show the whole text";
  const icon = isTall.value ? "chevron-down" : "chevron-up";
  const toggle = () => {
    isTall.value = !isTall.value;
    field.focus();
  };
  return <IconButton icon={icon} label={label} class="grow-button" onClick={toggle} />;
}
