/** Y, A and N: each stands for the button of the prompt that says so in `aria-keyshortcuts`. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

const TEXT_FIELDS = "input, textarea, select, [contenteditable]";

/** Keys work where the focus is in no field, and nothing lies over the card. */
export function usePromptKeys(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (card.current === null || !isMeant(event, card.current)) return;
      const key = event.key.toUpperCase();
      const target = card.current.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`);
      if (target === null) return;
      event.preventDefault();
      if (target instanceof HTMLButtonElement) target.click();
      else target.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [card]);
}

function isMeant(event: KeyboardEvent, card: HTMLElement): boolean {
  if (!isPlainKey(event) || !/^[yan]$/i.test(event.key)) return false;
  const above = document.querySelector("dialog[open], :popover-open");
  return above === null || above.contains(card);
}

/** A key by itself, which no field takes. */
function isPlainKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target instanceof Element) || event.target.closest(TEXT_FIELDS) === null;
}
