/**
 * The keys of a prompt. Y, A and N each stand for the button that says so in `aria-keyshortcuts`; Escape
 * leaves a field; any other letter goes on in the message field.
 */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { messageField } from "../elements/message-field.ts";

const FIELDS = "input, textarea, select, [contenteditable]";
/** The fields that take letters. */
const TEXT_FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** Keys work where the focus is in no field that takes letters, and nothing lies over the card. */
export function usePromptKeys(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { current } = card;
      if (current === null || event.defaultPrevented || event.isComposing) return;
      const isTaken = leaveField(event, current) || answer(event, current);
      if (isTaken) event.preventDefault();
      else writeOn(event, current);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [card]);
}

/** A dialog or popover that is open; null without one. */
export function openAbove(): Element | null {
  return document.querySelector("dialog[open], :popover-open");
}

/** Escape closes a dialog first. */
function leaveField({ key, target }: KeyboardEvent, card: HTMLElement): boolean {
  if (key !== "Escape" || openAbove() !== null || !(target instanceof Element)) return false;
  if (!card.contains(target) || !target.matches(FIELDS)) return false;
  card.focus();
  return true;
}

function answer(event: KeyboardEvent, card: HTMLElement): boolean {
  if (!isPlainKey(event) || !/^[yan]$/i.test(event.key)) return false;
  if (openAbove()?.contains(card) === false) return false;
  const key = event.key.toUpperCase();
  const target = card.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`);
  if (target instanceof HTMLButtonElement) target.click();
  else target?.focus();
  return target !== null;
}

/** Text that is typed on a card that has got the focus by itself begins a message. */
function writeOn(event: KeyboardEvent, card: HTMLElement): void {
  const isLetter = event.key.length === 1 && event.key !== " ";
  if (event.target !== card || !isLetter || !isPlainKey(event) || openAbove() !== null) return;
  messageField()?.focus();
  // The page has keys of the same letters.
  event.stopPropagation();
}

/** A key by itself, which no field takes. */
function isPlainKey(event: KeyboardEvent): boolean {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target instanceof Element) || event.target.closest(TEXT_FIELDS) === null;
}
