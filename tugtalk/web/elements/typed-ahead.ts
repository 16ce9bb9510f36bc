/**
 * Keys around a dialog that are meant for another moment: keys that come before it, and an Enter too many.
 */

/** Without a connection the code of the dialog may not come: keys then go to the focused element again. */
const MAX_HELD_MS = 2_000;

let heldUntil = 0;
/** The text that was typed meanwhile, for the field that will have the focus. */
let typed = "";

/** A person has opened a dialog or a search, which is not there yet: the next keys are for its field. */
export function beginTypedAhead(): void {
  heldUntil = performance.now() + MAX_HELD_MS;
}

/** Whether the dialog or the search is still to come. */
export function isAwaited(): boolean {
  return heldUntil !== 0;
}

/** The dialog or the search does not come. */
export function dropTypedAhead(): void {
  heldUntil = 0;
  typed = "";
}

/** The dialog or the search is there, and its field has the focus. */
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
 * Keeps a key from the focused element. Enter is dropped: a person who presses it cannot have seen its
 * effect. Escape is for the dialog or the search: `cancel` prevents it.
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

/** This long after a dialog, an Enter is still meant for the dialog. */
const QUIET_MS = 400;

/** Drops the next key if it is Enter and comes soon: it would send the text of the composer. */
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
