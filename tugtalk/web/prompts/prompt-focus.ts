/** How the focus comes to a prompt: by itself when it opens, and by Shift+Tab. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { IS_TOUCH } from "../elements/is-touch.ts";
import { messageField } from "../elements/message-field.ts";
import { useApp } from "../store/app.ts";
import type { Drafts } from "../store/drafts.ts";
import { openAbove } from "./prompt-keys.ts";

/** A key that is meant for something else comes sooner after the one before, or after the prompt. */
const QUIET_MS = 400;

export function usePromptFocus(card: RefObject<HTMLElement | null>, sessionId: string): void {
  const { drafts } = useApp();
  useEffect(() => {
    if (card.current === null) return;
    const ending = new AbortController();
    enterAsOne(card.current, ending.signal);
    if (!IS_TOUCH) focusWhenQuiet(card.current, () => isFree(drafts, sessionId), ending.signal);
    return () => ending.abort();
  }, [card, drafts, sessionId]);
}

/** Nobody writes, and no other field or button has the focus. */
function isFree(drafts: Drafts, sessionId: string): boolean {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement?.matches("dialog, .prompts")) return true;
  const { text, attachments } = drafts.of(sessionId);
  const isEmpty = text.value === "" && attachments.value.length === 0;
  return isEmpty && activeElement === messageField();
}

/** Once, when no key has come for a moment. */
function focusWhenQuiet(card: HTMLElement, isFree: () => boolean, ending: AbortSignal): void {
  const waiting = new AbortController();
  const end = () => {
    waiting.abort();
    if (openAbove()?.contains(card) !== false && isFree()) card.focus({ preventScroll: true });
  };
  let timer = setTimeout(end, QUIET_MS);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(end, QUIET_MS);
  };
  addEventListener("keydown", wait, { capture: true, signal: waiting.signal });
  ending.addEventListener("abort", () => {
    waiting.abort();
    clearTimeout(timer);
  });
}

/** Shift+Tab from behind the card leads to the card, and not to its last button, which allows the most. */
function enterAsOne(card: HTMLElement, signal: AbortSignal): void {
  let isBackwards = false;
  const onKey = ({ key, shiftKey }: KeyboardEvent) => {
    isBackwards = key === "Tab" && shiftKey;
  };
  const onPointer = () => {
    isBackwards = false;
  };
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && card.contains(relatedTarget);
    if (isBackwards && !isInside) card.focus();
  };
  addEventListener("keydown", onKey, { capture: true, signal });
  addEventListener("pointerdown", onPointer, { capture: true, signal });
  card.addEventListener("focusin", onFocus, { signal });
}
