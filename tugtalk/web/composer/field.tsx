/** The text field. The browser keeps its text, and the draft follows: a key draws no component. */
import { effect, useComputed, useSignal } from "@preact/signals";
import type { RefObject, TargetedFocusEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { IS_TOUCH } from "../elements/is-touch.ts";
import { lazy } from "../elements/lazy.tsx";
import { isSendKey } from "../elements/send-key.ts";
import { type App, useApp } from "../store/app.ts";
import type { Draft } from "../store/drafts.ts";
import { isLost } from "../store/host-store.ts";
import type { SessionStore } from "../store/session-store.ts";
import { NO_SESSION, placeholderFor } from "./placeholder.ts";
import { takeFiles } from "./take-files.ts";

const Assist = lazy(async () => (await import("./assist.tsx")).Assist);

export type FieldProps = {
  readonly session: SessionStore;
  readonly draft: Draft;
  readonly send: (delivery?: "now") => void;
};

export function Field({ session, draft, send }: FieldProps) {
  const app = useApp();
  const field = useRef<HTMLTextAreaElement>(null);
  const isUsed = useSignal(false);
  const lastKey = useRef<KeyboardEvent>(null);
  const placeholder = usePlaceholder(app, session);
  const passing = usePassing(session);
  const isAssisted = useComputed(
    // Without a connection the code may not be there, and is not to be asked for in vain.
    () =>
      app.host.status.value === "connected" &&
      (isUsed.value || session.state.value.promptSuggestion !== undefined),
  );
  useShownText(field, draft);
  return (
    <>
      <textarea
        ref={field}
        class="composer-field"
        aria-label="Message"
        dir="auto"
        placeholder={placeholder.value}
        disabled={placeholder.value === NO_SESSION}
        rows={1}
        enterkeyhint={IS_TOUCH ? "enter" : "send"}
        onInput={(event) => {
          isUsed.value = true;
          draft.text.value = event.currentTarget.value;
        }}
        {...passing}
        onKeyDown={(event) => {
          isUsed.value = true;
          if (!event.repeat) lastKey.current = event;
          // The focus stays here, also while the code that takes the key is loaded.
          if (event.key === "Tab" && isTabTaken(session, draft, event)) event.preventDefault();
          if (!isSendKey(event)) return;
          event.preventDefault();
          send(event.ctrlKey || event.metaKey ? "now" : undefined);
        }}
        onPaste={(event) => paste(app, session.id, event)}
      />
      {isAssisted.value && field.current !== null && (
        <Assist session={session} field={field.current} lastKey={lastKey} />
      )}
    </>
  );
}

/** Who goes back through the page by Shift+Tab passes the field, unless the key leads to a prompt. */
function usePassing({ prompts }: SessionStore) {
  const isPassing = useRef(false);
  return {
    onFocus: ({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLTextAreaElement>) => {
      // By Tab, and not by a click.
      isPassing.current = relatedTarget !== null && !currentTarget.matches(":active");
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      const { key, shiftKey } = event;
      const isBack = key === "Tab" && shiftKey && prompts.value.length === 0;
      if (isPassing.current && isBack) event.stopImmediatePropagation();
      else if (key !== "Shift") isPassing.current = false;
    },
  };
}

/** Tab takes a suggestion; with Shift it changes the permission mode, or leads to a prompt. */
function isTabTaken(session: SessionStore, draft: Draft, { shiftKey }: KeyboardEvent): boolean {
  const { promptSuggestion } = session.state.value;
  return shiftKey || (draft.text.value === "" && promptSuggestion !== undefined);
}

function usePlaceholder({ host }: App, { phase, state, isEmpty }: SessionStore) {
  return useComputed(() => {
    const isHostLost = isLost(host);
    if (isHostLost && phase.value === "loading") return NO_SESSION;
    return placeholderFor(state.value, { isLost: isHostLost, isEmpty: isEmpty.value });
  });
}

function useShownText(field: RefObject<HTMLTextAreaElement | null>, { text }: Draft): void {
  // At once: an effect of a component runs a frame later, and a key that comes before would replace the draft.
  useLayoutEffect(
    () =>
      effect(() => {
        const { current } = field;
        // Only if it differs: the caret would go to the end.
        if (current !== null && current.value !== text.value) current.value = text.value;
      }),
    [field, text],
  );
  useEffect(() => {
    if (!IS_TOUCH) field.current?.focus();
  }, [field]);
}

/** A text that comes with a picture of it, for example from a table, is pasted as a text. */
function paste(app: App, sessionId: string, event: ClipboardEvent): void {
  const { files, types = [] } = event.clipboardData ?? {};
  const isText = types.includes("text/plain") && types.includes("text/html");
  if (files?.length && !isText) takeFiles(app, sessionId, event, files);
}
