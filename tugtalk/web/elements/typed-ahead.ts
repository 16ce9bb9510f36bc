/** Keys around a dialog that are meant for another moment: those that come before it, and an Enter too many. */

/** Without a connection its code may not come, and keys are for what is there. */
const MAX_HELD_MS = 2_000;

let heldUntil = 0;
/** Since then, for the field that will have the focus. */
let typed = "";

/** A person waits for a dialog, or for the field to find in: what is typed is for that. */
export function beginTypedAhead(): void {
  heldUntil = performance.now() + MAX_HELD_MS;
}

/** Whether it is still to come. */
export function isAwaited(): boolean {
  return heldUntil !== 0;
}

/** It does not come. */
export function dropTypedAhead(): void {
  heldUntil = 0;
  typed = "";
}

/** It has the focus now. */
export function deliverTypedAhead(): void {
  const { activeElement: field } = document;
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (typed !== "" && isText && field.selectionStart !== null) {
    field.setRangeText(typed, field.selectionStart, field.selectionEnd ?? 0, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  dropTypedAhead();
}

/**
 * Keeps a key from what has the focus. Enter is dropped: who presses it has not seen what it would do. Escape
 * is for what comes: `cancel` keeps it away.
 */
export function holdKey(event: KeyboardEvent, cancel: () => void): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  const isOfBrowser = ctrlKey || metaKey || altKey || /^F\d/.test(key);
  const isHeld = key === "Escape" ? isAwaited() : performance.now() <= heldUntil;
  if (!isHeld || isComposing) return;
  if (isOfBrowser && key !== "Enter") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (key === "Escape") {
    dropTypedAhead();
    cancel();
  } else if (key === "Backspace") typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
}

/** So long after a dialog, an Enter is still meant for that. */
const QUIET_MS = 400;

/** The next key, if it is Enter and comes soon, is for nothing: it would send what the composer has. */
export function dropNextEnter(): void {
  const waiting = new AbortController();
  const until = performance.now() + QUIET_MS;
  const onKey = (event: KeyboardEvent) => {
    // A page that is busy handles keys before timers.
    if (event.key !== "Enter" || event.timeStamp > until) return waiting.abort();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", onKey, { capture: true, signal: waiting.signal });
  setTimeout(() => waiting.abort(), QUIET_MS);
}
