/** Where a person writes to Claude: the place to which the keys go back. */
import { IS_TOUCH } from "./is-touch.ts";

/** The field of the composer; null where there is none. */
export function messageField(): HTMLElement | null {
  return document.querySelector<HTMLElement>(".composer-box .composer-field");
}

/** Not where that would open a keyboard on the screen. */
export function focusMessageField(): void {
  if (!IS_TOUCH) messageField()?.focus({ preventScroll: true });
}
